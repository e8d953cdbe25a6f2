// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_spec.h"

#include <string>
#include <vector>

namespace headscope {

/// One thing in which a model differs from plain attention: "rotary positions", "theta 500000, llama3 x 8".
struct SpecFact {
    std::string name;
    std::string value;
};

/// What shapes the maps of a model beside its sizes: positions, windows, caps, sinks, norms, mixtures, the
/// output head. For `inspect` and the model panel; layers are counted from 0.
std::vector<SpecFact> specFacts(const ModelSpec& spec);

} // namespace headscope
