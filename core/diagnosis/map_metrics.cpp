// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/map_metrics.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

namespace headscope {

namespace {

/// Fewer content columns make the four heaviest nothing special.
constexpr std::size_t kFewestColumns = 5;
constexpr double kHeldMass = 0.5;

void measureModeMass(OffsetMetrics::Mode& mode, const MappedHead& head) {
    if (mode.mass || mode.share < OffsetMetrics::Mode::kOfInterest) return;
    double mass = 0.0;
    for (std::int64_t query = 0; query < head.mask.queries; ++query) {
        const std::int64_t key = query + head.mask.queryOffset + mode.offset;
        if (key < 0 || key >= head.mask.keys || !head.mask.isCounted(query)) continue;
        if (head.mask.visible(query, key)) mass += static_cast<double>(head.map.cell(query, key));
    }
    mode.mass = mass / static_cast<double>(mode.rows);
}

std::vector<std::int64_t> candidatesOf(const ColumnTable& columns, const TokenFacts* facts) {
    std::vector<std::int64_t> candidates;
    for (std::int64_t key = 0; key < columns.keys(); ++key) {
        const bool isContent = facts != nullptr
                                   ? facts->classes[static_cast<std::size_t>(key)] == TokenClass::Content
                                   : key != 0;
        if (isContent && columns.counts(key)) candidates.push_back(key);
    }
    return candidates;
}

/// The weights of a few columns, read for all rows at once, or cell by cell where few rows are asked for: the
/// same bits.
class Columns {
  public:
    Columns(const HeadMap& map, std::span<const std::int64_t> keys, std::size_t rows) : m_map(map) {
        constexpr std::size_t kCellCost = 4; // a lone cell costs as much as so many of a column
        if (kCellCost * rows < static_cast<std::size_t>(map.extent().rows)) return;
        for (const std::int64_t key : keys) m_columns.emplace(key, map.column(key));
    }
    float at(std::int64_t row, std::int64_t key) const {
        return m_columns.empty() ? m_map.cell(row, key) : m_columns.at(key)[static_cast<std::size_t>(row)];
    }

  private:
    const HeadMap& m_map;
    std::map<std::int64_t, std::vector<float>> m_columns;
};

/// False only where the row's peak alone shows that four keys, its own not among them, cannot hold kHeldMass.
bool mayHold(const RowPeak& peak, std::span<const std::int64_t> keys, std::int64_t own) {
    const auto weight = static_cast<double>(peak.weight);
    if (static_cast<double>(keys.size()) * weight < kHeldMass) return false; // none is above the peak
    const bool isThere = peak.key != own && std::find(keys.begin(), keys.end(), peak.key) != keys.end();
    // Elsewhere the peak takes its share away. Its key comes within 1e-4 of it, and so does the row of 1.
    constexpr double kSlack = 1e-4;
    return isThere || 1.0 + kSlack - (1.0 - kSlack) * weight >= kHeldMass;
}

std::optional<BroadcastMetrics> broadcastOf(const HeadMetrics& metrics, const MappedHead& head) {
    const std::vector<std::int64_t> keys = candidatesOf(metrics.columns, head.facts);
    if (keys.size() < kFewestColumns) return std::nullopt;
    const auto total = [&](std::int64_t key) {
        return metrics.columns.mass[static_cast<std::size_t>(key)] *
               static_cast<double>(metrics.columns.plan->rows(key));
    };
    BroadcastMetrics broadcast;
    std::partial_sort_copy(keys.begin(), keys.end(), broadcast.columns.begin(), broadcast.columns.end(),
                           [&](std::int64_t one, std::int64_t other) {
                               const double difference = total(one) - total(other);
                               return difference != 0.0 ? difference > 0.0 : one < other;
                           });
    const auto ownOf = [&](std::int64_t query) {
        return head.selfAttention ? query + head.mask.queryOffset : -1;
    };
    const auto counts = [&](std::int64_t query, std::int64_t key) {
        return key != ownOf(query) && head.mask.visible(query, key);
    };
    std::vector<std::int64_t> open; // rows that must be read
    for (std::int64_t query = 0; query < head.mask.queries; ++query) {
        if (!head.mask.isCounted(query)) continue;
        const auto& columns = broadcast.columns;
        if (std::none_of(columns.begin(), columns.end(), [&](auto key) { return counts(query, key); }))
            continue;
        ++broadcast.rows;
        if (head.peaks.empty() || mayHold(head.peaks[static_cast<std::size_t>(query)], columns, ownOf(query)))
            open.push_back(query);
    }
    if (broadcast.rows == 0) return broadcast;
    const Columns weights(head.map, broadcast.columns, open.size());
    const auto holding = std::count_if(open.begin(), open.end(), [&](std::int64_t query) {
        double mass = 0.0;
        for (const std::int64_t key : broadcast.columns)
            if (counts(query, key)) mass += static_cast<double>(weights.at(query, key));
        return mass >= kHeldMass;
    });
    broadcast.share = static_cast<double>(holding) / static_cast<double>(broadcast.rows);
    return broadcast;
}

} // namespace

void measureOnMap(HeadMetrics& metrics, const MappedHead& head) {
    if (metrics.offsets && metrics.offsets->mode) measureModeMass(*metrics.offsets->mode, head);
    if (metrics.column) metrics.broadcast = broadcastOf(metrics, head);
}

} // namespace headscope
