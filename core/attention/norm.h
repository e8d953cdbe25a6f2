// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/ATen.h>

namespace headscope {

/// A normalisation over the last dimension. Weight and bias may be undefined.
struct NormWeights {
    at::Tensor weight; ///< [size], or anything that can be multiplied with the normalised input
    at::Tensor bias;   ///< likewise
    double epsilon = 1e-5;
    bool rms = false; ///< x / sqrt(mean of squares + epsilon); else LayerNorm, with the biased variance
};

/// float32 in and out, on the input's device.
at::Tensor applyNorm(const NormWeights& norm, const at::Tensor& input);

} // namespace headscope
