// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"
#include "ui/panels/measure_bar.h"

#include <QWidget>

#include <cstdint>
#include <utility>
#include <vector>

class QGridLayout;
class QLabel;
class QVBoxLayout;

/// What the parts of the inspector are made of.
namespace headscope::ui {

/// Words that wrap and can be selected.
QLabel* paragraph(const QString& text, const char* role);
/// A heading with room above it.
void addSection(QVBoxLayout* layout, const QString& title);
/// A measure as a bar; `keys`: of the rows, 0 where they are of several texts.
MeasureRow measureRow(const Measure& measure, std::int64_t keys);
/// "Collapsed, Redundant: why not."; labels with the same reason share a line.
void addNotTested(QVBoxLayout* layout, const QString& title, const std::vector<NotTested>& labels);

/// Lines of a name, what it must be where that is asked, and its value; tooltips say what it is.
class NumberGrid {
  public:
    explicit NumberGrid(QVBoxLayout* layout);
    void add(const QString& name, const QString& value, const QString& tip, const QString& condition = {});

  private:
    QGridLayout* m_grid;
    int m_line = 0;
};

/// Paragraphs that wrap need more height where it is narrow; a scroll area asks its content for a minimum
/// only.
class TallContent final : public QWidget {
  protected:
    bool event(QEvent* event) override;
};

} // namespace headscope::ui
