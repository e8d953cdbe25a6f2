// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/grouped_map.h"

#include "core/base/check.h"
#include "core/composed/span_sets.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

void checkGroups(const std::vector<Span>& groups, std::int64_t tokens) {
    std::int64_t at = 0;
    for (const Span& group : groups) {
        HS_CHECK_EQ(group.begin, at);
        HS_CHECK(group.size() > 0);
        at = group.end;
    }
    HS_CHECK_EQ(at, tokens);
}

const Span& groupOf(const std::vector<Span>& groups, std::int64_t index) {
    return groups[static_cast<std::size_t>(index)];
}

} // namespace

GroupedMap::GroupedMap(std::shared_ptr<const HeadMap> map, std::vector<Span> queryGroups,
                       std::vector<Span> keyGroups)
    : m_map(std::move(map)), m_queryGroups(std::move(queryGroups)), m_keyGroups(std::move(keyGroups)) {
    checkGroups(m_queryGroups, m_map->extent().rows);
    checkGroups(m_keyGroups, m_map->extent().columns);
}

Extent GroupedMap::extent() const {
    return {static_cast<std::int64_t>(m_queryGroups.size()), static_cast<std::int64_t>(m_keyGroups.size())};
}

void GroupedMap::tile(Span rows, Span columns, MatrixView<float> out) const {
    if (rows.size() == 0 || columns.size() == 0) return;
    const Span keys{groupOf(m_keyGroups, columns.begin).begin, groupOf(m_keyGroups, columns.end - 1).end};
    std::vector<float> weights(static_cast<std::size_t>(keys.size()));
    const MatrixView<float> one(weights.data(), 1, keys.size());
    std::vector<double> sums(static_cast<std::size_t>(columns.size()));
    for (std::int64_t r = 0; r < rows.size(); ++r) {
        const Span& queries = groupOf(m_queryGroups, rows.begin + r);
        std::ranges::fill(sums, 0.0);
        for (std::int64_t query = queries.begin; query < queries.end; ++query) {
            m_map->tile({query, query + 1}, keys, one);
            for (std::int64_t c = 0; c < columns.size(); ++c) {
                const Span& group = groupOf(m_keyGroups, columns.begin + c);
                for (std::int64_t key = group.begin; key < group.end; ++key)
                    sums[static_cast<std::size_t>(c)] += weights[static_cast<std::size_t>(key - keys.begin)];
            }
        }
        const auto count = static_cast<double>(queries.size());
        for (std::int64_t c = 0; c < columns.size(); ++c)
            out.at(r, c) = static_cast<float>(sums[static_cast<std::size_t>(c)] / count);
    }
}

void GroupedMap::visibleSpans(std::int64_t row, std::vector<Span>& out) const {
    out.clear();
    std::vector<Span> keys;
    std::vector<Span> groups;
    const Span& queries = groupOf(m_queryGroups, row);
    for (std::int64_t query = queries.begin; query < queries.end; ++query) {
        m_map->visibleSpans(query, keys);
        groups.clear();
        for (const Span& span : keys) {
            const auto first = std::ranges::upper_bound(m_keyGroups, span.begin, {}, &Span::begin) - 1;
            const auto end = std::ranges::lower_bound(m_keyGroups, span.end, {}, &Span::begin);
            groups.push_back({first - m_keyGroups.begin(), end - m_keyGroups.begin()});
        }
        out = united(out, groups);
    }
}

} // namespace headscope
