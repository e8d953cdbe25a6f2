// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace headscope {

/// Cosines and sines of a rotary embedding (Su et al. 2021) for the positions of a text.
struct RotaryTable {
    at::Tensor cosine;        ///< [tokens, dims / 2]
    at::Tensor sine;          ///< likewise
    bool interleaved = false; ///< pairs of neighbours; else number i with number i + dims/2
};

/// Turns the first `dims` numbers of every head, in place. `heads` is [tokens, count * headSize] and
/// contiguous; the products and the sum are rounded one by one, as transformers' are.
void applyRotary(const RotaryTable& table, at::Tensor& heads, std::int64_t headSize);

} // namespace headscope
