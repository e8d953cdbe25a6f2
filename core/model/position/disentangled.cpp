// SPDX-License-Identifier: GPL-3.0-or-later
// DeBERTa's disentangled attention (He et al. 2021): content to position and position to content.
#include "core/base/check.h"
#include "core/model/position/position_maker.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headscope {

namespace {

/// Always up or always down, and by one row at most.
bool isInSmallSteps(const std::vector<std::int32_t>& rows) {
    bool rises = false;
    bool falls = false;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::int32_t step = rows[i] - rows[i - 1];
        if (std::abs(step) > 1) return false;
        rises = rises || step > 0;
        falls = falls || step < 0;
    }
    return !(rises && falls);
}

/// The bucket of each query - key, int64, before it is clamped to the span.
at::Tensor relativeBuckets(const RelativeTableSpec& table, const at::Tensor& offsets) {
    if (table.buckets <= 0) return offsets;
    // Exact up to the middle, then ever coarser. In float32 and in this order, as upstream.
    const std::int64_t middle = table.buckets / 2;
    const at::Tensor away = offsets.abs();
    const double widest = static_cast<double>(table.maxPositions - 1) / static_cast<double>(middle);
    const at::Tensor share = at::log(away / middle) / at::log(at::scalar_tensor(widest, at::kFloat));
    const at::Tensor bucket = at::ceil(share * (middle - 1)) + middle;
    return at::where(away <= middle, offsets.to(at::kFloat), bucket * offsets.sign()).to(at::kLong);
}

class DisentangledMaker final : public PositionMaker {
  public:
    struct Weights {
        LinearWeights positionKey; ///< undefined: no content to position
        LinearWeights positionQuery;
    };
    DisentangledMaker(RelativeTableSpec table, int heads, Weights weights)
        : m_table(std::move(table)), m_heads(heads), m_weights(std::move(weights)) {}

    std::shared_ptr<const PositionTerms> make(const TermContext& context) const override {
        HS_CHECK(context.relativeTable != nullptr);
        const std::int64_t span = spanOf(m_table, std::max(context.queries, context.keys));
        at::Tensor rows = context.relativeTable->narrow(0, m_table.span - span, 2 * span);
        std::vector<std::int32_t> rowOf = rowsOf(context, span);
        if (!isInSmallSteps(rowOf)) { // a row for each distance then
            const at::Tensor chosen = at::tensor(at::ArrayRef<std::int32_t>(rowOf)).to(rows.device());
            rows = rows.index_select(0, chosen);
            std::iota(rowOf.begin(), rowOf.end(), 0);
        }
        auto terms = std::make_shared<PositionTerms>();
        const auto product = [&](const LinearWeights& projection) -> RelativeProduct {
            if (!projection.weight.defined()) return {};
            return {panelsByHead(applyLinear(projection, rows), m_heads), rowOf, context.scale};
        };
        terms->query = product(m_weights.positionKey);
        terms->key = product(m_weights.positionQuery);
        return terms;
    }

  private:
    std::vector<std::int32_t> rowsOf(const TermContext& context, std::int64_t span) const {
        const at::Tensor offsets = at::arange(context.queries - 1, -context.keys, -1, at::kLong);
        const at::Tensor rows =
            (relativeBuckets(m_table, offsets) + span).clamp(0, 2 * span - 1).to(at::kInt);
        const auto* values = rows.const_data_ptr<std::int32_t>();
        return {values, values + rows.numel()};
    }

    RelativeTableSpec m_table;
    int m_heads;
    Weights m_weights;
};

} // namespace

std::int64_t spanOf(const RelativeTableSpec& table, std::int64_t tokens) {
    return table.spanFollowsLength ? std::min(table.span, tokens) : table.span;
}

std::unique_ptr<const PositionMaker> readDisentangled(const WeightLoader& loader, const AttentionSpec& spec,
                                                      const TransformerSpec& stack,
                                                      const MultiHeadAttention::Weights& weights) {
    HS_CHECK(stack.relativeTable.has_value());
    const auto& terms = std::get<Disentangled>(spec.position);
    const auto read = [&](const LinearSpec& term, const LinearSpec& own, const LinearWeights& present) {
        if (term.exists() && term.weight == own.weight) return present;
        return loader.linear(term, spec.heads * spec.headSize, stack.hiddenSize);
    };
    return std::make_unique<DisentangledMaker>(
        *stack.relativeTable, spec.heads,
        DisentangledMaker::Weights{read(terms.positionKey, spec.projections.key, weights.key),
                                   read(terms.positionQuery, spec.projections.query, weights.query)});
}

} // namespace headscope
