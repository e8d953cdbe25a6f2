// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/pair_rows.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace headscope {

namespace {

constexpr double kKeptMass = 0.2;
constexpr std::int64_t kKeysLeft = 4;
constexpr std::int64_t kStripRows = 64;
constexpr std::int64_t kStripCells = std::int64_t{1} << 24; ///< 64 MB, unless one row of all heads is more

} // namespace

std::vector<PairGroup> groupBySinks(std::span<const ComparedHead> heads, std::span<const HeadPair> pairs) {
    std::vector<std::vector<std::int64_t>> sinks;
    for (const ComparedHead& head : heads) {
        HS_CHECK(head.metrics != nullptr);
        sinks.push_back(head.metrics->columns.sinks());
    }
    std::map<std::vector<std::int64_t>, std::vector<HeadPair>> byKeys;
    for (const HeadPair& pair : pairs) {
        std::vector<std::int64_t> keys;
        std::set_union(sinks[pair.first].begin(), sinks[pair.first].end(), sinks[pair.second].begin(),
                       sinks[pair.second].end(), std::back_inserter(keys));
        byKeys[std::move(keys)].push_back(pair);
    }
    std::vector<PairGroup> groups;
    for (auto& [keys, members] : byKeys) groups.push_back({keys, std::move(members)});
    return groups;
}

double RestOfRow::keptBy(const HeadRow& head) const {
    double kept = head.totals.sum;
    for (const std::int64_t key : dropped) kept -= static_cast<double>(head.weights[key]);
    return kept;
}

bool RestOfRow::counts(double firstKept, double secondKept) const {
    return left >= kKeysLeft && firstKept >= kKeptMass && secondKept >= kKeptMass &&
           std::isfinite(firstKept + secondKept);
}

StripWalk::StripWalk(std::span<const ComparedHead> heads, const MaskRule& mask, std::vector<std::size_t> used)
    : m_heads(heads), m_mask(mask), m_used(std::move(used)), m_slots(heads.size()) {
    m_mask.check();
    for (std::size_t slot = 0; slot < m_used.size(); ++slot) {
        const ComparedHead& head = m_heads[m_used[slot]];
        HS_CHECK(head.map != nullptr && head.metrics != nullptr);
        HS_CHECK(head.map->extent() == (Extent{m_mask.queries, m_mask.keys}));
        if (const std::int64_t columns = head.metrics->columns.keys(); columns != 0)
            HS_CHECK_EQ(columns, m_mask.keys);
        m_slots[m_used[slot]] = slot;
    }
    const std::int64_t cellsOfRow = static_cast<std::int64_t>(m_used.size()) * m_mask.keys;
    m_height = std::clamp<std::int64_t>(kStripCells / std::max<std::int64_t>(cellsOfRow, 1), 1, kStripRows);
}

void StripWalk::planRows(Span queries) {
    m_queries = queries;
    m_columns = m_mask.reach(queries);
    m_rows.clear();
    for (std::int64_t query = queries.begin; query < queries.end; ++query) {
        if (!m_mask.isRealQuery(query)) continue;
        StripRow row;
        row.query = query;
        m_mask.visibleSpans(query, row.spans);
        for (Span& span : row.spans) {
            row.visible += span.size();
            span = {span.begin - m_columns.begin, span.end - m_columns.begin};
            row.end = span.end;
        }
        if (row.visible >= kMinimumVisibleKeys) m_rows.push_back(std::move(row));
    }
}

void StripWalk::loadHead(std::size_t slot, Span queries) {
    const std::int64_t cells = queries.size() * m_columns.size();
    float* weights = m_weights.data() + static_cast<std::int64_t>(slot) * cells;
    const MatrixView<float> strip(weights, queries.size(), m_columns.size());
    m_heads[m_used[slot]].map->tile(queries, m_columns, strip);
    for (std::size_t r = 0; r < m_rows.size(); ++r) {
        const StripRow& row = m_rows[r];
        float* cell = strip.row(row.query - queries.begin);
        WeightTotals totals;
        std::int64_t seen = 0;
        for (const Span& span : row.spans) {
            std::fill(cell + seen, cell + span.begin, 0.0F);
            seen = span.end;
            const WeightTotals part = pairPass().totals(cell + span.begin, span.size());
            totals.sum += part.sum;
            totals.weightedLog += part.weightedLog;
        }
        m_totals[slot * m_rows.size() + r] = totals;
    }
}

bool StripWalk::next(const CancelToken& cancel) {
    m_rows.clear();
    while (m_rows.empty() && m_next < m_mask.queries) {
        planRows({m_next, std::min(m_next + m_height, m_mask.queries)});
        m_next = m_queries.end;
    }
    if (m_rows.empty()) return false;
    m_weights.resize(m_used.size() * static_cast<std::size_t>(m_queries.size() * m_columns.size()));
    m_totals.resize(m_used.size() * m_rows.size());
    for (std::size_t slot = 0; slot < m_used.size(); ++slot) {
        cancel.throwIfCancelled();
        loadHead(slot, m_queries);
    }
    return true;
}

HeadRow StripWalk::at(std::size_t head, std::size_t row) const {
    const std::size_t slot = m_slots[head];
    const std::int64_t strip =
        static_cast<std::int64_t>(slot) * m_queries.size() + (m_rows[row].query - m_queries.begin);
    return {m_weights.data() + strip * m_columns.size(), m_totals[slot * m_rows.size() + row]};
}

void StripWalk::leaveOut(const std::vector<std::int64_t>& keys, std::size_t row, RestOfRow& out) const {
    out.dropped.clear();
    out.spans.clear();
    out.left = m_rows[row].visible;
    auto key = keys.begin();
    for (const Span& span : m_rows[row].spans) {
        std::int64_t begin = span.begin;
        for (; key != keys.end() && *key - m_columns.begin < span.end; ++key) {
            const std::int64_t place = *key - m_columns.begin;
            if (place < span.begin) continue;
            if (place > begin) out.spans.push_back({begin, place});
            out.dropped.push_back(place);
            --out.left;
            begin = place + 1;
        }
        if (begin < span.end) out.spans.push_back({begin, span.end});
    }
}

} // namespace headscope
