// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_spec.h"

#include <cstdint>

namespace headscope {

/// Bytes that an analysis of `tokens` tokens takes at its peak, beyond the loaded weights: queries, keys and
/// normalisers of all layers, and the working tensors of one layer.
std::uint64_t estimatedBytes(const ModelSpec& spec, std::int64_t tokens);

/// Throws Error with both numbers when `needed` exceeds `available`; 0 available means unknown and passes.
void requireMemory(std::uint64_t needed, std::uint64_t available);

} // namespace headscope
