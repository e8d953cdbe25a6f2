// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/map_metrics.h"

#include <algorithm>
#include <vector>

namespace headscope {

namespace {

/// Fewer content columns make the four heaviest nothing special.
constexpr std::size_t kFewestColumns = 5;
constexpr double kHeldMass = 0.5;

bool isRowOfR(const MaskRule& mask, std::int64_t query) {
    return mask.isRealQuery(query) && mask.visibleCount(query) >= kMinimumVisibleKeys;
}

void measureModeMass(OffsetMetrics::Mode& mode, const MappedHead& head) {
    if (mode.mass || mode.share < OffsetMetrics::Mode::kOfInterest) return;
    double mass = 0.0;
    for (std::int64_t query = 0; query < head.mask.queries; ++query) {
        const std::int64_t key = query + head.mask.queryOffset + mode.offset;
        if (key < 0 || key >= head.mask.keys || !isRowOfR(head.mask, query)) continue;
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

std::optional<BroadcastMetrics> broadcastOf(const HeadMetrics& metrics, const MappedHead& head) {
    std::vector<std::int64_t> keys = candidatesOf(metrics.columns, head.facts);
    if (keys.size() < kFewestColumns) return std::nullopt;
    const auto total = [&](std::int64_t key) {
        return metrics.columns.mass[static_cast<std::size_t>(key)] *
               static_cast<double>(metrics.columns.plan->rows(key));
    };
    std::stable_sort(keys.begin(), keys.end(),
                     [&](std::int64_t one, std::int64_t other) { return total(one) > total(other); });
    BroadcastMetrics broadcast;
    std::copy_n(keys.begin(), broadcast.columns.size(), broadcast.columns.begin());
    std::vector<std::vector<float>> weights;
    for (const std::int64_t key : broadcast.columns) weights.push_back(head.map.column(key));
    std::int64_t holding = 0;
    for (std::int64_t query = 0; query < head.mask.queries; ++query) {
        if (!isRowOfR(head.mask, query)) continue;
        const std::int64_t own = head.selfAttention ? query + head.mask.queryOffset : -1;
        bool sees = false;
        double mass = 0.0;
        for (std::size_t c = 0; c < weights.size(); ++c) {
            const std::int64_t key = broadcast.columns[c];
            if (key == own || !head.mask.visible(query, key)) continue;
            sees = true;
            mass += static_cast<double>(weights[c][static_cast<std::size_t>(query)]);
        }
        if (!sees) continue;
        ++broadcast.rows;
        if (mass >= kHeldMass) ++holding;
    }
    if (broadcast.rows > 0)
        broadcast.share = static_cast<double>(holding) / static_cast<double>(broadcast.rows);
    return broadcast;
}

} // namespace

void measureOnMap(HeadMetrics& metrics, const MappedHead& head) {
    if (metrics.offsets && metrics.offsets->mode) measureModeMass(*metrics.offsets->mode, head);
    if (metrics.column) metrics.broadcast = broadcastOf(metrics, head);
}

} // namespace headscope
