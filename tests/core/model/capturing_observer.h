// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/observer.h"

#include <memory>
#include <vector>

namespace headscope::test {

/// Keeps the maps and checks of every layer.
class CapturingObserver final : public AttentionObserver {
  public:
    void seeStates(AttentionKind, LayerIndex, double meanCosine) override { cosines.push_back(meanCosine); }
    std::vector<RowAccumulator*> beginLayer(const AttentionLayer& layer) override {
        begun.push_back(layer.layer);
        kinds.push_back(layer.kind);
        return {};
    }
    void endLayer(const AttentionLayer&, std::shared_ptr<const LayerMaps> maps,
                  const LayerChecks& layerChecks, const HeadOutputNorms&) override {
        layers.push_back(std::move(maps));
        checks.push_back(layerChecks);
    }

    std::vector<double> cosines; ///< of the states that each layer reads
    std::vector<LayerIndex> begun;
    std::vector<AttentionKind> kinds;
    std::vector<std::shared_ptr<const LayerMaps>> layers;
    std::vector<LayerChecks> checks;
};

} // namespace headscope::test
