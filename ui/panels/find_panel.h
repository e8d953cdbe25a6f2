// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/find_heads.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;

namespace headscope::ui {

class FoundHeadsTable;
class FoundHeadsView;
class TokenPicker;

/// Which heads read one token from another: a query, a key, and all heads by their weight there.
class FindPanel final : public QWidget {
    Q_OBJECT

  public:
    explicit FindPanel(QWidget* parent = nullptr);

    /// Without tokens there is nothing to choose from.
    void showNothing(const QString& reason);
    void showTokens(const std::shared_ptr<const Axis>& queries, const std::shared_ptr<const Axis>& keys);
    void showCell(std::optional<std::int64_t> query, std::optional<std::int64_t> key);
    /// In place of a list: what is missing, or went wrong.
    void showReason(const QString& reason);
    /// A list that is there stays until the next one comes.
    void showFinding();
    void showFound(const std::shared_ptr<const FoundHeads>& found,
                   const std::shared_ptr<const Analysis>& analysis);
    void showHead(const HeadRef& head); ///< its row is marked

    TokenPicker* query() const { return m_query; }
    TokenPicker* key() const { return m_key; }
    FoundHeadsView* list() const { return m_view; }
    FoundHeadsTable* table() const { return m_table; }
    QString words() const;

  Q_SIGNALS:
    void queryChosen(qint64 position);
    void keyChosen(qint64 position);
    void headOpened(const headscope::HeadRef& head);

  private:
    QString foundWords(const FoundHeads& found) const;

    std::shared_ptr<const Axis> m_queries;
    std::shared_ptr<const Axis> m_keys;
    HeadRef m_head;
    TokenPicker* m_query;
    TokenPicker* m_key;
    QLabel* m_words;
    FoundHeadsTable* m_table;
    FoundHeadsView* m_view;
};

/// Why a query does not see a key, as the end of a sentence: "it comes after the query (causal)".
QString hiddenText(HiddenBy reason);

} // namespace headscope::ui
