// SPDX-License-Identifier: GPL-3.0-or-later
// BERT's relative_key and relative_key_query (Shaw et al. 2018; Huang et al. 2020).
#include "core/model/position/position_maker.h"

namespace headscope {

namespace {

class RelativeKeyMaker final : public PositionMaker {
  public:
    RelativeKeyMaker(RelativeKey relative, int heads, at::Tensor table)
        : m_relative(std::move(relative)), m_heads(heads), m_table(std::move(table)) {}

    std::shared_ptr<const PositionTerms> make(const TermContext& context) const override {
        RelativeProduct product;
        product.tables.assign(static_cast<std::size_t>(m_heads), panelsByHead(m_table, 1).front());
        product.rowOf = rowsByDistance(
            context, [&](std::int64_t distance) { return m_relative.maxPositions - 1 - distance; });
        product.scale = m_relative.scaled ? context.scale : 1.0F;
        auto terms = std::make_shared<PositionTerms>();
        if (m_relative.withKey) terms->key = product;
        terms->query = std::move(product);
        return terms;
    }

  private:
    RelativeKey m_relative;
    int m_heads;
    at::Tensor m_table; ///< [2 * maxPositions - 1, headSize], row i - j + maxPositions - 1
};

} // namespace

std::unique_ptr<const PositionMaker> readRelativeKey(const WeightLoader& loader, const RelativeKey& relative,
                                                     const AttentionSpec& spec) {
    return std::make_unique<RelativeKeyMaker>(
        relative, spec.heads, loader.matrix(relative.table, 2 * relative.maxPositions - 1, spec.headSize));
}

} // namespace headscope
