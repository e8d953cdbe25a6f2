// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/tensor_scores.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

/// [keys, headSize], the rows of the panels, on the CPU.
at::Tensor rowsOf(const KeyPanels& panels) {
    const std::int64_t count = (panels.keys() + KeyPanels::kLanes - 1) / KeyPanels::kLanes;
    // from_blob takes no const memory; the tensor is only read, and copied before it leaves.
    const at::Tensor packed = at::from_blob(const_cast<float*>(panels.panel(0)), // NOLINT
                                            {count, panels.headSize(), KeyPanels::kLanes}, at::kFloat);
    return packed.transpose(1, 2).reshape({-1, panels.headSize()}).narrow(0, 0, panels.keys());
}

template <typename Number>
at::Tensor tensorOf(const std::vector<Number>& numbers, const at::Tensor& like) {
    return at::tensor(numbers).to(like.device());
}

/// The products in `row` order of each matrix, [heads, n, table rows] -> [heads, n, m], by the `rows` [n, m].
at::Tensor lookUp(const at::Tensor& products, const at::Tensor& rows) {
    return products.gather(2, rows.unsqueeze(0).expand({products.size(0), -1, -1}));
}

/// The stretch of table rows that some distances need: [lowest, lowest + count).
std::pair<std::int64_t, std::int64_t> stretchOf(const at::Tensor& rows) {
    const auto lowest = rows.min().item<std::int64_t>();
    return {lowest, rows.max().item<std::int64_t>() - lowest + 1};
}

} // namespace

at::Tensor headsFirst(const at::Tensor& tensor, const AttentionShape& shape, int count) {
    const at::Tensor split =
        tensor.contiguous().view({tensor.size(0), count, shape.headSize}).transpose(0, 1);
    return count == shape.heads ? split : split.repeat_interleave(shape.heads / count, 0);
}

TensorScores::TensorScores(const AttentionShape& shape, const ProjectedHeads& heads, const ScoreRule& rule)
    : m_rule(rule), m_queries(headsFirst(heads.queries, shape, shape.heads)),
      m_keys(headsFirst(heads.keys, shape, shape.keyValueHeads)) {
    if (!rule.position) return;
    const PositionTerms& position = *rule.position;
    const std::int64_t count = shape.heads;
    m_queryProduct = productOf(position.query);
    m_keyProduct = productOf(position.key);
    if (!position.keyBias.empty()) m_keyBias = tensorOf(position.keyBias, m_keys).view({count, 1, -1});
    if (!position.distanceBias.empty())
        m_distanceBias = tensorOf(position.distanceBias, m_keys).view({count, -1});
    if (position.segment.empty()) return;
    m_querySegments = tensorOf(position.segment.ofQuery, m_keys).view({-1, 1});
    m_keySegments = tensorOf(position.segment.ofKey, m_keys).view({1, -1});
    m_sameSegment = tensorOf(position.segment.same, m_keys).view({count, -1, 1});
    m_otherSegment = tensorOf(position.segment.other, m_keys).view({count, -1, 1});
}

TensorScores::Product TensorScores::productOf(const RelativeProduct& product) const {
    if (product.empty() || product.rowOf.empty()) return {};
    // Tables may differ in length; none is read beyond the highest row of rowOf.
    const std::int64_t rows = *std::max_element(product.rowOf.begin(), product.rowOf.end()) + 1;
    std::vector<at::Tensor> tables;
    for (const auto& table : product.tables) tables.push_back(rowsOf(*table).narrow(0, 0, rows));
    return {.tables = at::stack(tables).to(m_keys.device()),
            .rowOf = tensorOf(product.rowOf, m_keys).to(at::kLong),
            .scale = product.scale};
}

/// [rows.size(), keys.size()]: where a pair stands in an array over distances.
at::Tensor TensorScores::distances(Span rows, Span keys) const {
    const at::TensorOptions whole = m_keys.options().dtype(at::kLong);
    return at::arange(keys.begin, keys.end, whole).view({1, -1}) -
           at::arange(rows.begin, rows.end, whole).view({-1, 1}) + (m_rule.mask.queries - 1);
}

void TensorScores::addQueryProduct(at::Tensor& scores, Span rows) const {
    const at::Tensor chosen = m_queryProduct.rowOf.index({distances(rows, {0, scores.size(2)})});
    const auto [lowest, count] = stretchOf(chosen);
    const at::Tensor table = m_queryProduct.tables.narrow(1, lowest, count);
    const at::Tensor products =
        at::matmul(m_queries.narrow(1, rows.begin, rows.size()), table.transpose(1, 2));
    scores.add_(lookUp(products.mul_(m_queryProduct.scale), chosen - lowest));
}

/// In blocks of as many keys as there are rows, so that the products of a block's keys with the table rows of
/// its distances stay of the scores' size.
void TensorScores::addKeyProduct(at::Tensor& scores, Span rows) const {
    const std::int64_t step = std::max<std::int64_t>(rows.size(), 16);
    for (std::int64_t begin = 0; begin < scores.size(2); begin += step) {
        const Span keys{begin, std::min(begin + step, scores.size(2))};
        const at::Tensor chosen = m_keyProduct.rowOf.index({distances(rows, keys)}).t();
        const auto [lowest, count] = stretchOf(chosen);
        const at::Tensor table = m_keyProduct.tables.narrow(1, lowest, count);
        const at::Tensor products = at::matmul(m_keys.narrow(1, begin, keys.size()), table.transpose(1, 2));
        scores.narrow(2, begin, keys.size())
            .add_(lookUp(products.mul_(m_keyProduct.scale), chosen - lowest).transpose(1, 2));
    }
}

at::Tensor TensorScores::rows(Span rows) const {
    at::Tensor scores =
        at::matmul(m_queries.narrow(1, rows.begin, rows.size()), m_keys.transpose(1, 2)).mul_(m_rule.scale);
    if (scores.numel() == 0) return scores;
    if (m_queryProduct.tables.defined()) addQueryProduct(scores, rows);
    if (m_keyProduct.tables.defined()) addKeyProduct(scores, rows);
    if (m_keyBias.defined()) scores.add_(m_keyBias);
    if (m_distanceBias.defined())
        scores.add_(m_distanceBias.index({at::indexing::Slice(), distances(rows, {0, scores.size(2)})}));
    if (m_keySegments.defined()) {
        const auto own = [&](const at::Tensor& ofQueries) {
            return ofQueries.narrow(1, rows.begin, rows.size());
        };
        const at::Tensor same = m_querySegments.narrow(0, rows.begin, rows.size()).eq(m_keySegments);
        scores.add_(at::where(same, own(m_sameSegment), own(m_otherSegment)));
    }
    if (m_rule.softCap) scores.div_(*m_rule.softCap).tanh_().mul_(*m_rule.softCap);
    return scores;
}

} // namespace headscope
