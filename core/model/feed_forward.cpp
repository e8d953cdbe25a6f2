// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feed_forward.h"

#include "core/model/activation.h"

#include <algorithm>

namespace headscope {

namespace {

/// The widened activations of this many tokens at a time: at 8,192 tokens of a small model they would take
/// 100 MB whole.
constexpr std::int64_t kTokensAtATime = 1024;

class DenseFeedForward final : public FeedForward {
  public:
    struct Weights {
        LinearWeights gate; ///< undefined: not gated
        LinearWeights up;   ///< [intermediateSize, model size]
        LinearWeights down; ///< [model size, intermediateSize]
    };
    DenseFeedForward(Weights weights, Activation activation)
        : m_weights(std::move(weights)), m_activation(activation) {}

    at::Tensor forward(const at::Tensor& input) const override {
        const std::int64_t tokens = input.size(0);
        if (tokens <= kTokensAtATime) return part(input);
        at::Tensor result = at::empty_like(input);
        for (std::int64_t first = 0; first < tokens; first += kTokensAtATime) {
            const std::int64_t count = std::min(kTokensAtATime, tokens - first);
            result.narrow(0, first, count).copy_(part(input.narrow(0, first, count)));
        }
        return result;
    }

  private:
    at::Tensor part(const at::Tensor& input) const {
        if (!m_weights.gate.weight.defined())
            return applyLinear(m_weights.down,
                               applyActivation(m_activation, applyLinear(m_weights.up, input)));
        at::Tensor gated = applyActivation(m_activation, applyLinear(m_weights.gate, input));
        gated.mul_(applyLinear(m_weights.up, input));
        return applyLinear(m_weights.down, gated);
    }

    Weights m_weights;
    Activation m_activation;
};

} // namespace

std::unique_ptr<const FeedForward> readFeedForward(const WeightLoader& loader, const FeedForwardSpec& spec,
                                                   std::int64_t modelSize) {
    if (spec.mixture) return readMixture(loader, spec, modelSize);
    const std::int64_t width = spec.intermediateSize;
    DenseFeedForward::Weights weights;
    if (spec.gateUp.exists()) {
        const LinearWeights both = loader.linear(spec.gateUp, 2 * width, modelSize);
        const auto half = [&](std::int64_t first) {
            return LinearWeights{both.weight.narrow(0, first, width),
                                 both.bias.defined() ? both.bias.narrow(0, first, width) : at::Tensor()};
        };
        weights.gate = half(0);
        weights.up = half(width);
    } else {
        weights.gate = loader.linear(spec.gate, width, modelSize);
        weights.up = loader.linear(spec.up, width, modelSize);
    }
    weights.down = loader.linear(spec.down, modelSize, width);
    return std::make_unique<DenseFeedForward>(std::move(weights), spec.activation);
}

} // namespace headscope
