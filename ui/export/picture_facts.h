// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/export_part.h"
#include "ui/export/picture_settings.h"
#include "ui/heatmap/figure_painter.h"

#include <string>

/// What a picture carries inside: model, text, heads, view and settings, as one line of JSON. See
/// resources/help/picture-metadata.md.
namespace headscope::ui {

std::string textFacts(const ExportPart& part, const FollowedToken& followed, const FigureOptions& options);
std::string linesFacts(const ExportPart& part, const DrawnLines& lines, const LinePicks& picks,
                       const FigureOptions& options);
std::string headsFacts(const ExportPart& part, const FigureOptions& options);
std::string comparisonFacts(const HeadComparison& comparison, const FigureOptions& options);
std::string gridFacts(const Analysis& analysis, AttentionKind kind, const FigureOptions& options);

} // namespace headscope::ui
