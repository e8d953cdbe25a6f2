// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/metrics.h"

#include "core/base/check.h"
#include "core/diagnosis/row_pass.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headscope {

namespace {

/// Weights this close to the largest one of their row count as equal to it: even weights may differ in the
/// last bit.
/// A row that gives this much to one key.
constexpr double kSaturated = 0.99;

/// What one head has gathered so far. Sums are in row order whatever the height of the blocks.
struct HeadState {
    std::vector<double> columnMass;        ///< [keys], over C_k
    std::vector<std::int32_t> columnModes; ///< [keys], rows of C_k whose argmax is k
    double entropy = 0.0;
    double normalizedEntropy = 0.0;
    double klToUniform = 0.0;
    double tvToUniform = 0.0;
    double confidence = 0.0;
    double sinkWeight = 0.0;
    double scoreMaximum = -std::numeric_limits<double>::infinity();
    double scoreDeviation = 0.0;
    std::int64_t saturatedRows = 0;
    OffsetSums offsets;
    TokenSums tokens;
    std::vector<RowPeak> peaks;     ///< [queries]
    std::int64_t shapelessRows = 0; ///< of R, whose sink left nothing
    std::int64_t nextRow = 0;
};

} // namespace

struct MetricsAccumulator::State {
    MaskRule mask;
    bool selfAttention = false;
    std::int64_t realKeys = 0;
    std::int64_t countedRows = 0;            ///< |R|
    std::vector<std::int64_t> visibleCounts; ///< [queries], n_i; 0 for rows outside R
    std::shared_ptr<ColumnPlan> columns;
    std::optional<OffsetPlan> offsets;
    std::optional<TokenPlan> tokens;
    std::vector<HeadState> heads;

    /// The key that stands for the query itself, or -1 in cross-attention.
    std::int64_t ownKey(std::int64_t query) const { return selfAttention ? query + mask.queryOffset : -1; }
    OffsetMetrics offsetsOf(const HeadState& head) const;
    void observeRow(HeadState& head, std::int64_t query, const float* weights, const RowSums& sums,
                    const std::vector<Span>& spans) const;
};

MetricsAccumulator::MetricsAccumulator(int heads, const MaskRule& mask, bool selfAttention,
                                       const TokenFacts* facts)
    : m_state(std::make_unique<State>()) {
    mask.check();
    State& state = *m_state;
    state.mask = mask;
    state.selfAttention = selfAttention;
    state.realKeys = mask.keyAllowed.empty()
                         ? mask.keys
                         : std::count_if(mask.keyAllowed.begin(), mask.keyAllowed.end(),
                                         [](std::uint8_t allowed) { return allowed != 0; });
    state.visibleCounts.resize(static_cast<std::size_t>(mask.queries));
    state.columns = std::make_shared<ColumnPlan>(mask.keys);
    if (selfAttention) state.offsets.emplace(mask.keys);
    if (facts != nullptr) {
        HS_CHECK_EQ(facts->size(), mask.keys);
        state.tokens.emplace(*facts);
    }
    std::vector<Span> spans;
    for (std::int64_t query = 0; query < mask.queries; ++query) {
        if (!mask.isRealQuery(query)) continue;
        mask.visibleSpans(query, spans);
        std::int64_t visible = 0;
        for (const Span& span : spans) visible += span.size();
        if (visible < kMinimumVisibleKeys) continue;
        state.visibleCounts[static_cast<std::size_t>(query)] = visible;
        ++state.countedRows;
        state.columns->addRow(spans, visible, state.ownKey(query));
        const RowView row{.query = query, .own = state.ownKey(query), .spans = spans, .visible = visible};
        if (state.offsets) state.offsets->addRow(row);
        if (state.tokens) state.tokens->addRow(row);
    }
    state.columns->finish();
    if (state.offsets) state.offsets->finish();
    state.heads.resize(static_cast<std::size_t>(heads));
    for (HeadState& head : state.heads) {
        head.columnMass.resize(static_cast<std::size_t>(mask.keys));
        head.columnModes.resize(static_cast<std::size_t>(mask.keys));
        head.peaks.resize(static_cast<std::size_t>(mask.queries));
    }
}

MetricsAccumulator::~MetricsAccumulator() = default;

/// The lowest key whose weight comes within the slack of the largest; -1 where there is none.
std::int64_t modeOf(const std::vector<Span>& spans, const float* weights, float largest) {
    const float threshold = argmaxThreshold(largest);
    for (const Span& span : spans) {
        const std::int64_t mode =
            span.begin + rowPass().firstAtLeast(weights + span.begin, span.size(), threshold);
        if (mode < span.end) return mode;
    }
    return -1;
}

void MetricsAccumulator::State::observeRow(HeadState& head, std::int64_t query, const float* weights,
                                           const RowSums& sums, const std::vector<Span>& spans) const {
    const RowPass& pass = rowPass();
    const auto visible = static_cast<double>(visibleCounts[static_cast<std::size_t>(query)]);
    const std::int64_t own = ownKey(query);
    // What a sink left: 1 but for rounding without one. Not 1 - sinkWeight, which has no digits near 0.
    const double left = sums.weightSum;
    double deviation = 0.0;
    float largest = 0.0F;
    for (const Span& span : spans) {
        const StretchSums part =
            pass.sums(weights + span.begin, span.size(), static_cast<float>(left / visible));
        deviation += part.deviation;
        largest = std::max(largest, part.maximum);
        forWithout(span, own, [&](const Span& piece) {
            pass.addTo(head.columnMass.data() + piece.begin, weights + piece.begin, piece.size());
        });
    }
    head.sinkWeight += sums.sinkWeight;
    const double meanScore = sums.scoreSum / visible;
    head.scoreDeviation += std::sqrt(std::max(0.0, sums.scoreSquares / visible - meanScore * meanScore));
    RowView row{.query = query,
                .own = own,
                .weights = weights,
                .spans = spans,
                .visible = visibleCounts[static_cast<std::size_t>(query)],
                .weightSum = left};
    if (left > 0.0) row.mode = modeOf(spans, weights, largest);
    head.peaks[static_cast<std::size_t>(query)] = {largest, static_cast<std::int32_t>(row.mode)};
    if (row.mode >= 0 && row.mode != own) ++head.columnModes[static_cast<std::size_t>(row.mode)];
    if (offsets) head.offsets.add(row, *offsets);
    if (tokens) head.tokens.add(row, *tokens);
    if (left == 0.0) {
        ++head.shapelessRows;
        return;
    }
    // Of the score of the largest weight, m + ln(l A): with a learned sink m may be the sink's.
    head.scoreMaximum = std::max(head.scoreMaximum, static_cast<double>(sums.normaliser.maximum) +
                                                        std::log(static_cast<double>(sums.normaliser.sum) *
                                                                 static_cast<double>(largest)));
    if (static_cast<double>(largest) >= kSaturated * left) ++head.saturatedRows;
    const double even = std::log(visible);
    const double v = sums.visibleSum;
    // Rounding may leave the interval that entropy cannot leave by more than a few 1e-7.
    const double entropyOfRow = std::clamp(std::log(v) - sums.weightedScore / v, 0.0, even);
    head.entropy += entropyOfRow;
    head.normalizedEntropy += entropyOfRow / even;
    head.klToUniform += even - entropyOfRow;
    head.tvToUniform += 0.5 * deviation / left;
    head.confidence += static_cast<double>(largest) / left;
}

/// The mode's offset may be one at which tokens repeat: then both explain the head.
OffsetMetrics MetricsAccumulator::State::offsetsOf(const HeadState& head) const {
    OffsetMetrics metrics = head.offsets.result(*offsets);
    if (!metrics.mode || !tokens || metrics.mode->share < OffsetMetrics::Mode::kOfInterest) return metrics;
    std::int64_t repeats = 0;
    for (std::int64_t query = 0; query < mask.queries; ++query) {
        if (visibleCounts[static_cast<std::size_t>(query)] == 0) continue;
        const std::int64_t own = ownKey(query);
        const std::int64_t key = own + metrics.mode->offset;
        if (key >= 0 && key < mask.keys && mask.visible(query, key) && tokens->isRepeat(own, key)) ++repeats;
    }
    metrics.mode->repeatShare = static_cast<double>(repeats) / static_cast<double>(metrics.mode->rows);
    return metrics;
}

void MetricsAccumulator::observe(const RowBlock& block) {
    const State& state = *m_state;
    HeadState& head = m_state->heads.at(static_cast<std::size_t>(block.head.value));
    HS_CHECK_EQ(block.rows.begin, head.nextRow);
    HS_CHECK_EQ(block.weights.columns, state.mask.keys);
    HS_CHECK_LE(block.rows.end, state.mask.queries);
    std::vector<Span> spans;
    for (std::int64_t query = block.rows.begin; query < block.rows.end; ++query) {
        if (state.visibleCounts[static_cast<std::size_t>(query)] == 0) continue;
        state.mask.visibleSpans(query, spans);
        const std::int64_t local = query - block.rows.begin;
        state.observeRow(head, query, block.weights.row(local), block.sums[local], spans);
    }
    head.nextRow = block.rows.end;
}

std::span<const RowPeak> MetricsAccumulator::peaks(HeadIndex index) const {
    return m_state->heads.at(static_cast<std::size_t>(index.value)).peaks;
}

HeadMetrics MetricsAccumulator::result(HeadIndex index) const {
    const State& state = *m_state;
    const HeadState& head = state.heads.at(static_cast<std::size_t>(index.value));
    HS_CHECK_EQ(head.nextRow, state.mask.queries);
    HeadMetrics metrics;
    metrics.keys = state.realKeys;
    metrics.rows = state.countedRows;
    metrics.causal = state.mask.causal;
    if (state.offsets) metrics.offsets = state.offsetsOf(head);
    if (state.tokens) metrics.tokens = head.tokens.result(*state.tokens, head.columnMass);
    if (state.countedRows == 0) return metrics;
    metrics.sinkWeight = head.sinkWeight / static_cast<double>(state.countedRows);
    metrics.scoreDeviation = head.scoreDeviation / static_cast<double>(state.countedRows);
    if (state.countedRows > head.shapelessRows) {
        const auto rows = static_cast<double>(state.countedRows - head.shapelessRows);
        metrics.entropy = head.entropy / rows;
        metrics.normalizedEntropy = head.normalizedEntropy / rows;
        metrics.klToUniform = head.klToUniform / rows;
        metrics.tvToUniform = head.tvToUniform / rows;
        metrics.confidence = head.confidence / rows;
        metrics.scoreMaximum = head.scoreMaximum;
        metrics.saturatedRows = static_cast<double>(head.saturatedRows) / rows;
    }

    metrics.columns.plan = state.columns;
    metrics.columns.mass = head.columnMass;
    metrics.columns.modes = head.columnModes;
    for (std::int64_t key = 0; key < state.mask.keys; ++key)
        if (const std::int64_t seen = state.columns->rows(key); seen > 0)
            metrics.columns.mass[static_cast<std::size_t>(key)] /= static_cast<double>(seen);
    metrics.column = metrics.columns.heaviest();
    return metrics;
}

} // namespace headscope
