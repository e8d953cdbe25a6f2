// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/score_lanes.h"

/// The terms of a score, added to the scaled products that the kernel has written. As score_kernel_body.h:
/// compiled once for each instruction set, with the same bits on each, since every cell goes through the same
/// operations in the same order wherever it lies.
namespace headscope::kernel {
namespace {

/// cap * tanh(x / cap), `rate` = 2 log2(e) / cap. With e = exp(2 |x| / cap) - 1 it is cap * e / (e + 2), and
/// e = 2^n (2^f - 1) + (2^n - 1) keeps its digits where it is small: n + f = rate * |x| with |f| <= 1/2, and
/// 2^f - 1 is f times a minimax polynomial whose own relative error is 2.1e-8. In all at most 3e-7 of the
/// result and 2e-7 of the cap; never above the cap; odd; NaN stays NaN.
template <typename V>
inline V cappedBy(V cap, V rate, V x) {
    // From here on the quotient rounds to 1.
    const V u = V::min(V::broadcast(26.5F), V::mul(V::magnitude(x), rate));
    const V shifted = V::add(u, V::broadcast(0x1.8p+23F));
    const V f = V::sub(u, V::sub(shifted, V::broadcast(0x1.8p+23F)));
    V p = V::broadcast(0x1.4308fap-13F);
    p = V::fma(p, f, V::broadcast(0x1.5f07c8p-10F));
    p = V::fma(p, f, V::broadcast(0x1.3b2bap-7F));
    p = V::fma(p, f, V::broadcast(0x1.c6af6ep-5F));
    p = V::fma(p, f, V::broadcast(0x1.ebfbdep-3F));
    p = V::fma(p, f, V::broadcast(0x1.62e43p-1F));
    const V power = V::powerOfTwo(shifted);
    const V e = V::fma(power, V::mul(p, f), V::sub(power, V::broadcast(1.0F)));
    return V::withSignOf(x, V::mul(cap, V::div(e, V::add(e, V::broadcast(2.0F)))));
}

/// Biases, segment term and cap of 16 neighbouring cells, in this order.
template <typename V>
inline V withTerms(const TermTask& task, std::int64_t column, V score) {
    if (task.keyBias != nullptr) score = V::add(score, V::load(task.keyBias + column));
    if (task.distanceBias != nullptr) score = V::add(score, V::load(task.distanceBias + column));
    if (task.keySegments != nullptr)
        score = V::add(score, V::whereEqual(task.keySegments + column, task.querySegment,
                                            V::broadcast(task.sameSegment), V::broadcast(task.otherSegment)));
    if (task.softCap > 0.0F) score = cappedBy(V::broadcast(task.softCap), V::broadcast(task.capRate), score);
    return score;
}

template <typename V>
void termRow(const TermTask& task) {
    std::int64_t c = 0;
    for (; c + kLanes <= task.count; c += kLanes)
        V::store(task.cells + c, withTerms(task, c, V::load(task.cells + c)));
    if (c == task.count) return;
    const int left = static_cast<int>(task.count - c);
    alignas(64) float keyBias[kLanes] = {};
    alignas(64) float distanceBias[kLanes] = {};
    alignas(64) std::uint8_t segments[kLanes] = {};
    TermTask rest = task;
    for (int i = 0; i < left; ++i) {
        if (task.keyBias != nullptr) keyBias[i] = task.keyBias[c + i];
        if (task.distanceBias != nullptr) distanceBias[i] = task.distanceBias[c + i];
        if (task.keySegments != nullptr) segments[i] = task.keySegments[c + i];
    }
    if (task.keyBias != nullptr) rest.keyBias = keyBias;
    if (task.distanceBias != nullptr) rest.distanceBias = distanceBias;
    if (task.keySegments != nullptr) rest.keySegments = segments;
    const V cells = loadPart<V>(task.cells + c, 0, left, 0.0F);
    storePart(task.cells + c, 0, left, withTerms(rest, 0, cells));
}

/// Adds to each cell of one row the product that belongs to its distance.
template <typename V>
void lookUpRow(const LookUpTask& task) {
    std::int64_t c = 0;
    for (; c + kLanes <= task.count; c += kLanes) {
        const V found = V::lookUp(task.products, task.rowOf + c, task.firstRow);
        V::store(task.cells + c, V::add(V::load(task.cells + c), found));
    }
    for (; c < task.count; ++c) task.cells[c] += task.products[task.rowOf[c] - task.firstRow];
}

/// One panel of keys against the rows [first, end) of a table; `out` is [end - first rounded up][16].
template <typename V, int kTableRows>
inline void tableProducts(const KeyProductTask& task, std::int32_t first, std::int32_t end, float* out) {
    const V scale = V::broadcast(task.scale);
    for (std::int32_t row = first; row < end; row += kTableRows, out += kTableRows * kLanes) {
        const float* table = task.table + row / kLanes * task.headSize * kLanes + row % kLanes;
        V sums[kTableRows];
#pragma GCC unroll 8
        for (int r = 0; r < kTableRows; ++r) sums[r] = V::broadcast(0.0F);
        for (std::int64_t d = 0; d < task.headSize; ++d) {
            const V keys = V::load(task.keys + d * kLanes);
#pragma GCC unroll 8
            for (int r = 0; r < kTableRows; ++r)
                sums[r] = V::fma(V::broadcast(table[d * kLanes + r]), keys, sums[r]);
        }
#pragma GCC unroll 8
        for (int r = 0; r < kTableRows; ++r) V::store(out + r * kLanes, V::mul(scale, sums[r]));
    }
}

/// The key product of up to kMostKeyProductRows queries with one panel of keys. A table row is multiplied
/// once with all 16 keys, although each key needs it for another query: query r wants lane k of the row for
/// distance k - r. Of the 31 rows that 16 queries need, four steps of taking every other lane, pair, four and
/// eight of lanes from a later row leave the lanes that belong together.
template <typename V, int kTableRows>
void keyProductPanel(const KeyProductTask& task) {
    static_assert(kLanes % kTableRows == 0);
    const int distances = static_cast<int>(task.lanes.end - task.lanes.begin) + task.rows - 1;
    // Counted from the lowest distance, that of the first wanted lane and the last query.
    const std::int32_t* rowOf = task.rowOf + task.lanes.begin - (task.rows - 1);
    const std::int32_t one = rowOf[0];
    const std::int32_t another = rowOf[distances - 1];
    const std::int32_t first = (one < another ? one : another) / kTableRows * kTableRows;
    const std::int32_t end = (one < another ? another : one) + 1;
    constexpr int kMostDistances = kMostKeyProductRows + kLanes - 1;
    alignas(64) float products[(kMostDistances + 2 * kTableRows) * kLanes];
    tableProducts<V, kTableRows>(task, first, end, products);

    // Where the products of each distance lie; beyond the wanted ones those of the nearest, which no wanted
    // lane takes.
    constexpr int kGroups = (kMostKeyProductRows + kLanes - 1) / kLanes;
    std::int32_t at[(kGroups + 1) * kLanes];
    const int begin = static_cast<int>(task.lanes.begin);
    const int groups = (task.rows + kLanes - 1) / kLanes;
    for (int i = 0; i < (groups + 1) * kLanes; ++i) {
        const int distance = i < begin ? 0 : i - begin < distances ? i - begin : distances - 1;
        at[i] = (rowOf[distance] - first) * kLanes;
    }
    for (int group = 0; group < groups; ++group) {
        V lanes[2 * kLanes - 1];
#pragma GCC unroll 32
        for (int i = 0; i < 2 * kLanes - 1; ++i) lanes[i] = V::load(products + at[group * kLanes + i]);
#pragma GCC unroll 32
        for (int i = 0; i < 2 * kLanes - 2; ++i) lanes[i] = V::template pick<1>(lanes[i], lanes[i + 1]);
#pragma GCC unroll 32
        for (int i = 0; i < 2 * kLanes - 4; ++i) lanes[i] = V::template pick<2>(lanes[i], lanes[i + 2]);
#pragma GCC unroll 32
        for (int i = 0; i < 2 * kLanes - 8; ++i) lanes[i] = V::template pick<4>(lanes[i], lanes[i + 4]);
#pragma GCC unroll 32
        for (int i = 0; i < kLanes; ++i) lanes[i] = V::template pick<8>(lanes[i], lanes[i + 8]);
        // The lowest distances belong to the last queries.
        for (int i = 0; i < kLanes && group * kLanes + i < task.rows; ++i) {
            const int row = task.rows - 1 - group * kLanes - i;
            const std::int64_t from = task.visible[row].begin - task.column;
            const std::int64_t to = task.visible[row].end - task.column;
            float* cells = task.cells + row * task.stride;
            if (from <= 0 && to >= kLanes) {
                V::store(cells + task.column, V::add(V::load(cells + task.column), lanes[i]));
                continue;
            }
            alignas(64) float part[kLanes];
            V::store(part, lanes[i]);
            for (std::int64_t k = from > 0 ? from : 0; k < (to < kLanes ? to : kLanes); ++k)
                cells[task.column + k] += part[k];
        }
    }
}

} // namespace
} // namespace headscope::kernel
