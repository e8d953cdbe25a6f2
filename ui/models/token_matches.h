// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"

#include <QAbstractListModel>

#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// The tokens of an axis that fit what was typed: a whole number finds the token at that position, words find
/// tokens that are, begin with or contain them, in this order and each kind in the order of the text. Case
/// does not matter, nor do the marks that stand for a space or a continued word.
class TokenMatches final : public QAbstractListModel {
    Q_OBJECT

  public:
    enum Role { PositionRole = Qt::UserRole + 1, LabelRole };

    explicit TokenMatches(QObject* parent = nullptr);

    /// Null: none. False: they are there already.
    bool setTokens(std::shared_ptr<const Axis> axis);
    /// Empty: all tokens, or none of them where `emptyIsNone` was set.
    void setWords(const QString& words);
    void setEmptyIsNone(bool on);

    std::int64_t size() const { return m_axis ? m_axis->size() : 0; } ///< of the axis
    std::int64_t positionAt(int row) const { return m_positions[static_cast<std::size_t>(row)]; }
    std::optional<int> rowOf(std::int64_t position) const;
    QString labelAt(std::int64_t position) const;
    /// "it (10)": how a chosen token is written.
    QString nameOf(std::int64_t position) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    /// Display: "10  it"; edit: the name; tooltip: both in words.
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    void refresh();

    std::shared_ptr<const Axis> m_axis;
    QString m_words;
    bool m_emptyIsNone = false;
    std::vector<std::int64_t> m_positions;
};

} // namespace headscope::ui
