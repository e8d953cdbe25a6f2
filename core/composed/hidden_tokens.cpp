// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/hidden_tokens.h"

#include "core/composed/span_sets.h"

#include <algorithm>
#include <utility>

namespace headscope {

HiddenTokens::HiddenTokens(std::shared_ptr<const HeadMap> map, std::vector<Span> queries,
                           std::vector<Span> keys)
    : m_map(std::move(map)), m_queries(united(queries, {})), m_keys(united(keys, {})) {}

bool HiddenTokens::isHidden(std::int64_t query) const {
    return std::ranges::any_of(m_queries, [query](const Span& span) { return span.contains(query); });
}

void HiddenTokens::tile(Span rows, Span columns, MatrixView<float> out) const {
    m_map->tile(rows, columns, out);
    for (std::int64_t r = 0; r < rows.size(); ++r) {
        if (isHidden(rows.begin + r)) {
            std::fill_n(out.row(r), columns.size(), 0.0F);
            continue;
        }
        for (const Span& span : m_keys) {
            const std::int64_t begin = std::max(span.begin, columns.begin);
            const std::int64_t end = std::min(span.end, columns.end);
            if (begin < end)
                std::fill(out.row(r) + begin - columns.begin, out.row(r) + end - columns.begin, 0.0F);
        }
    }
}

void HiddenTokens::visibleSpans(std::int64_t row, std::vector<Span>& out) const {
    if (isHidden(row)) {
        out.clear();
        return;
    }
    m_map->visibleSpans(row, out);
    out = without(out, m_keys);
}

} // namespace headscope
