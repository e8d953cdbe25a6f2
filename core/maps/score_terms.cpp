// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/score_terms.h"

#include "core/base/check.h"

#include <algorithm>
#include <array>
#include <numbers>

namespace headscope {

namespace {

using kernel::Range;

constexpr std::int64_t kLanes = KeyPanels::kLanes;
/// Queries and keys whose products with a table are held at once: whole tiles of every instruction set, in
/// the first cache beside a panel of the table, and wide enough that the table rows of one query more or less
/// do not count.
constexpr std::int64_t kProductRows = 12;
constexpr std::int64_t kProductColumns = 512;
/// The distances of such a block, and the panels that this many table rows may touch.
constexpr std::int64_t kMostPanels = (kProductRows + kProductColumns - 2) / kLanes + 2;

/// Up to kMostKeyProductRows rows of a region, with the cells wanted of each, counted from the region's first
/// column.
struct Chunk {
    const kernel::KernelTable& kernel;
    const ScoreSource& source;
    Span rows;
    std::int64_t firstColumn;
    MatrixView<float> out; ///< [rows.size(), columns of the region]
    std::array<Range, kernel::kMostKeyProductRows> visible;

    /// Where what belongs to query `row` and key `firstColumn` stands in an array over distances.
    std::int64_t distance(std::int64_t row) const {
        return firstColumn - (rows.begin + row) + source.terms.queries - 1;
    }
    /// The range around all cells wanted of rows [begin, end).
    Range visibleIn(std::int64_t begin, std::int64_t end) const {
        Range all{0, 0};
        for (std::int64_t row = begin; row < end; ++row) {
            const Range& one = visible[static_cast<std::size_t>(row)];
            if (one.begin >= one.end) continue;
            const bool none = all.begin >= all.end;
            all = {none ? one.begin : std::min(all.begin, one.begin), std::max(all.end, one.end)};
        }
        return all;
    }
};

/// The products of queries [begin, end) of the chunk with the table rows that `columns` ask for, then each
/// cell's own one.
void addQueryProducts(const Chunk& chunk, Span rows, Range columns) {
    const ScoreTerms::Product& product = chunk.source.terms.query;
    const KeyPanels& table = *product.table;
    const std::int32_t* rowOf = product.rowOf;
    const std::int32_t one = rowOf[chunk.distance(rows.end - 1) + columns.begin];
    const std::int32_t another = rowOf[chunk.distance(rows.begin) + columns.end - 1];
    const std::int64_t first = std::min(one, another) / kLanes;
    const std::int64_t panels = std::max(one, another) / kLanes + 1 - first;
    HS_CHECK_LE(panels, kMostPanels);
    // A look-up may read a vector from the last number on.
    alignas(64) float products[kProductRows * kMostPanels * kLanes + kLanes];
    const std::int64_t stride = panels * kLanes;
    const MatrixView<const float>& queries = chunk.source.queries;
    for (std::int64_t row = rows.begin; row < rows.end; row += chunk.kernel.rowsPerBlock) {
        for (std::int64_t panel = 0; panel < panels; panel += chunk.kernel.panelsPerBlock) {
            const std::int64_t count = std::min<std::int64_t>(chunk.kernel.panelsPerBlock, panels - panel);
            chunk.kernel.score(
                {.queries = queries.row(chunk.rows.begin + row),
                 .queryStride = queries.stride,
                 .rows = static_cast<int>(std::min<std::int64_t>(chunk.kernel.rowsPerBlock, rows.end - row)),
                 .panels = table.panel(first + panel),
                 .panelCount = static_cast<int>(count),
                 .headSize = queries.columns,
                 .scale = product.scale,
                 .lanes = {0, count * kLanes},
                 .out = products + (row - rows.begin) * stride + panel * kLanes,
                 .outStride = stride});
        }
    }
    for (std::int64_t row = rows.begin; row < rows.end; ++row) {
        const Range& visible = chunk.visible[static_cast<std::size_t>(row)];
        const std::int64_t begin = std::max(visible.begin, columns.begin);
        const std::int64_t end = std::min(visible.end, columns.end);
        if (begin >= end) continue;
        chunk.kernel.lookUp({.cells = chunk.out.row(row) + begin,
                             .count = end - begin,
                             .products = products + (row - rows.begin) * stride,
                             .rowOf = rowOf + chunk.distance(row) + begin,
                             .firstRow = static_cast<std::int32_t>(first * kLanes)});
    }
}

void addQueryProduct(const Chunk& chunk) {
    for (std::int64_t begin = 0; begin < chunk.rows.size(); begin += kProductRows) {
        const std::int64_t end = std::min(begin + kProductRows, chunk.rows.size());
        const Range all = chunk.visibleIn(begin, end);
        for (std::int64_t column = all.begin; column < all.end; column += kProductColumns)
            addQueryProducts(chunk, {begin, end}, {column, std::min(column + kProductColumns, all.end)});
    }
}

/// Panel by panel of the keys, and of the chunk the rows that want one of its keys: neither end of what a row
/// reaches falls from one row to the next.
void addKeyProduct(const Chunk& chunk) {
    const ScoreTerms::Product& product = chunk.source.terms.key;
    const Range all = chunk.visibleIn(0, chunk.rows.size());
    if (all.begin >= all.end) return;
    std::int64_t first = 0;
    std::int64_t last = 0;
    for (std::int64_t panel = (chunk.firstColumn + all.begin) / kLanes;
         panel * kLanes < chunk.firstColumn + all.end; ++panel) {
        const std::int64_t column = panel * kLanes - chunk.firstColumn;
        const auto visible = [&](std::int64_t row) { return chunk.visible[static_cast<std::size_t>(row)]; };
        while (first < chunk.rows.size() && visible(first).end <= column) ++first;
        last = std::max(first, last);
        while (last < chunk.rows.size() && visible(last).begin < column + kLanes) ++last;
        const Range wanted = chunk.visibleIn(first, last);
        const Range lanes{std::max<std::int64_t>(wanted.begin - column, 0),
                          std::min<std::int64_t>(wanted.end - column, kLanes)};
        if (lanes.begin >= lanes.end) continue;
        chunk.kernel.keyProduct({.table = product.table->panel(0),
                                 .headSize = chunk.source.queries.columns,
                                 .scale = product.scale,
                                 .keys = chunk.source.keys.panel(panel),
                                 .rowOf = product.rowOf + chunk.distance(first) + column,
                                 .lanes = lanes,
                                 .cells = chunk.out.row(first),
                                 .stride = chunk.out.stride,
                                 .rows = static_cast<int>(last - first),
                                 .column = column,
                                 .visible = chunk.visible.data() + first});
    }
}

void addOtherTerms(const Chunk& chunk) {
    const ScoreTerms& terms = chunk.source.terms;
    const float rate =
        terms.softCap > 0.0F
            ? static_cast<float>(2.0 * std::numbers::log2e / static_cast<double>(terms.softCap))
            : 0.0F;
    for (std::int64_t row = 0; row < chunk.rows.size(); ++row) {
        const Range& visible = chunk.visible[static_cast<std::size_t>(row)];
        if (visible.begin >= visible.end) continue;
        const std::int64_t query = chunk.rows.begin + row;
        const std::int64_t key = chunk.firstColumn + visible.begin;
        kernel::TermTask task{};
        task.cells = chunk.out.row(row) + visible.begin;
        task.count = visible.end - visible.begin;
        if (terms.keyBias != nullptr) task.keyBias = terms.keyBias + key;
        if (terms.distanceBias != nullptr)
            task.distanceBias = terms.distanceBias + chunk.distance(row) + visible.begin;
        if (terms.keySegments != nullptr) {
            task.keySegments = terms.keySegments + key;
            task.querySegment = terms.querySegments[query];
            task.sameSegment = terms.sameSegment[query];
            task.otherSegment = terms.otherSegment[query];
        }
        task.softCap = terms.softCap;
        task.capRate = rate;
        chunk.kernel.terms(task);
    }
}

/// The columns that hold what a row reaches, counted from the first. Their panels whole where they can be, as
/// the products were written: cells without a use cost less than vectors cut in two.
Range wantedOf(Span reach, Span columns) {
    if (reach.begin >= reach.end) return {0, 0};
    const std::int64_t begin = std::max(reach.begin / kLanes * kLanes, columns.begin);
    const std::int64_t end = std::min((reach.end + kLanes - 1) / kLanes * kLanes, columns.end);
    if (begin >= end) return {0, 0};
    return {begin - columns.begin, end - columns.begin};
}

void checkProduct(const ScoreTerms::Product& product, const ScoreSource& source) {
    if (product.table == nullptr) return;
    HS_CHECK(product.rowOf != nullptr);
    HS_CHECK_EQ(product.table->headSize(), source.queries.columns);
}

} // namespace

bool ScoreTerms::empty() const {
    return query.table == nullptr && key.table == nullptr && keyBias == nullptr && distanceBias == nullptr &&
           keySegments == nullptr && softCap == 0.0F;
}

void addTerms(const kernel::KernelTable& kernel, const ScoreSource& source, const MaskRule* mask,
              const Region& region, MatrixView<float> out) {
    const ScoreTerms& terms = source.terms;
    if (terms.empty()) return;
    checkProduct(terms.query, source);
    checkProduct(terms.key, source);
    HS_CHECK_LE(region.rows.end, terms.queries);
    const bool others = terms.keyBias != nullptr || terms.distanceBias != nullptr ||
                        terms.keySegments != nullptr || terms.softCap > 0.0F;
    for (std::int64_t row = region.rows.begin; row < region.rows.end; row += kernel::kMostKeyProductRows) {
        const Span rows{row, std::min<std::int64_t>(row + kernel::kMostKeyProductRows, region.rows.end)};
        Chunk chunk{.kernel = kernel,
                    .source = source,
                    .rows = rows,
                    .firstColumn = region.columns.begin,
                    .out = {out.row(row - region.rows.begin), rows.size(), out.columns, out.stride},
                    .visible = {}};
        for (std::int64_t r = 0; r < rows.size(); ++r)
            chunk.visible[static_cast<std::size_t>(r)] =
                wantedOf(mask != nullptr ? mask->reach(row + r) : region.columns, region.columns);
        if (terms.query.table != nullptr) addQueryProduct(chunk);
        if (terms.key.table != nullptr) addKeyProduct(chunk);
        if (others) addOtherTerms(chunk);
    }
}

} // namespace headscope
