// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/encoder_block.h"

#include "core/base/check.h"

#include <algorithm>

namespace headscope {

namespace {

/// The widened activations of this many tokens at a time: at 8,192 tokens of a small model they would take
/// 100 MB whole.
constexpr std::int64_t kTokensAtATime = 1024;

} // namespace

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
    }
    HS_CHECK(false);
    return {};
}

PostNormBlock::PostNormBlock(MultiHeadAttention attention, Weights weights, Activation activation)
    : m_attention(std::move(attention)), m_weights(std::move(weights)), m_activation(activation) {}

at::Tensor PostNormBlock::feedForward(const at::Tensor& input) const {
    return applyLinear(m_weights.output,
                       applyActivation(m_activation, applyLinear(m_weights.intermediate, input)));
}

at::Tensor PostNormBlock::forward(const at::Tensor& input, const AttentionCall& call) const {
    const at::Tensor attended =
        applyNorm(m_weights.attentionNorm, m_attention.forward(input, input, call) + input);
    const std::int64_t tokens = attended.size(0);
    if (tokens <= kTokensAtATime) return applyNorm(m_weights.outputNorm, feedForward(attended) + attended);
    at::Tensor result = at::empty_like(attended);
    for (std::int64_t first = 0; first < tokens; first += kTokensAtATime) {
        const std::int64_t count = std::min(kTokensAtATime, tokens - first);
        const at::Tensor part = attended.narrow(0, first, count);
        result.narrow(0, first, count).copy_(applyNorm(m_weights.outputNorm, feedForward(part) + part));
    }
    return result;
}

} // namespace headscope
