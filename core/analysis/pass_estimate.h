// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <cstdint>
#include <string>

namespace headscope {

/// Bytes that an analysis takes at its peak, beyond the weights: queries, keys and normalisers of all layers,
/// and the working tensors of one layer.
std::uint64_t estimatedBytes(const ModelSpec& spec, const SequenceLengths& lengths);

/// What a pass will take, before it runs. The time is that of the matrix products at the speed of this
/// machine, and of reading what is not resident: a guess within a factor of two.
PassEstimate estimatePass(const Model& model, const SequenceLengths& lengths);

/// "about 40 s; 13.5 GB of weights are read layer by layer; about 2.1 GB of memory". The memory is that of
/// the whole program at the peak of the pass.
std::string estimateText(const PassEstimate& estimate);

/// Throws Error with both numbers when `needed` exceeds `available`; 0 available means unknown and passes.
void requireMemory(std::uint64_t needed, std::uint64_t available);

} // namespace headscope
