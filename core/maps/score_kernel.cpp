// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/score_kernel.h"

#include "core/base/check.h"
#include "core/maps/score_kernel_isa.h"
#include "core/maps/score_terms.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <vector>

namespace headscope {

namespace {

using kernel::KernelTable;

constexpr std::array kIsas = {Isa::Scalar, Isa::Avx2, Isa::Avx512};

const KernelTable* builtKernel(Isa isa) {
    switch (isa) {
    case Isa::Scalar:
        return kernel::scalarKernel();
    case Isa::Avx2:
        return kernel::avx2Kernel();
    case Isa::Avx512:
        return kernel::avx512Kernel();
    }
    return nullptr;
}

bool processorHas(Isa isa) {
#if defined(__x86_64__)
    switch (isa) {
    case Isa::Scalar:
        return true;
    case Isa::Avx2:
        return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    case Isa::Avx512:
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
               __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
               __builtin_cpu_supports("fma") != 0;
    }
#endif
    return isa == Isa::Scalar;
}

Isa chooseIsa() {
    const char* wish = std::getenv("HEADSCOPE_ISA");
    Isa best = Isa::Scalar;
    for (const Isa isa : kIsas) {
        if (isSupported(isa)) best = isa;
        if (wish != nullptr && nameOf(isa) == wish) break;
    }
    return best;
}

const KernelTable& kernelOf(Isa isa) {
    HS_CHECK(isSupported(isa));
    return *builtKernel(isa);
}

void checkRegion(const ScoreSource& source, const Region& region, const MatrixView<float>& out) {
    HS_CHECK_EQ(source.queries.columns, source.keys.headSize());
    HS_CHECK(region.rows.begin >= 0 && region.rows.begin <= region.rows.end);
    HS_CHECK_LE(region.rows.end, source.queries.rows);
    HS_CHECK(region.columns.begin >= 0 && region.columns.begin <= region.columns.end);
    HS_CHECK_LE(region.columns.end, source.keys.keys());
    HS_CHECK_EQ(out.rows, region.rows.size());
    HS_CHECK_EQ(out.columns, region.columns.size());
}

/// Walks blocks of panels, and for each the blocks of rows, so that the panels stay in the first cache;
/// `reachOf(rows)` says which keys a block of rows needs.
template <typename Reach>
void scoreRegion(const KernelTable& table, const ScoreSource& source, const Region& region,
                 MatrixView<float> out, Reach reachOf) {
    const std::int64_t lanes = KeyPanels::kLanes;
    const std::int64_t rowStep = table.rowsPerBlock;
    std::vector<Span> reaches;
    for (std::int64_t row = region.rows.begin; row < region.rows.end; row += rowStep)
        reaches.push_back(reachOf(Span{row, std::min(row + rowStep, region.rows.end)}));
    const std::int64_t lastPanel = (region.columns.end + lanes - 1) / lanes;
    for (std::int64_t panel = region.columns.begin / lanes; panel < lastPanel;
         panel += table.panelsPerBlock) {
        const std::int64_t panels = std::min<std::int64_t>(table.panelsPerBlock, lastPanel - panel);
        const std::int64_t base = panel * lanes;
        for (std::size_t b = 0; b < reaches.size(); ++b) {
            // Only panels with a reachable key, and of those only the columns that were asked for.
            const std::int64_t first = std::max(base, reaches[b].begin / lanes * lanes);
            const std::int64_t stop =
                std::min(base + panels * lanes, (reaches[b].end + lanes - 1) / lanes * lanes);
            if (first >= stop) continue;
            const Span columns{std::max(first, region.columns.begin), std::min(stop, region.columns.end)};
            if (columns.size() <= 0) continue;
            const std::int64_t row = region.rows.begin + static_cast<std::int64_t>(b) * rowStep;
            table.score({.queries = source.queries.row(row),
                         .queryStride = source.queries.stride,
                         .rows = static_cast<int>(std::min(rowStep, region.rows.end - row)),
                         .panels = source.keys.panel(first / lanes),
                         .panelCount = static_cast<int>((stop - first) / lanes),
                         .headSize = source.queries.columns,
                         .scale = source.scale,
                         .lanes = {columns.begin - first, columns.end - first},
                         .out = out.row(row - region.rows.begin) + (columns.begin - region.columns.begin),
                         .outStride = out.stride});
        }
    }
}

/// The visible ranges of a row clipped to `columns` and counted from its begin.
void rangesOf(const MaskRule& mask, std::int64_t row, Span columns, std::vector<Span>& spans,
              std::vector<kernel::Range>& ranges) {
    mask.visibleSpans(row, spans);
    ranges.clear();
    for (const Span span : spans) {
        const std::int64_t begin = std::max(span.begin, columns.begin);
        const std::int64_t end = std::min(span.end, columns.end);
        if (begin < end) ranges.push_back({begin - columns.begin, end - columns.begin});
    }
}

} // namespace

std::string_view nameOf(Isa isa) {
    switch (isa) {
    case Isa::Scalar:
        return "scalar";
    case Isa::Avx2:
        return "avx2";
    case Isa::Avx512:
        return "avx512";
    }
    return {};
}

bool isSupported(Isa isa) {
    return builtKernel(isa) != nullptr && processorHas(isa);
}

Isa bestIsa() {
    static const Isa best = chooseIsa();
    return best;
}

void scoreBlock(const ScoreSource& source, const Region& region, MatrixView<float> out, Isa isa) {
    checkRegion(source, region, out);
    const KernelTable& table = kernelOf(isa);
    scoreRegion(table, source, region, out, [&](Span) { return region.columns; });
    addTerms(table, source, nullptr, region, out);
}

void scoreVisible(const ScoreSource& source, const MaskRule& mask, const Region& region,
                  MatrixView<float> out, Isa isa) {
    checkRegion(source, region, out);
    const KernelTable& table = kernelOf(isa);
    scoreRegion(table, source, region, out, [&](Span rows) { return mask.reach(rows); });
    addTerms(table, source, &mask, region, out);
}

void softmaxRows(const SoftmaxRule& rule, Span rows, MatrixView<float> strip, RowSums* sums, Isa isa) {
    const MaskRule& mask = rule.mask;
    HS_CHECK_EQ(strip.rows, rows.size());
    HS_CHECK_EQ(strip.columns, mask.keys);
    const KernelTable& table = kernelOf(isa);
    std::vector<Span> spans;
    std::vector<kernel::Range> ranges;
    for (std::int64_t r = 0; r < rows.size(); ++r) {
        rangesOf(mask, rows.begin + r, {0, mask.keys}, spans, ranges);
        const kernel::RowResult result =
            table.softmax({.row = strip.row(r),
                           .keys = mask.keys,
                           .visible = ranges.data(),
                           .visibleCount = static_cast<std::int64_t>(ranges.size()),
                           .sink = rule.sink.value_or(-std::numeric_limits<float>::infinity())});
        sums[r] = {.normaliser = {.maximum = result.maximum, .sum = result.sum},
                   .visibleSum = result.visibleSum,
                   .weightedScore = result.weightedScore,
                   .scoreSum = result.scoreSum,
                   .scoreSquares = result.scoreSquares,
                   .weightSum = result.weightSum,
                   .sinkWeight = result.sinkWeight};
    }
}

void weightsFromScores(const MaskRule& mask, const Region& region, const RowNormaliser* normalisers,
                       MatrixView<float> tile, Isa isa) {
    HS_CHECK_EQ(tile.rows, region.rows.size());
    HS_CHECK_EQ(tile.columns, region.columns.size());
    const KernelTable& table = kernelOf(isa);
    std::vector<Span> spans;
    std::vector<kernel::Range> ranges;
    for (std::int64_t r = 0; r < region.rows.size(); ++r) {
        rangesOf(mask, region.rows.begin + r, region.columns, spans, ranges);
        table.weights({.cells = tile.row(r),
                       .count = tile.columns,
                       .visible = ranges.data(),
                       .visibleCount = static_cast<std::int64_t>(ranges.size()),
                       .maximum = normalisers[r].maximum,
                       .sum = normalisers[r].sum});
    }
}

void mixValues(const WeightStrip& strip, const ValueRows& values, MatrixView<float> out, Isa isa) {
    HS_CHECK_EQ(strip.weights.rows, strip.rows.size());
    HS_CHECK_EQ(strip.weights.columns, values.keys());
    HS_CHECK_EQ(out.rows, strip.rows.size());
    HS_CHECK_EQ(out.columns, values.headSize());
    const KernelTable& table = kernelOf(isa);
    const std::int64_t rowStep = table.rowsPerBlock;
    const std::int64_t columnStep = table.panelsPerBlock * kPanelLanes;
    for (std::int64_t row = 0; row < out.rows; ++row) std::fill_n(out.row(row), out.columns, 0.0F);
    // A block of values serves all rows of the strip before the next one is touched.
    for (std::int64_t block = 0; block < values.keys(); block += kernel::kSumBlock) {
        for (std::int64_t row = 0; row < out.rows; row += rowStep) {
            const std::int64_t rows = std::min(rowStep, out.rows - row);
            const Span reach = strip.mask.reach(Span{strip.rows.begin + row, strip.rows.begin + row + rows});
            const std::int64_t begin = std::max(block, reach.begin);
            const std::int64_t end = std::min(block + kernel::kSumBlock, reach.end);
            if (begin >= end) continue;
            for (std::int64_t column = 0; column < out.columns; column += columnStep) {
                const std::int64_t columns = std::min(columnStep, out.columns - column);
                table.mix({.weights = strip.weights.row(row) + begin,
                           .weightStride = strip.weights.stride,
                           .rows = static_cast<int>(rows),
                           .keys = end - begin,
                           .values = values.row(begin) + column,
                           .valueStride = values.stride(),
                           .panelCount = static_cast<int>((columns + kPanelLanes - 1) / kPanelLanes),
                           .columns = columns,
                           .out = out.row(row) + column,
                           .outStride = out.stride});
            }
        }
    }
}

} // namespace headscope
