// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/offset_metrics.h"

#include "core/base/check.h"
#include "core/diagnosis/row_pass.h"

#include <algorithm>
#include <cstdlib>

namespace headscope {

namespace {

constexpr std::int64_t kMinimumOffsetRows = 16;

bool sees(const RowView& row, std::int64_t key) {
    return std::any_of(row.spans.begin(), row.spans.end(),
                       [key](const Span& span) { return span.contains(key); });
}

std::int64_t clippedSize(const Span& span, std::int64_t begin, std::int64_t end) {
    return std::max<std::int64_t>(0, std::min(span.end, end) - std::max(span.begin, begin));
}

/// Sum of |j - own| over the keys of a span.
double distancesOf(const Span& span, std::int64_t own) {
    const auto triangle = [](std::int64_t n) {
        return 0.5 * static_cast<double>(n) * static_cast<double>(n + 1);
    };
    const auto upTo = [&](std::int64_t distance) { return distance <= 0 ? 0.0 : triangle(distance); };
    const std::int64_t last = span.end - 1;
    if (own < span.begin) return upTo(last - own) - upTo(span.begin - own - 1);
    if (own > last) return upTo(own - span.begin) - upTo(own - last - 1);
    return upTo(own - span.begin) + upTo(last - own);
}

/// Ascending, over -farthest..farthest, but at least over the near ones.
std::vector<OffsetMetrics::Bin> makeBins(std::int64_t farthest) {
    std::vector<OffsetMetrics::Bin> bins;
    for (std::int64_t offset = -OffsetMetrics::kNear; offset <= OffsetMetrics::kNear; ++offset)
        bins.push_back({offset, offset, 0.0});
    for (std::int64_t edge = OffsetMetrics::kNear; edge < farthest; edge *= 2) {
        const std::int64_t last = std::min(farthest, 2 * edge);
        bins.push_back({edge + 1, last, 0.0});
        bins.insert(bins.begin(), {-last, -edge - 1, 0.0});
    }
    return bins;
}

} // namespace

OffsetPlan::OffsetPlan(std::int64_t keys)
    : m_keys(keys), m_seen(static_cast<std::size_t>(2 * keys + 1)), m_bins(makeBins(keys - 1)) {
    const auto near = std::find_if(m_bins.begin(), m_bins.end(), [](const OffsetMetrics::Bin& bin) {
        return bin.first == -OffsetMetrics::kNear && bin.last == bin.first;
    });
    m_nearBegin = static_cast<std::size_t>(near - m_bins.begin());
}

void OffsetPlan::addRow(const RowView& row) {
    HS_CHECK(row.own >= 0);
    ++m_rows;
    std::int64_t near = 0;
    double distance = 0.0;
    for (const Span& span : row.spans) {
        near += clippedSize(span, row.own - OffsetMetrics::kLocal, row.own + OffsetMetrics::kLocal + 1);
        distance += distancesOf(span, row.own);
        // Differences at both ends of the range; finish() adds them up.
        ++m_seen[static_cast<std::size_t>(span.begin - row.own + m_keys)];
        --m_seen[static_cast<std::size_t>(span.end - row.own + m_keys)];
    }
    m_previous.add(sees(row, row.own - 1) ? 1 : 0, row.visible);
    m_next.add(sees(row, row.own + 1) ? 1 : 0, row.visible);
    m_self.add(sees(row, row.own) ? 1 : 0, row.visible);
    m_local.add(near, row.visible);
    m_distance += distance / static_cast<double>(row.visible);
}

void OffsetPlan::finish() {
    for (std::size_t i = 1; i < m_seen.size(); ++i) m_seen[i] += m_seen[i - 1];
}

std::size_t OffsetPlan::binOf(std::int64_t offset) const {
    const auto after =
        std::upper_bound(m_bins.begin(), m_bins.end(), offset,
                         [](std::int64_t value, const OffsetMetrics::Bin& bin) { return value < bin.first; });
    return static_cast<std::size_t>(after - m_bins.begin()) - 1;
}

void OffsetSums::add(const RowView& row, const OffsetPlan& plan) {
    if (m_bins.empty()) {
        m_bins.resize(plan.m_bins.size());
        m_modes.resize(plan.m_seen.size());
    }
    const RowPass& pass = rowPass();
    const std::int64_t own = row.own;
    for (const Span& span : row.spans) {
        // The near part is a window of the row that slides with it; beyond it a few long stretches.
        const std::int64_t nearBegin = std::clamp(own - OffsetMetrics::kNear, span.begin, span.end);
        const std::int64_t nearEnd = std::clamp(own + OffsetMetrics::kNear + 1, span.begin, span.end);
        if (nearBegin < nearEnd)
            pass.addTo(m_bins.data() + plan.m_nearBegin +
                           static_cast<std::size_t>(nearBegin - own + OffsetMetrics::kNear),
                       row.weights + nearBegin, nearEnd - nearBegin);
        for (const Span& far : {Span{span.begin, nearBegin}, Span{nearEnd, span.end}}) {
            for (std::int64_t begin = far.begin; begin < far.end;) {
                const std::size_t bin = plan.binOf(begin - own);
                const std::int64_t end = std::min(far.end, plan.m_bins[bin].last + own + 1);
                const StretchMoments part = pass.moments(row.weights + begin, end - begin);
                m_bins[bin] += part.mass;
                // Distances grow away from the query: downwards on its left, upwards on its right.
                m_farDistance += static_cast<double>(std::llabs(begin - own)) * part.mass +
                                 (begin < own ? -part.first : part.first);
                begin = end;
            }
        }
    }
    if (row.mode >= 0) ++m_modes[static_cast<std::size_t>(row.mode - own + plan.m_keys)];
}

OffsetMetrics OffsetSums::result(const OffsetPlan& plan) const {
    OffsetMetrics metrics;
    metrics.histogram = plan.m_bins;
    if (plan.m_rows == 0 || m_bins.empty()) return metrics;
    const auto rows = static_cast<double>(plan.m_rows);
    const auto nearSum = [&](std::int64_t offset) {
        return m_bins[plan.m_nearBegin + static_cast<std::size_t>(offset + OffsetMetrics::kNear)];
    };
    double local = 0.0;
    double distanceSum = m_farDistance;
    for (std::int64_t offset = -OffsetMetrics::kNear; offset <= OffsetMetrics::kNear; ++offset) {
        if (std::llabs(offset) <= OffsetMetrics::kLocal) local += nearSum(offset);
        distanceSum += static_cast<double>(std::llabs(offset)) * nearSum(offset);
    }
    metrics.previous = plan.m_previous.with(nearSum(-1));
    metrics.next = plan.m_next.with(nearSum(1));
    metrics.self = plan.m_self.with(nearSum(0));
    metrics.local = plan.m_local.with(local);
    metrics.meanDistance = distanceSum / rows;
    metrics.evenDistance = plan.m_distance / rows;
    for (std::size_t i = 0; i < m_bins.size(); ++i) metrics.histogram[i].mass = m_bins[i] / rows;

    const auto shareAt = [&](std::int64_t offset) {
        const auto at = static_cast<std::size_t>(offset + plan.m_keys);
        if (offset + plan.m_keys < 0 || at >= plan.m_seen.size() || plan.m_seen[at] == 0) return 0.0;
        return static_cast<double>(m_modes[at]) / static_cast<double>(plan.m_seen[at]);
    };
    metrics.previousShare = shareAt(-1);
    metrics.nextShare = shareAt(1);
    metrics.selfShare = shareAt(0);
    // In the order in which ties are decided: near before far, earlier before later.
    const auto reach = static_cast<std::int64_t>(plan.m_seen.size());
    for (std::int64_t distance = 0; distance < reach; ++distance)
        for (const std::int64_t offset : {-distance, distance}) {
            const std::int64_t at = offset + plan.m_keys;
            if (at < 0 || at >= reach) continue;
            const std::int64_t seen = plan.m_seen[static_cast<std::size_t>(at)];
            if (seen < kMinimumOffsetRows || 4 * seen < plan.m_rows) continue;
            const double share = shareAt(offset);
            if (!metrics.mode || share > metrics.mode->share)
                metrics.mode = OffsetMetrics::Mode{.offset = offset, .rows = seen, .share = share};
        }
    if (metrics.mode && std::llabs(metrics.mode->offset) <= OffsetMetrics::kNear)
        metrics.mode->mass = nearSum(metrics.mode->offset) / static_cast<double>(metrics.mode->rows);
    return metrics;
}

} // namespace headscope
