// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "ui/heatmap/shown_as.h"

#include <cstdint>
#include <optional>

namespace headscope::ui {

/// What the numbers, rows and columns of a view's map are.
ShownAs shownAs(const ViewedMap& shown, const MapView& view);

/// The token that a click on a row or a column means: its first, or the chosen one where that is in it, so
/// that a second click is seen as one.
std::int64_t clickedToken(const ViewedAxis& axis, std::int64_t index,
                          const std::optional<std::int64_t>& chosen);

} // namespace headscope::ui
