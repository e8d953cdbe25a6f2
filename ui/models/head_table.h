// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headscope::ui {

/// A row for every head of a diagnosis, in the order the model runs them.
class HeadTable final : public QAbstractTableModel {
    Q_OBJECT

  public:
    enum Column {
        Kind, ///< of attention; worth showing where there are several
        Head,
        Primary,
        Score,
        Texts,
        Sure,
        Also,
        Below, ///< the first of the numbers
        TopKey,
        FirstKey,
        Previous,
        Next,
        Itself,
        Distance,
        Output,
        Columns
    };
    enum Role {
        SortRole = Qt::UserRole + 1, ///< a number; invalid: not measured
        ShareRole,                   ///< length of a bar behind a number, 0 to 1; invalid: none
        LabelRole,                   ///< Label as int, of the column Primary
        NoteRole                     ///< of the column Head: the user's note; empty: none
    };

    explicit HeadTable(QObject* parent = nullptr);

    void setDiagnosis(const std::shared_ptr<const Diagnosis>& diagnosis);
    /// The user's notes on heads of the model; all others have none.
    void setNotes(const std::vector<std::pair<HeadRef, QString>>& notes);
    const Diagnosis* diagnosis() const { return m_diagnosis.get(); }
    const DiagnosedHead& headAt(int row) const { return m_diagnosis->heads[static_cast<std::size_t>(row)]; }
    std::optional<int> rowOf(const HeadRef& head) const;
    bool hasKinds() const { return m_hasKinds; } ///< several
    /// All that a row says in words, in small letters: what a search looks at.
    const QString& wordsAt(int row) const { return m_words[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Whether the first click on the header of a column sorts down: the largest first.
    static bool sortsDown(int column) { return column == Score || column == Texts || column >= Below; }

  private:
    QString textAt(int row, int column) const;
    QVariant sortAt(int row, int column) const;
    QVariant shareAt(int row, int column) const;
    QString tipAt(int row, int column) const;
    QString noteAt(int row) const;

    std::vector<std::pair<HeadRef, QString>> m_notes;
    std::shared_ptr<const Diagnosis> m_diagnosis;
    std::vector<QString> m_words;
    std::vector<double> m_largest; ///< of each column, for bars of what is no share
    bool m_hasKinds = false;
};

} // namespace headscope::ui
