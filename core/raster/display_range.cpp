// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/display_range.h"

#include "core/base/check.h"
#include "core/raster/row_maximum.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <system_error>

namespace headscope {

namespace {

std::optional<float> parseFinite(std::string_view text) {
    float value = 0.0F;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

/// Nearest rank: the smallest value that at least 95 of 100 do not exceed.
float upperPercentile(std::vector<float> values) {
    if (values.empty()) return 0.0F;
    const std::size_t rank = (values.size() * 95 + 99) / 100;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(rank - 1);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

float evenWeightOf(std::int64_t visible, std::int64_t rows) {
    return visible > 0 ? static_cast<float>(static_cast<double>(rows) / static_cast<double>(visible)) : 0.0F;
}

} // namespace

std::optional<DisplayRange> parseRange(std::string_view text) {
    if (text == "auto") return DisplayRange{};
    if (text == "row") return DisplayRange{RangeMode::PerRow};
    if (text == "log") return DisplayRange{RangeMode::Log};
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto low = parseFinite(text.substr(0, colon));
    const auto high = parseFinite(text.substr(colon + 1));
    // The second condition: two ends so far apart that their distance is no float any more.
    if (!low || !high || !(*low < *high) || !std::isfinite(*high - *low)) return std::nullopt;
    return DisplayRange{RangeMode::Fixed, *low, *high};
}

std::string textOf(const DisplayRange& range) {
    switch (range.mode) {
    case RangeMode::Auto:
        return "auto";
    case RangeMode::PerRow:
        return "row";
    case RangeMode::Log:
        return "log";
    case RangeMode::Fixed:
        return fmt::format("{}:{}", range.low, range.high);
    }
    detail::checkFailed(__FILE__, __LINE__, "unknown range mode");
}

RangeAccumulator::RangeAccumulator(int heads, const MaskRule& mask)
    : m_counts(static_cast<std::size_t>(mask.queries)), m_seesAny(static_cast<std::size_t>(mask.queries)),
      m_rowMaxima(static_cast<std::size_t>(heads)), m_maximum(static_cast<std::size_t>(heads)) {
    std::int64_t visible = 0;
    std::int64_t rows = 0;
    std::size_t counting = 0;
    for (std::int64_t query = 0; query < mask.queries; ++query) {
        if (!mask.isRealQuery(query)) continue;
        const std::int64_t count = mask.visibleCount(query);
        if (count == 0) continue;
        const auto place = static_cast<std::size_t>(query);
        m_seesAny[place] = 1;
        m_counts[place] = count > 1 || !mask.visible(query, 0) ? 1 : 0;
        counting += m_counts[place];
        visible += count;
        ++rows;
    }
    for (auto& maxima : m_rowMaxima) maxima.reserve(counting);
    m_evenWeight = evenWeightOf(visible, rows);
}

void RangeAccumulator::observe(const RowBlock& block) {
    const auto head = static_cast<std::size_t>(block.head.value);
    HS_CHECK_LT(head, m_rowMaxima.size());
    const auto largest = detail::rowMaxima().largest;
    for (std::int64_t r = 0; r < block.rows.size(); ++r) {
        const auto query = static_cast<std::size_t>(block.rows.begin + r);
        if (m_seesAny[query] == 0) continue;
        const float* row = block.weights.row(r);
        const float others = largest(row + 1, detail::seenColumns(block, r) - 1);
        if (m_counts[query] != 0) m_rowMaxima[head].push_back(std::max(others, 0.0F));
        m_maximum[head] = std::max({m_maximum[head], others, std::isnan(row[0]) ? 0.0F : row[0]});
    }
}

RangeStatistics RangeAccumulator::result(HeadIndex head) const {
    const auto place = static_cast<std::size_t>(head.value);
    return {upperPercentile(m_rowMaxima[place]), m_evenWeight, m_maximum[place]};
}

RangeStatistics statisticsOf(const HeadMap& map, bool withoutFirst, const CancelToken& cancel) {
    const Extent extent = map.extent();
    RangeStatistics statistics;
    if (extent.columns == 0) return statistics;
    std::vector<float> maxima;
    std::vector<float> weights;
    std::vector<Span> spans;
    std::int64_t visible = 0;
    std::int64_t rows = 0;
    const std::int64_t strip = std::clamp<std::int64_t>((1 << 18) / extent.columns, 1, 64);
    for (std::int64_t begin = 0; begin < extent.rows; begin += strip) {
        cancel.throwIfCancelled();
        const Span block{begin, std::min(begin + strip, extent.rows)};
        weights.resize(static_cast<std::size_t>(block.size() * extent.columns));
        const MatrixView<float> view(weights.data(), block.size(), extent.columns);
        map.tile(block, {0, extent.columns}, view);
        for (std::int64_t r = 0; r < block.size(); ++r) {
            map.visibleSpans(block.begin + r, spans);
            std::int64_t count = 0;
            for (const Span span : spans) count += span.size();
            if (count == 0) continue;
            visible += count;
            ++rows;
            const float* row = view.row(r);
            const float others = detail::rowMaxima().largest(row + 1, extent.columns - 1);
            const float first = std::isnan(row[0]) ? 0.0F : row[0];
            if (!withoutFirst)
                maxima.push_back(std::max({others, first, 0.0F}));
            else if (count > 1 || !spans.front().contains(0))
                maxima.push_back(std::max(others, 0.0F));
            statistics.maximum = std::max({statistics.maximum, others, first});
        }
    }
    statistics.upperRowMaximum = upperPercentile(std::move(maxima));
    statistics.evenWeight = evenWeightOf(visible, rows);
    return statistics;
}

DisplayRange resolve(const DisplayRange& range, const RangeStatistics& statistics) {
    if (range.mode != RangeMode::Auto) return range;
    const float wanted = std::max(statistics.upperRowMaximum, 4.0F * statistics.evenWeight);
    return {RangeMode::Fixed, 0.0F, wanted > 0.0F ? std::min(wanted, statistics.ceiling) : 1.0F};
}

bool isClipped(const DisplayRange& resolved, const RangeStatistics& statistics) {
    if (resolved.mode == RangeMode::PerRow) return false;
    return statistics.maximum > (resolved.mode == RangeMode::Log ? kLogHigh : resolved.high);
}

} // namespace headscope
