// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/export_part.h"
#include "ui/heatmap/figure_painter.h"

#include <QColor>
#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;

namespace headscope::ui {

/// Something that can be painted at any resolution: one unit is one point (1/72 inch), background included.
struct Picture {
    QSizeF size; ///< points
    QString title;
    QColor background;                    ///< transparent: none
    std::function<void(QPainter&)> paint; ///< into (0, 0, size)
    QString caption{};                    ///< what is shown, in sentences; empty: not known
    std::string facts{};                  ///< the same for programs, one line of JSON; empty: not known
};

/// One head as a large map; several as a sheet of maps, each with a letter and its name. `options.title`
/// null: the head's name for one head, none for a sheet.
Picture headsPicture(const ExportPart& part, const FigureOptions& options);

/// Two heads on one scale, and where they can be subtracted their difference on a diverging one, centred on
/// 0; lettered (a), (b), (c).
Picture comparisonPicture(const HeadComparison& comparison, const FigureOptions& options);
double comparisonWidthMm(const HeadComparison& comparison);

/// The overview of all heads of a kind.
Picture gridPicture(const Analysis& analysis, AttentionKind kind, const FigureOptions& options);

/// Maps side by side on a sheet of `count`: as square as it gets.
int sheetColumns(std::size_t count);

/// Width that suits a sheet when none is asked for, millimetres.
double sheetWidthMm(std::size_t count);

} // namespace headscope::ui
