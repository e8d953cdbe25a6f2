// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/pooled_texts.h"

#include <algorithm>
#include <vector>

namespace headscope {

namespace {

constexpr int kFewestTexts = 8;
constexpr std::int64_t kFewestRows = 100;
constexpr std::int64_t kShortText = 32; ///< keys; texts with as many are judged one by one, or not at all

/// One position, over all texts that have it.
struct PooledColumn {
    std::int64_t rows = 0;
    double mass = 0.0;
    double chance = 0.0;
    double modes = 0.0;

    void add(const ColumnMetrics& column) {
        const auto count = static_cast<double>(column.rows);
        rows += column.rows;
        mass += count * column.mass;
        chance += count * column.chance;
        modes += count * column.modalShare;
    }
    ColumnMetrics mean(std::int64_t position) const {
        const auto count = static_cast<double>(rows);
        ColumnMetrics column{.column = position,
                             .rows = rows,
                             .mass = mass / count,
                             .chance = chance / count,
                             .modalShare = modes / count};
        column.kappa = column.chance < 1.0 ? (column.mass - column.chance) / (1.0 - column.chance) : 0.0;
        return column;
    }
};

std::optional<ColumnMetrics> heaviest(std::span<const HeadOnText> texts, bool fromEnd, std::int64_t rows) {
    std::vector<PooledColumn> columns;
    for (const HeadOnText& text : texts) {
        const ColumnTable& table = text.metrics->columns;
        columns.resize(std::max(columns.size(), table.mass.size()));
        for (std::int64_t key = 0; key < table.keys(); ++key)
            columns[static_cast<std::size_t>(fromEnd ? table.keys() - 1 - key : key)].add(table.at(key));
    }
    std::optional<ColumnMetrics> best;
    for (std::size_t position = 0; position < columns.size(); ++position) {
        if (!ColumnPlan::counts(columns[position].rows, rows)) continue;
        const ColumnMetrics mean = columns[position].mean(static_cast<std::int64_t>(position));
        if (!best || mean.mass > best->mass) best = mean;
    }
    return best;
}

} // namespace

bool areFewKeys(std::span<const HeadOnText> texts) {
    return std::all_of(texts.begin(), texts.end(),
                       [](const HeadOnText& one) { return one.metrics->keys < kShortText; });
}

std::optional<PooledRows> poolRows(std::span<const HeadOnText> texts) {
    if (!areFewKeys(texts)) return std::nullopt;
    PooledRows pooled;
    HeadMetrics& sum = pooled.metrics;
    for (const HeadOnText& text : texts) {
        const HeadMetrics& one = *text.metrics;
        if (one.rows == 0) continue;
        ++pooled.texts;
        const auto rows = static_cast<double>(one.rows);
        sum.rows += one.rows;
        sum.keys = std::max(sum.keys, one.keys);
        sum.entropy += rows * one.entropy;
        sum.normalizedEntropy += rows * one.normalizedEntropy;
        sum.klToUniform += rows * one.klToUniform;
        sum.tvToUniform += rows * one.tvToUniform;
        sum.confidence += rows * one.confidence;
        sum.sinkWeight += rows * one.sinkWeight;
    }
    if (pooled.texts < kFewestTexts || sum.rows < kFewestRows) return std::nullopt;
    for (double* mean : {&sum.entropy, &sum.normalizedEntropy, &sum.klToUniform, &sum.tvToUniform,
                         &sum.confidence, &sum.sinkWeight})
        *mean /= static_cast<double>(sum.rows);
    const auto first = heaviest(texts, false, sum.rows);
    const auto last = heaviest(texts, true, sum.rows);
    pooled.fromEnd = last && (!first || last->mass > first->mass);
    sum.column = pooled.fromEnd ? last : first;
    return pooled;
}

} // namespace headscope
