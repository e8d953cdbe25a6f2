// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/weighted_map.h"

#include "core/base/check.h"

#include <utility>

namespace headscope {

WeightedMap::WeightedMap(std::shared_ptr<const HeadMap> map, std::vector<float> factors)
    : m_map(std::move(map)), m_factors(std::move(factors)) {
    HS_CHECK_EQ(static_cast<std::int64_t>(m_factors.size()), m_map->extent().columns);
}

void WeightedMap::tile(Span rows, Span columns, MatrixView<float> out) const {
    m_map->tile(rows, columns, out);
    const float* const factors = m_factors.data() + columns.begin;
    for (std::int64_t r = 0; r < rows.size(); ++r)
        for (std::int64_t c = 0; c < columns.size(); ++c) out.at(r, c) *= factors[c];
}

void WeightedMap::visibleSpans(std::int64_t row, std::vector<Span>& out) const {
    m_map->visibleSpans(row, out);
}

} // namespace headscope
