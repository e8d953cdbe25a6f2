// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/export_part.h"
#include "ui/export/picture_settings.h"
#include "ui/heatmap/figure_painter.h"

#include <QString>

#include <span>

/// What stands under a figure in a paper: plain sentences of model, text, head, view, scale and range, with
/// exact numbers.
namespace headscope::ui {

/// "(a)", "(b)", ..., "(z)", "(aa)": names of the maps of a sheet.
QString letterOf(std::size_t index);

/// `figures`: one for each map of `part`, in its order.
QString headsCaption(const ExportPart& part, std::span<const HeadFigure> figures,
                     const FigureOptions& options);
/// Of the text with the colours of one token's weights. `masked`: the mask leaves some tokens out.
QString textCaption(const ExportPart& part, const FollowedToken& followed, bool masked,
                    const FigureOptions& options);
/// Of the tokens with lines between them. `picks`: those that are drawn.
QString linesCaption(const ExportPart& part, const DrawnLines& lines, const LinePicks& picks,
                     const FigureOptions& options);
QString comparisonCaption(const HeadComparison& comparison, const FigureOptions& options);
QString gridCaption(const Analysis& analysis, AttentionKind kind, const FigureOptions& options);

} // namespace headscope::ui
