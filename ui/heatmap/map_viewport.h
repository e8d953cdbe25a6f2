// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headscope::ui {

/// The part of a map that is shown, in cells: columns [left, left + width), rows [top, top + height). Plain
/// value, no Qt type, so that it can live in a saved view. width or height 0 means "fit the whole map".
struct MapViewport {
    double left = 0.0;
    double top = 0.0;
    double width = 0.0;
    double height = 0.0;

    bool isFit() const { return width <= 0.0 || height <= 0.0; }
    friend bool operator==(const MapViewport&, const MapViewport&) = default;
};

} // namespace headscope::ui
