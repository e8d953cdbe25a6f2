// SPDX-License-Identifier: GPL-3.0-or-later
// Attention with linear biases (Press et al. 2022). The bias is given to the key's position alone: the same
// weights, since a row's softmax does not see what is added to the whole row.
#include "core/model/position/position_maker.h"

#include <cmath>

namespace headscope {

namespace {

/// base^first, base^(first + step), ... in float32.
at::Tensor slopesFrom(double base, std::int64_t count, std::int64_t step) {
    const at::Tensor powers = at::arange(1, 1 + step * count, step, at::kInt);
    return at::pow(at::scalar_tensor(base, at::kFloat), powers);
}

/// [heads]. Where the number of heads is no power of two, those beyond the largest one below take every
/// second slope of twice as many heads.
at::Tensor slopesOf(std::int64_t heads) {
    const auto power = static_cast<std::int64_t>(std::floor(std::log2(static_cast<double>(heads))));
    const std::int64_t whole = std::int64_t{1} << power;
    const auto base = [](double log2OfHeads) { return std::pow(2.0, -std::pow(2.0, -(log2OfHeads - 3.0))); };
    const at::Tensor slopes = slopesFrom(base(static_cast<double>(power)), whole, 1);
    if (whole == heads) return slopes;
    const std::int64_t rest = std::min(whole, heads - whole);
    return at::cat({slopes, slopesFrom(base(static_cast<double>(power) + 1.0), rest, 2)});
}

class AlibiMaker final : public PositionMaker {
  public:
    AlibiMaker(const Alibi& alibi, int heads) : m_alibi(alibi), m_heads(heads) {}

    std::shared_ptr<const PositionTerms> make(const TermContext& context) const override {
        at::Tensor slopes = slopesOf(m_heads).unsqueeze(1);
        at::Tensor positions = at::arange(context.keys, at::kLong).unsqueeze(0);
        at::Tensor bias =
            m_alibi.bfloat16 ? (slopes.to(at::kBFloat16) * positions).to(at::kFloat) : slopes * positions;
        if (m_alibi.bfloat16) bias.mul_(static_cast<double>(context.scale));
        bias = bias.contiguous();
        auto terms = std::make_shared<PositionTerms>();
        const float* values = bias.const_data_ptr<float>();
        terms->keyBias.assign(values, values + bias.numel());
        return terms;
    }
    std::string sharingKey() const override { return "alibi"; }

  private:
    Alibi m_alibi;
    int m_heads;
};

} // namespace

std::unique_ptr<const PositionMaker> makeAlibi(const Alibi& alibi, int heads) {
    return std::make_unique<AlibiMaker>(alibi, heads);
}

} // namespace headscope
