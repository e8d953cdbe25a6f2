// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/rotary.h"
#include "core/model/spec/rotary_spec.h"

#include <cstdint>

namespace headscope {

/// The frequencies of a text of `tokens` tokens, float32 [dims / 2] on the CPU: theta^(-2i/dims), stretched
/// as the spec says. Exponent, power and reciprocal are rounded to float32 one by one as transformers' are,
/// since the last bit decides the angle of far positions.
at::Tensor rotaryFrequencies(const RotarySpec& spec, std::int64_t tokens);

/// Cosines and sines of positions 0 to tokens - 1 on `device`, times the attention factor.
RotaryTable rotaryTable(const RotarySpec& spec, std::int64_t tokens, at::Device device);

} // namespace headscope
