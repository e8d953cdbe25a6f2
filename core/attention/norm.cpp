// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/norm.h"

namespace headscope {

at::Tensor applyNorm(const NormWeights& norm, const at::Tensor& input) {
    const auto size = input.sizes().slice(input.dim() - 1);
    // The fused kernels take only weights of the normalised shape.
    const bool fits = norm.weight.defined() && norm.weight.sizes() == size;
    if (!norm.rms) {
        if (fits) return at::layer_norm(input, size, norm.weight, norm.bias, norm.epsilon);
        at::Tensor normalised = at::layer_norm(input, size, {}, {}, norm.epsilon);
        if (norm.weight.defined()) normalised.mul_(norm.weight);
        if (norm.bias.defined()) normalised.add_(norm.bias);
        return normalised;
    }
    at::Tensor normalised = input * at::rsqrt(input.square().mean(-1, true) + norm.epsilon);
    if (norm.weight.defined()) normalised.mul_(norm.weight);
    return normalised;
}

} // namespace headscope
