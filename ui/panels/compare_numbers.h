// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"

#include <QWidget>

#include <memory>

class QLabel;
class QVBoxLayout;

namespace headscope::ui {

class PlainTable;
struct MeasureRow;

/// How far two heads are apart in numbers, and the rows in which they differ most.
class CompareNumbers final : public QWidget {
    Q_OBJECT

  public:
    explicit CompareNumbers(QWidget* parent = nullptr);

    /// Null: `reason` stands instead.
    void showComparison(const std::shared_ptr<const HeadComparison>& comparison, const QString& reason);
    void setNarrow(bool narrow); ///< only what fits beside four maps
    PlainTable* rows() const { return m_rows; }
    QString words() const; ///< of all that is said of the pair, a line each

  Q_SIGNALS:
    void rowChosen(qint64 query, qint64 key); ///< in the maps as they are compared

  private:
    void clearBars();
    void addBar(const MeasureRow& row, const QString& tip);
    void addRest(const HeadComparison& comparison);
    void addBars(const HeadComparison& comparison);
    void fillRows(const HeadComparison& comparison);

    std::shared_ptr<const HeadComparison> m_comparison;
    QVBoxLayout* m_bars;
    QLabel* m_counts;
    QLabel* m_heading;
    PlainTable* m_rows;
    QLabel* m_reason;
    QStringList m_words;
};

} // namespace headscope::ui
