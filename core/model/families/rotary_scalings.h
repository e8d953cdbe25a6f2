// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/config_reader.h"
#include "core/model/spec/rotary_spec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace headscope {

/// The parameters of a scaling, and what of config.json around them matters to it.
struct ScalingSource {
    ConfigReader fields;
    /// rope_parameters, of transformers 5; else rope_scaling. They differ in where the length before
    /// stretching is looked for.
    bool newSpelling = false;
    /// original_max_position_embeddings at the root of config.json.
    std::optional<std::int64_t> rootOriginal;
    std::optional<std::int64_t> maxPositions; ///< max_position_embeddings; none where that is null
};

/// Reads the parameters of the scaling `type` into `spec`, whose theta and dims are set. Throws Error for
/// types that are not known, and naming the field for missing and malformed parameters.
void readScaling(const ScalingSource& source, const std::string& type, RotarySpec& spec);

} // namespace headscope
