// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/combined_heads.h"

#include "core/base/check.h"
#include "core/composed/span_sets.h"

#include <algorithm>
#include <utility>

namespace headscope {

CombinedHeads::CombinedHeads(std::vector<std::shared_ptr<const HeadMap>> heads, CombineHeads how)
    : m_heads(std::move(heads)), m_how(how) {
    HS_CHECK(!m_heads.empty());
    for (const auto& head : m_heads) HS_CHECK(head->extent() == m_heads.front()->extent());
}

void CombinedHeads::tile(Span rows, Span columns, MatrixView<float> out) const {
    const auto width = static_cast<std::size_t>(columns.size());
    std::vector<double> sums(m_how == CombineHeads::Mean ? width : 0);
    std::vector<float> weights(width);
    const MatrixView<float> one(weights.data(), 1, columns.size());
    const auto count = static_cast<double>(m_heads.size());
    for (std::int64_t r = 0; r < rows.size(); ++r) {
        const Span row{rows.begin + r, rows.begin + r + 1};
        float* const cells = out.row(r);
        if (m_how == CombineHeads::Max) {
            std::fill_n(cells, width, 0.0F);
            for (const auto& head : m_heads) {
                head->tile(row, columns, one);
                for (std::size_t c = 0; c < width; ++c) cells[c] = std::max(cells[c], weights[c]);
            }
            continue;
        }
        std::ranges::fill(sums, 0.0);
        for (const auto& head : m_heads) {
            head->tile(row, columns, one);
            for (std::size_t c = 0; c < width; ++c) sums[c] += weights[c];
        }
        for (std::size_t c = 0; c < width; ++c) cells[c] = static_cast<float>(sums[c] / count);
    }
}

void CombinedHeads::visibleSpans(std::int64_t row, std::vector<Span>& out) const {
    m_heads.front()->visibleSpans(row, out);
    std::vector<Span> more;
    for (std::size_t h = 1; h < m_heads.size(); ++h) {
        m_heads[h]->visibleSpans(row, more);
        if (more != out) out = united(out, more);
    }
}

} // namespace headscope
