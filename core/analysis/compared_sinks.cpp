// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compared_sinks.h"

#include "core/diagnosis/column_metrics.h"

#include <memory>
#include <numeric>
#include <utility>

namespace headscope {

namespace {

constexpr std::int64_t kFewestKeys = 8; ///< as in a diagnosis: shorter rows are alike by themselves

std::int64_t sizeOf(const std::vector<Span>& spans) {
    return std::accumulate(spans.begin(), spans.end(), std::int64_t{0},
                           [](std::int64_t sum, const Span& span) { return sum + span.size(); });
}

/// Adds the shares of a row to what each key gets; the key that stands for the query itself gets none.
void addShares(const std::vector<float>& row, const std::vector<Span>& spans, std::int64_t own,
               std::vector<double>& mass) {
    double sum = 0.0;
    for (const Span& span : spans)
        for (std::int64_t key = span.begin; key < span.end; ++key)
            sum += static_cast<double>(row[static_cast<std::size_t>(key)]);
    if (!(sum > 0.0)) return;
    for (const Span& span : spans)
        forWithout(span, own, [&](const Span& part) {
            for (std::int64_t key = part.begin; key < part.end; ++key)
                mass[static_cast<std::size_t>(key)] +=
                    static_cast<double>(row[static_cast<std::size_t>(key)]) / sum;
        });
}

std::vector<std::int64_t> sinksOf(const HeadMap& map, bool selfAttention, const CancelToken& cancel) {
    constexpr std::int64_t kPoll = 64;
    const Extent extent = map.extent();
    auto plan = std::make_shared<ColumnPlan>(extent.columns);
    ColumnTable table;
    table.mass.resize(static_cast<std::size_t>(extent.columns));
    std::vector<Span> spans;
    std::vector<float> weights(static_cast<std::size_t>(extent.columns));
    for (std::int64_t row = 0; row < extent.rows; ++row) {
        if (row % kPoll == 0) cancel.throwIfCancelled();
        map.visibleSpans(row, spans);
        const std::int64_t visible = sizeOf(spans);
        if (visible < kFewestKeys) continue;
        const std::int64_t own = selfAttention ? row : -1;
        plan->addRow(spans, visible, own);
        map.tile({row, row + 1}, {0, extent.columns}, {weights.data(), 1, extent.columns});
        addShares(weights, spans, own, table.mass);
    }
    plan->finish();
    for (std::int64_t key = 0; key < extent.columns; ++key)
        if (plan->rows(key) > 0)
            table.mass[static_cast<std::size_t>(key)] /= static_cast<double>(plan->rows(key));
    table.plan = std::move(plan);
    return table.sinks();
}

} // namespace

std::vector<std::int64_t> comparedSinks(const ViewRequest& request, const HeadMap& tokens,
                                        const CancelToken& cancel) {
    if (request.view.heads == HeadsShown::One && !request.view.valueWeighted)
        return request.analysis->find(request.head)->metrics.columns.sinks();
    return sinksOf(tokens, request.head.kind != AttentionKind::Cross, cancel);
}

} // namespace headscope
