// SPDX-License-Identifier: GPL-3.0-or-later
// Mixtures of experts (Shazeer et al. 2017): the sum over the experts that a router chose for a token, of
// those alone.
#include "core/base/check.h"
#include "core/model/activation.h"
#include "core/model/feed_forward.h"

#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

/// gpt-oss's constants, fixed in its code.
constexpr double kStackedLimit = 7.0;
constexpr double kStackedAlpha = 1.702;

LinearSpec ofExpert(LinearSpec spec, std::int64_t expert) {
    if (!spec.weight.empty()) spec.weight = fmt::format(fmt::runtime(spec.weight), expert);
    if (!spec.bias.empty()) spec.bias = fmt::format(fmt::runtime(spec.bias), expert);
    return spec;
}

struct GatedWeights {
    LinearWeights gate, up, down;

    at::Tensor forward(const at::Tensor& input, Activation activation) const {
        at::Tensor gated = applyActivation(activation, applyLinear(gate, input));
        return applyLinear(down, gated.mul_(applyLinear(up, input)));
    }
};

/// What the experts share but their weights: who is chosen, with what weight, and the sum.
class Mixture : public FeedForward {
  public:
    Mixture(MixtureSpec spec, LinearWeights router) : m_spec(std::move(spec)), m_router(std::move(router)) {}

    at::Tensor forward(const at::Tensor& input) const override {
        const auto [weights, experts] = choose(input);
        at::Tensor sum = at::zeros_like(input);
        for (std::int64_t expert = 0; expert < m_spec.experts; ++expert) {
            const at::Tensor places = (experts == expert).nonzero(); // [n, 2]: token, rank
            if (places.size(0) == 0) continue;
            const at::Tensor tokens = places.select(1, 0);
            const at::Tensor share = weights.index({tokens, places.select(1, 1)}).unsqueeze(1);
            sum.index_add_(0, tokens, expertOf(expert, input.index_select(0, tokens)) * share);
        }
        return addShared(input, std::move(sum));
    }

  protected:
    virtual at::Tensor expertOf(std::int64_t expert, const at::Tensor& input) const = 0;
    virtual at::Tensor addShared(const at::Tensor& input, at::Tensor sum) const = 0;

  private:
    /// [tokens, chosen] weights and expert numbers.
    std::pair<at::Tensor, at::Tensor> choose(const at::Tensor& input) const {
        const at::Tensor logits = applyLinear(m_router, input);
        if (m_spec.softmaxOverChosen) {
            const auto [values, experts] = at::topk(logits, m_spec.chosen, -1);
            return {at::softmax(values, -1), experts};
        }
        auto [values, experts] = at::topk(at::softmax(logits, -1), m_spec.chosen, -1);
        if (m_spec.normalised) values = values / values.sum(-1, true);
        return {values, experts};
    }

    MixtureSpec m_spec;
    LinearWeights m_router;
};

/// Experts with matrices of their own, and perhaps one that every token passes.
class GatedMixture final : public Mixture {
  public:
    struct Weights {
        std::vector<GatedWeights> experts;
        GatedWeights shared;
        LinearWeights sharedWeight; ///< undefined: no shared expert
    };
    GatedMixture(MixtureSpec spec, LinearWeights router, Weights weights, Activation activation)
        : Mixture(std::move(spec), std::move(router)), m_weights(std::move(weights)),
          m_activation(activation) {}

  protected:
    at::Tensor expertOf(std::int64_t expert, const at::Tensor& input) const override {
        return m_weights.experts[static_cast<std::size_t>(expert)].forward(input, m_activation);
    }
    at::Tensor addShared(const at::Tensor& input, at::Tensor sum) const override {
        if (!m_weights.sharedWeight.weight.defined()) return sum;
        const at::Tensor share = at::sigmoid(applyLinear(m_weights.sharedWeight, input));
        return sum.add_(share * m_weights.shared.forward(input, m_activation));
    }

  private:
    Weights m_weights;
    Activation m_activation;
};

/// gpt-oss: one tensor for all experts, matrices as [in, out], gate and up alternating.
class StackedMixture final : public Mixture {
  public:
    struct Weights {
        at::Tensor gateUp, gateUpBias, down, downBias;
    };
    StackedMixture(MixtureSpec spec, LinearWeights router, Weights weights)
        : Mixture(std::move(spec), std::move(router)), m_weights(std::move(weights)) {}

  protected:
    at::Tensor expertOf(std::int64_t expert, const at::Tensor& input) const override {
        const at::Tensor both = at::addmm(m_weights.gateUpBias[expert], input, m_weights.gateUp[expert]);
        const at::Tensor gate = both.slice(1, 0, both.size(1), 2).clamp_max(kStackedLimit);
        const at::Tensor up = both.slice(1, 1, both.size(1), 2).clamp(-kStackedLimit, kStackedLimit);
        const at::Tensor gated = (up + 1) * (gate * at::sigmoid(gate * kStackedAlpha));
        return at::addmm(m_weights.downBias[expert], gated, m_weights.down[expert]);
    }
    at::Tensor addShared(const at::Tensor&, at::Tensor sum) const override { return sum; }

  private:
    Weights m_weights;
};

} // namespace

std::unique_ptr<const FeedForward> readMixture(const WeightLoader& loader, const FeedForwardSpec& spec,
                                               std::int64_t modelSize) {
    const MixtureSpec& mixture = *spec.mixture;
    const std::int64_t count = mixture.experts;
    const std::int64_t width = mixture.intermediateSize;
    LinearWeights router = loader.linear(mixture.router, count, modelSize);
    if (!mixture.stackedGateUp.empty()) {
        StackedMixture::Weights weights;
        weights.gateUp =
            loader.tensor(mixture.stackedGateUp, std::array<std::int64_t, 3>{count, modelSize, 2 * width});
        weights.gateUpBias = loader.matrix(mixture.stackedGateUpBias, count, 2 * width);
        weights.down =
            loader.tensor(mixture.stackedDown, std::array<std::int64_t, 3>{count, width, modelSize});
        weights.downBias = loader.matrix(mixture.stackedDownBias, count, modelSize);
        return std::make_unique<StackedMixture>(mixture, std::move(router), std::move(weights));
    }
    GatedMixture::Weights weights;
    for (std::int64_t expert = 0; expert < count; ++expert)
        weights.experts.push_back({loader.linear(ofExpert(mixture.gate, expert), width, modelSize),
                                   loader.linear(ofExpert(mixture.up, expert), width, modelSize),
                                   loader.linear(ofExpert(mixture.down, expert), modelSize, width)});
    const std::int64_t shared = mixture.sharedIntermediateSize;
    weights.shared = {loader.linear(mixture.sharedGate, shared, modelSize),
                      loader.linear(mixture.sharedUp, shared, modelSize),
                      loader.linear(mixture.sharedDown, modelSize, shared)};
    weights.sharedWeight = loader.linear(mixture.sharedWeight, 1, modelSize);
    return std::make_unique<GatedMixture>(mixture, std::move(router), std::move(weights), spec.activation);
}

} // namespace headscope
