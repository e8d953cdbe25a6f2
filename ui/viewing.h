// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"

#include <QString>

#include <memory>

namespace headscope::ui {

/// What a view makes of a head or of its layer, as far as it is made.
struct Viewing {
    enum class Stage {
        Plain, ///< a head itself, or nothing
        Making,
        Cancelled,
        Failed,
        Made
    };

    Stage stage = Stage::Plain;
    ViewRequest request;
    std::shared_ptr<const ViewedMap> made;
    QString reason; ///< why it failed
};

} // namespace headscope::ui
