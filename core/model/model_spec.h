// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/attention_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

enum class Activation { GeluErf, GeluTanh, QuickGelu, Relu, Silu };

/// One stack of layers of one attention kind.
struct StackSpec {
    AttentionKind kind = AttentionKind::Self;
    int layers = 0;
    int heads = 0;
    int keyValueHeads = 0;
    std::int64_t headSize = 0;
    bool causal = false;
};

/// Everything in which the supported families differ, in one vocabulary. Family files translate config.json
/// into it; blocks read it. Sizes have been checked against the limits of spec_limits in families.cpp.
struct ModelSpec {
    std::string family; ///< model_type
    std::vector<StackSpec> stacks;
    std::int64_t hiddenSize = 0;
    std::int64_t intermediateSize = 0;
    std::int64_t vocabularySize = 0;
    std::optional<std::int64_t> maxPositions; ///< where the position table ends
    std::int64_t tokenTypes = 0;
    Activation activation = Activation::GeluErf;
    double normEpsilon = 1e-12;
    double initializerRange = 0.02;
};

} // namespace headscope
