// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/heatmap/shown_as.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope::ui {

/// What the numbers, rows and columns of a view's map are.
ShownAs shownAs(const ViewedAxes& axes, const MapView& view);
ShownAs shownAs(const ViewedMap& shown, const MapView& view);

/// What is said of a cell of a map that is no plain head's.
HeatmapView::Readout viewReadout(std::shared_ptr<const HeadMap> map, std::shared_ptr<const ViewedAxes> axes,
                                 const MapView& view);

/// The token that a click on a row or a column means: its first, or the chosen one where that is in it, so
/// that a second click is seen as one.
std::int64_t clickedToken(const ViewedAxis& axis, std::int64_t index,
                          const std::optional<std::int64_t>& chosen);

} // namespace headscope::ui
