// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/score_rule.h"

#include "core/base/check.h"

#include <algorithm>

namespace headscope {

Span MaskRule::reach(std::int64_t query) const {
    const std::int64_t position = query + queryOffset;
    std::int64_t begin = 0;
    std::int64_t end = keys;
    if (causal) end = std::min(end, position + 1);
    if (window) {
        begin = std::max(begin, position - *window + 1);
        if (!causal) end = std::min(end, position + *window);
    }
    begin = std::min(begin, keys);
    return {begin, std::max(begin, end)};
}

Span MaskRule::reach(Span rows) const {
    if (rows.size() <= 0) return {0, 0};
    // Both ends of reach() never fall as the query rises, so the first and the last row bound them all.
    const std::int64_t begin = reach(rows.begin).begin;
    return {begin, std::max(begin, reach(rows.end - 1).end)};
}

bool MaskRule::visible(std::int64_t query, std::int64_t key) const {
    if (!reach(query).contains(key)) return false;
    if (!keyAllowed.empty() && keyAllowed[static_cast<std::size_t>(key)] == 0) return false;
    return !allowed || (*allowed)[static_cast<std::size_t>(query * keys + key)] != 0;
}

void MaskRule::visibleSpans(std::int64_t query, std::vector<Span>& out) const {
    out.clear();
    const Span range = reach(query);
    if (range.size() <= 0) return;
    const std::uint8_t* padding = keyAllowed.empty() ? nullptr : keyAllowed.data();
    const std::uint8_t* given = allowed ? allowed->data() + query * keys : nullptr;
    if (padding == nullptr && given == nullptr) {
        out.push_back(range);
        return;
    }
    std::int64_t open = -1;
    for (std::int64_t key = range.begin; key < range.end; ++key) {
        const bool seen = (padding == nullptr || padding[key] != 0) && (given == nullptr || given[key] != 0);
        if (seen && open < 0) open = key;
        if (!seen && open >= 0) {
            out.push_back({open, key});
            open = -1;
        }
    }
    if (open >= 0) out.push_back({open, range.end});
}

std::int64_t MaskRule::visibleCount(std::int64_t query) const {
    if (keyAllowed.empty() && !allowed) return reach(query).size();
    std::vector<Span> spans;
    visibleSpans(query, spans);
    std::int64_t count = 0;
    for (const Span span : spans) count += span.size();
    return count;
}

bool MaskRule::isRealQuery(std::int64_t query) const {
    return queryAllowed.empty() || queryAllowed[static_cast<std::size_t>(query)] != 0;
}

void MaskRule::check() const {
    HS_CHECK_LE(0, queries);
    HS_CHECK_LE(0, keys);
    HS_CHECK_LE(0, queryOffset);
    if (window) HS_CHECK_LE(1, *window);
    if (!keyAllowed.empty()) HS_CHECK_EQ(static_cast<std::int64_t>(keyAllowed.size()), keys);
    if (!queryAllowed.empty()) HS_CHECK_EQ(static_cast<std::int64_t>(queryAllowed.size()), queries);
    if (allowed) HS_CHECK_EQ(static_cast<std::int64_t>(allowed->size()), queries * keys);
}

} // namespace headscope
