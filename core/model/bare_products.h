// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/model/model.h"

#include <cstdint>

namespace headscope {

/// Yardsticks for a forward pass: the same arithmetic without anything around it.
struct BareProducts {
    double matrixProducts =
        0.0; ///< s: the linear layers, Q Kᵀ and A V over the pairs that can see each other
    double fusedAttention = 0.0; ///< s: LibTorch's own attention, which gives no maps, for all layers
};

struct BareProductsRequest {
    std::int64_t tokens = 0;
    DeviceChoice device = DeviceChoice::Cpu;
    int repeats = 5;
    CancelToken cancel;
};

/// Times a text of `tokens` tokens (and as many for the decoder), float32, on `device` (not Auto); each time
/// is the least of `repeats` after one unmeasured round. Weights are drawn at random in the model's shapes, a
/// set for every layer, as in the model, up to 4 GiB; further layers share the last set. Throws Error (out of
/// memory, cancelled).
BareProducts timeBareProducts(const ModelSpec& spec, const BareProductsRequest& request);

} // namespace headscope
