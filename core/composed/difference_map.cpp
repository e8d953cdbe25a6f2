// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/difference_map.h"

#include "core/base/check.h"
#include "core/composed/span_sets.h"

#include <utility>
#include <vector>

namespace headscope {

DifferenceMap::DifferenceMap(std::shared_ptr<const HeadMap> first, std::shared_ptr<const HeadMap> second)
    : m_first(std::move(first)), m_second(std::move(second)) {
    HS_CHECK(m_first->extent() == m_second->extent());
}

void DifferenceMap::tile(Span rows, Span columns, MatrixView<float> out) const {
    m_first->tile(rows, columns, out);
    std::vector<float> other(static_cast<std::size_t>(rows.size() * columns.size()));
    const MatrixView<float> weights(other.data(), rows.size(), columns.size());
    m_second->tile(rows, columns, weights);
    for (std::int64_t r = 0; r < rows.size(); ++r)
        for (std::int64_t c = 0; c < columns.size(); ++c) out.at(r, c) -= weights.at(r, c);
}

void DifferenceMap::visibleSpans(std::int64_t row, std::vector<Span>& out) const {
    std::vector<Span> other;
    m_first->visibleSpans(row, out);
    m_second->visibleSpans(row, other);
    if (other != out) out = united(out, other);
}

} // namespace headscope
