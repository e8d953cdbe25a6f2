// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// One matrix, or several of one step, on the way through an attention layer.
struct LayerStep {
    struct Part {
        QString name;
        QString shape; ///< "12 × 15 × 32"
    };
    QString how;  ///< what leads here from the step before; empty for the first
    QString more; ///< what else was done on the way; empty: nothing
    std::vector<Part> parts;
};

/// From the states that a layer reads to what it adds to them, with the sizes of this model and this text.
/// Nothing for imported maps: their model is not there.
std::vector<LayerStep> layerSteps(const LayerResult& layer, const ModelSpec& spec);

} // namespace headscope::ui
