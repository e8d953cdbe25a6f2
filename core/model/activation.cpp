// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/activation.h"

#include "core/base/check.h"

namespace headscope {

at::Tensor applyActivation(Activation activation, at::Tensor input) {
    switch (activation) {
    case Activation::GeluErf:
        return at::gelu_(input, "none");
    case Activation::GeluTanh:
        return at::gelu_(input, "tanh");
    case Activation::QuickGelu:
        return input.mul_(at::sigmoid(input * 1.702));
    case Activation::Relu:
        return at::relu_(input);
    case Activation::Silu:
        return at::silu_(input);
    case Activation::Tanh:
        return at::tanh_(input);
    }
    HS_CHECK(false);
    return {};
}

} // namespace headscope
