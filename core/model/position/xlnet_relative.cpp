// SPDX-License-Identifier: GPL-3.0-or-later
// Transformer-XL's relative attention as XLNet has it (Dai et al. 2019; Yang et al. 2019):
//   s_ij = scale * ((q_i + r_w) . k_j + (q_i + r_r) . W_r R(i - j) + (q_i + r_s) . seg[differ(i, j)]).
// The projected queries already hold r_w, so that the other terms add what is left of their own biases.
#include "core/model/position/position_maker.h"

#include <algorithm>
#include <array>

namespace headscope {

namespace {

class XlnetMaker final : public PositionMaker {
  public:
    struct Weights {
        LinearWeights position; ///< [heads * headSize, model size]
        at::Tensor rest;        ///< r_r - r_w, [heads, headSize]
        at::Tensor segmentRest; ///< r_s - r_w
        at::Tensor segments;    ///< [2, heads, headSize]
        std::int64_t clampLength = -1;
    };
    explicit XlnetMaker(Weights weights) : m_weights(std::move(weights)) {}

    std::shared_ptr<const PositionTerms> make(const TermContext& context) const override {
        const auto heads = static_cast<int>(m_weights.rest.size(0));
        const at::Tensor keys = applyLinear(m_weights.position, sinusoids(context)); // [distances, width]
        auto terms = std::make_shared<PositionTerms>();
        terms->query.tables = panelsByHead(keys, heads);
        terms->query.rowOf =
            rowsByDistance(context, [&](std::int64_t distance) { return distance + context.queries - 1; });
        terms->query.scale = context.scale;
        const at::Tensor byHead = keys.view({keys.size(0), heads, -1});
        terms->distanceBias = numbers((byHead * m_weights.rest).sum(-1).t() * context.scale);
        addSegments(context, *terms);
        return terms;
    }

  private:
    static std::vector<float> numbers(const at::Tensor& tensor) {
        const at::Tensor host = tensor.to(at::kCPU).contiguous();
        return {host.const_data_ptr<float>(), host.const_data_ptr<float>() + host.numel()};
    }

    /// R(i - j) for key - query from 1 - queries on: sines, then cosines, [distances, model size].
    at::Tensor sinusoids(const TermContext& context) const {
        const std::int64_t size = m_weights.position.weight.size(1);
        const at::Tensor exponents =
            at::arange(0, size, 2, at::kLong).to(at::kFloat) / static_cast<double>(size);
        const at::Tensor frequencies = at::pow(at::Scalar(10000.0), exponents).reciprocal();
        at::Tensor offsets = at::arange(1 - context.queries, context.keys, at::kLong).neg().to(at::kFloat);
        if (m_weights.clampLength > 0) offsets = offsets.clamp(-m_weights.clampLength, m_weights.clampLength);
        const at::Tensor angles = offsets.unsqueeze(1) * frequencies.unsqueeze(0);
        return at::cat({angles.sin(), angles.cos()}, 1).to(m_weights.position.weight.device());
    }

    /// Where all tokens are of one segment the term is the same for the whole row and changes no weight.
    void addSegments(const TermContext& context, PositionTerms& terms) const {
        const std::span<const std::int64_t> segments = context.segments;
        if (std::adjacent_find(segments.begin(), segments.end(), std::not_equal_to<>()) == segments.end())
            return;
        SegmentTerm& term = terms.segment;
        for (const std::int64_t segment : segments)
            term.ofQuery.push_back(static_cast<std::uint8_t>(segment));
        term.ofKey = term.ofQuery;
        const at::Tensor queries =
            context.heads->queries.view({context.queries, m_weights.rest.size(0), -1}) +
            m_weights.segmentRest;
        const auto product = [&](std::int64_t row) {
            return numbers((queries * m_weights.segments[row]).sum(-1).t() * context.scale);
        };
        term.same = product(0);
        term.other = product(1);
    }

    Weights m_weights;
};

} // namespace

std::unique_ptr<const PositionMaker> readXlnetRelative(const WeightLoader& loader, const AttentionSpec& spec,
                                                       const TransformerSpec& stack) {
    const auto& names = std::get<XlnetRelative>(spec.position);
    const std::array<std::int64_t, 2> bias{spec.heads, spec.headSize};
    const at::Tensor content = loader.tensor(names.contentBias, bias);
    XlnetMaker::Weights weights;
    weights.position = loader.headedLinear(
        names.position, std::array<std::int64_t, 3>{stack.hiddenSize, spec.heads, spec.headSize});
    weights.rest = loader.tensor(names.positionBias, bias) - content;
    weights.segmentRest = loader.tensor(names.segmentBias, bias) - content;
    weights.segments =
        loader.tensor(names.segments, std::array<std::int64_t, 3>{2, spec.heads, spec.headSize});
    weights.clampLength = names.clampLength;
    return std::make_unique<XlnetMaker>(std::move(weights));
}

} // namespace headscope
