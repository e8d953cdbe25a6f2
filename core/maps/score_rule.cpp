// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/score_rule.h"

#include "core/base/check.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace headscope {

namespace {

template <typename T>
std::size_t bytesOf(const std::vector<T>& numbers) {
    return numbers.size() * sizeof(T);
}

template <typename T>
void checkSize(const std::vector<T>& numbers, std::int64_t size) {
    HS_CHECK_EQ(static_cast<std::int64_t>(numbers.size()), size);
}

void checkProduct(const RelativeProduct& product, int heads, std::int64_t headSize, std::int64_t distances) {
    if (product.empty()) return;
    HS_CHECK_EQ(static_cast<std::int64_t>(product.tables.size()), heads);
    checkSize(product.rowOf, distances);
    const auto [lowest, highest] = std::minmax_element(product.rowOf.begin(), product.rowOf.end());
    for (const auto& table : product.tables) {
        HS_CHECK(table != nullptr);
        HS_CHECK_EQ(table->headSize(), headSize);
        if (product.rowOf.empty()) continue;
        HS_CHECK_LE(0, *lowest);
        HS_CHECK_LT(*highest, table->keys());
    }
    bool rises = false;
    bool falls = false;
    for (std::size_t i = 1; i < product.rowOf.size(); ++i) {
        const std::int32_t step = product.rowOf[i] - product.rowOf[i - 1];
        HS_CHECK_LE(std::abs(step), 1);
        rises = rises || step > 0;
        falls = falls || step < 0;
    }
    HS_CHECK(!(rises && falls));
}

} // namespace

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

bool MaskRule::isCounted(std::int64_t query) const {
    return isRealQuery(query) && visibleCount(query) >= kMinimumVisibleKeys;
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

std::size_t PositionTerms::bytes() const {
    std::size_t total = bytesOf(query.rowOf) + bytesOf(key.rowOf) + bytesOf(keyBias) + bytesOf(distanceBias);
    total +=
        bytesOf(segment.ofQuery) + bytesOf(segment.ofKey) + bytesOf(segment.same) + bytesOf(segment.other);
    std::set<const KeyPanels*> tables;
    for (const RelativeProduct* product : {&query, &key})
        for (const auto& table : product->tables)
            if (tables.insert(table.get()).second) total += table->bytes();
    return total;
}

void PositionTerms::check(int heads, std::int64_t headSize, const MaskRule& mask) const {
    const std::int64_t distances = std::max<std::int64_t>(mask.queries + mask.keys - 1, 0);
    checkProduct(query, heads, headSize, distances);
    checkProduct(key, heads, headSize, distances);
    if (!keyBias.empty()) checkSize(keyBias, heads * mask.keys);
    if (!distanceBias.empty()) checkSize(distanceBias, heads * distances);
    if (segment.empty()) return;
    checkSize(segment.ofQuery, mask.queries);
    checkSize(segment.ofKey, mask.keys);
    checkSize(segment.same, heads * mask.queries);
    checkSize(segment.other, heads * mask.queries);
}

void ScoreRule::check(int heads, std::int64_t headSize) const {
    mask.check();
    if (position) position->check(heads, headSize, mask);
    if (softCap) HS_CHECK_LT(0.0F, *softCap);
    if (!sinks.empty()) checkSize(sinks, heads);
}

} // namespace headscope
