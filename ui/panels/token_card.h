// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "ui/panels/card.h"
#include "ui/view_state.h"

#include <memory>

class QToolButton;

namespace headscope::ui {

class TokenStrip;

/// The text as tokens under the map: what the chosen token reads, or who reads it.
class TokenCard final : public Card {
    Q_OBJECT

  public:
    explicit TokenCard(QWidget* parent = nullptr);

    void showNothing(const QString& reason);
    /// The tokens that read and those that are read: the same ones, but for cross-attention.
    void showTokens(std::shared_ptr<const Axis> queries, std::shared_ptr<const Axis> keys);
    /// One row or column of the map, as the state says; null: tokens only.
    void showHead(const HeadMap* map, const ViewState& state);
    /// The same of what a view makes of a head: its words, without what it leaves out.
    void showView(std::shared_ptr<const ViewedMap> viewed, const ViewState& state);

    TokenStrip* strip() const { return m_strip; }
    QString title() const;

  Q_SIGNALS:
    void tokenClicked(qint64 token);
    void directionChosen(bool readBy);

  private:
    void showWeights(const HeadMap* map, const ViewState& state);
    void click(qint64 index);

    std::shared_ptr<const ViewedMap> m_viewed; ///< null: the tokens themselves
    ViewState m_state;
    std::shared_ptr<const Axis> m_queries;
    std::shared_ptr<const Axis> m_keys;
    QLabel* m_title;
    QLabel* m_hint;
    QToolButton* m_reads;
    QToolButton* m_readBy;
    TokenStrip* m_strip;
};

} // namespace headscope::ui
