// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/config_reader.h"
#include "core/model/spec/rotary_spec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headscope {

/// Which forms of rope_scaling a family takes.
enum class ScalingForms {
    All,
    NewNameOnly, ///< those that say rope_type: transformers' check fails on `type` alone (Granite, Gemma 3,
                 ///< Cohere)
    LinearOrDynamic, ///< OLMo 2: exactly the fields type and factor
    LongRopeOnly,    ///< Phi-3: exactly type, short_factor and long_factor; "su" and "yarn" mean longrope too
    None             ///< it is there for other layers (Gemma 3: the sliding ones do not read it)
};

/// What a family has to say beside the fields of config.json.
struct RotaryDefaults {
    std::int64_t headSize = 0;
    double partialFactor = 1.0; ///< where no field says otherwise; first int(headSize * factor) numbers
    double theta = 10000.0;
    const char* thetaField = "rope_theta"; ///< at the root of config.json
    const char* partialField = "partial_rotary_factor";
    std::optional<std::int64_t> maxPositions; ///< max_position_embeddings; none where that is null
    std::optional<std::int64_t>
        originalPositions; ///< where original_max_position_embeddings is absent (Phi-3)
    /// rope_scaling says `type` and `rope_type`, and they differ: true where transformers 4.57 takes `type`.
    bool oldTypeWins = false;
    bool interleaved = false;
    std::string layerType; ///< "full_attention": which of several sets of parameters; empty: the only one
    ScalingForms forms = ScalingForms::All;
    bool wholeHead = false;    ///< heads are turned whole: another partial factor is refused
    bool roundsUp = false;     ///< an odd number of turned dimensions becomes one more; else it is refused
    bool headSizeNull = false; ///< head_dim is null in transformers' class, on which some scalings fail
};

/// Reads the rotary embedding in either spelling: rope_theta and rope_scaling (transformers 4), or
/// rope_parameters (5), perhaps one set for each kind of layer. Throws Error, by name, for a rope_type that
/// is not known, for missing or malformed parameters and for two spellings that disagree.
RotarySpec rotaryOf(const ConfigReader& config, const RotaryDefaults& defaults);

} // namespace headscope
