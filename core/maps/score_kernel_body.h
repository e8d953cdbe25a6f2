// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/score_terms_body.h"

/// The body of the score kernel, compiled once for each instruction set. The including file defines, in an
/// anonymous namespace, a type `Lanes` of 16 float32 numbers with the operations used below, each with the
/// same result for each lane on every instruction set, and a type `DoubleLanes` of 16 doubles. Everything
/// here has internal linkage and calls no library function, so that no code of one instruction set can be
/// linked into another's path.
namespace headscope::kernel {
namespace {

constexpr float kLowestNormal = 0x1p-126F;
/// The smallest float whose exponential is at least 2^-126.
constexpr float kLowestExponent = -0x1.5d589ep+6F;

/// exp(x) for x <= 0, 0 below 2^-126; exp(0) is 1 exactly, NaN stays NaN. x = n ln 2 + r with |r| <= ln 2 /
/// 2, Cody-Waite reduction (n times the short first part of ln 2 is exact), then a minimax polynomial of
/// degree 6 on r whose own relative error is 3.1e-9, by fused multiply-adds alone.
template <typename V>
inline V expOf(V x) {
    // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits of the sum.
    const V shifted = V::fma(x, V::broadcast(0x1.715476p+0F), V::broadcast(0x1.8p+23F));
    const V n = V::sub(shifted, V::broadcast(0x1.8p+23F));
    V r = V::fma(n, V::broadcast(-0x1.63p-1F), x);
    r = V::fma(n, V::broadcast(0x1.bd0106p-13F), r);
    V p = V::broadcast(0x1.6a23dp-10F);
    p = V::fma(p, r, V::broadcast(0x1.123a2p-7F));
    p = V::fma(p, r, V::broadcast(0x1.5558f2p-5F));
    p = V::fma(p, r, V::broadcast(0x1.555492p-3F));
    p = V::fma(p, r, V::broadcast(0x1.fffffcp-2F));
    p = V::fma(p, r, V::broadcast(1.0F));
    p = V::fma(p, r, V::broadcast(1.0F));
    return V::zeroWhereLess(x, V::broadcast(kLowestExponent), V::mul(p, V::powerOfTwo(shifted)));
}

template <typename V>
inline V weightOf(V exponential, V sum) {
    const V weight = V::div(exponential, sum);
    return V::zeroWhereLess(weight, V::broadcast(kLowestNormal), weight);
}

inline void fillZero(float* at, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) at[i] = 0.0F;
}

/// Calls whole(key) for vectors of 16 keys that start at a multiple of 16 and part(key, begin, end) for cut
/// ones, in ascending order; `key` is the first visible one.
template <typename Whole, typename Part>
inline void forEachVector(const Range* visible, std::int64_t count, Whole whole, Part part) {
    for (std::int64_t s = 0; s < count; ++s) {
        std::int64_t key = visible[s].begin;
        const std::int64_t end = visible[s].end;
        const int first = static_cast<int>(key % kLanes);
        if (first != 0) {
            const std::int64_t stop = key - first + kLanes < end ? key - first + kLanes : end;
            part(key, first, first + static_cast<int>(stop - key));
            key = stop;
        }
        for (; key + kLanes <= end; key += kLanes) whole(key);
        if (key < end) part(key, 0, static_cast<int>(end - key));
    }
}

/// Zeroes what lies between and around the visible ranges.
inline void zeroGaps(float* cells, std::int64_t count, const Range* visible, std::int64_t ranges) {
    std::int64_t at = 0;
    for (std::int64_t s = 0; s < ranges; ++s) {
        fillZero(cells + at, visible[s].begin - at);
        at = visible[s].end;
    }
    fillZero(cells + at, count - at);
}

/// Sums of one row in an order that depends on key numbers alone.
template <typename V, typename D>
struct OrderedSums {
    static constexpr int kSums = 4;
    V inBlock[kSums] = {V::broadcast(0.0F), V::broadcast(0.0F), V::broadcast(0.0F), V::broadcast(0.0F)};
    D total[kSums] = {D::zero(), D::zero(), D::zero(), D::zero()};
    std::int64_t block = 0;

    void moveTo(std::int64_t key) {
        if (key / kSumBlock != block) {
            flush();
            block = key / kSumBlock;
        }
    }
    void flush() {
        for (int i = 0; i < kSums; ++i) {
            total[i] = D::add(total[i], inBlock[i]);
            inBlock[i] = V::broadcast(0.0F);
        }
    }
};

template <typename D>
inline double sumOf(D lanes) {
    double buffer[kLanes];
    D::store(buffer, lanes);
    double sum = 0.0;
    for (const double lane : buffer) sum += lane;
    return sum;
}

template <typename V>
inline float maximumOf(const SoftmaxTask& task) {
    const float lowest = -__builtin_inff();
    V largest = V::broadcast(lowest);
    forEachVector(
        task.visible, task.visibleCount,
        [&](std::int64_t key) { largest = V::max(largest, V::load(task.row + key)); },
        [&](std::int64_t key, int begin, int end) {
            largest = V::max(largest, loadPart<V>(task.row + key, begin, end, lowest));
        });
    alignas(64) float buffer[kLanes];
    V::store(buffer, largest);
    float maximum = task.sink;
    for (const float lane : buffer) maximum = maximum > lane ? maximum : lane;
    return maximum;
}

template <typename V, typename D>
RowResult softmaxRow(const SoftmaxTask& task) {
    const float lowest = -__builtin_inff();
    if (task.visibleCount == 0 && task.sink == lowest) {
        fillZero(task.row, task.keys);
        return {.maximum = lowest};
    }
    const float maximum = maximumOf<V>(task);
    const V m = V::broadcast(maximum);
    OrderedSums<V, D> sums;
    const auto exponentiate = [&](V x, V e) {
        sums.inBlock[0] = V::add(sums.inBlock[0], e);
        sums.inBlock[1] = V::fma(e, x, sums.inBlock[1]);
        sums.inBlock[2] = V::add(sums.inBlock[2], x);
        sums.inBlock[3] = V::fma(x, x, sums.inBlock[3]);
    };
    forEachVector(
        task.visible, task.visibleCount,
        [&](std::int64_t key) {
            sums.moveTo(key);
            const V x = V::sub(V::load(task.row + key), m);
            const V e = expOf(x);
            exponentiate(x, e);
            V::store(task.row + key, e);
        },
        [&](std::int64_t key, int begin, int end) {
            sums.moveTo(key);
            const V x = V::sub(loadPart<V>(task.row + key, begin, end, maximum), m);
            const V e = zeroOutside(expOf(x), begin, end);
            exponentiate(x, e);
            storePart(task.row + key, begin, end, e);
        });
    sums.flush();
    double sink = 0.0;
    if (task.sink != lowest) {
        // The same exponential as a key's: a sink is one more score and nothing else.
        alignas(64) float lanes[kLanes];
        V::store(lanes, expOf(V::sub(V::broadcast(task.sink), m)));
        sink = static_cast<double>(lanes[0]);
    }
    const double visibleSum = sumOf(sums.total[0]);
    const auto sum = static_cast<float>(visibleSum + sink);
    const V l = V::broadcast(sum);
    D weightSum = D::zero();
    forEachVector(
        task.visible, task.visibleCount,
        [&](std::int64_t key) {
            const V weight = weightOf(V::load(task.row + key), l);
            weightSum = D::add(weightSum, weight);
            V::store(task.row + key, weight);
        },
        [&](std::int64_t key, int begin, int end) {
            const V weight = weightOf(loadPart<V>(task.row + key, begin, end, 0.0F), l);
            weightSum = D::add(weightSum, weight);
            storePart(task.row + key, begin, end, weight);
        });
    zeroGaps(task.row, task.keys, task.visible, task.visibleCount);
    const double sinkWeight = task.sink != lowest ? sink / static_cast<double>(sum) : 0.0;
    return {.maximum = maximum,
            .sum = sum,
            .visibleSum = visibleSum,
            .weightedScore = sumOf(sums.total[1]),
            .scoreSum = sumOf(sums.total[2]),
            .scoreSquares = sumOf(sums.total[3]),
            .weightSum = sumOf(weightSum),
            .sinkWeight = sinkWeight};
}

template <typename V>
void weightRow(const WeightTask& task) {
    const V m = V::broadcast(task.maximum);
    const V l = V::broadcast(task.sum);
    const auto weights = [&](V scores) { return weightOf(expOf(V::sub(scores, m)), l); };
    forEachVector(
        task.visible, task.visibleCount,
        [&](std::int64_t key) { V::store(task.cells + key, weights(V::load(task.cells + key))); },
        [&](std::int64_t key, int begin, int end) {
            const V scores = loadPart<V>(task.cells + key, begin, end, task.maximum);
            storePart(task.cells + key, begin, end, weights(scores));
        });
    zeroGaps(task.cells, task.count, task.visible, task.visibleCount);
}

/// One tile in registers: kRows queries against kPanels panels.
template <typename V, int kRows, int kPanels>
void scoreTile(const ScoreTask& task) {
    V sums[kRows][kPanels];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
        for (int p = 0; p < kPanels; ++p) sums[r][p] = V::broadcast(0.0F);
    const std::int64_t panelSize = task.headSize * kLanes;
    for (std::int64_t d = 0; d < task.headSize; ++d) {
        V keys[kPanels];
#pragma GCC unroll 8
        for (int p = 0; p < kPanels; ++p) keys[p] = V::load(task.panels + p * panelSize + d * kLanes);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const V query = V::broadcast(task.queries[r * task.queryStride + d]);
#pragma GCC unroll 8
            for (int p = 0; p < kPanels; ++p) sums[r][p] = V::fma(query, keys[p], sums[r][p]);
        }
    }
    const V scale = V::broadcast(task.scale);
    const bool whole = task.lanes.begin <= 0 && task.lanes.end >= kPanels * kLanes;
    alignas(64) float edge[kRows][kPanels * kLanes];
    float* out = whole ? task.out : edge[0];
    const std::int64_t stride = whole ? task.outStride : kPanels * kLanes;
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
        for (int p = 0; p < kPanels; ++p) V::store(out + r * stride + p * kLanes, V::mul(scale, sums[r][p]));
    if (whole) return;
    for (int r = 0; r < kRows; ++r)
        for (std::int64_t i = task.lanes.begin; i < task.lanes.end; ++i)
            task.out[r * task.outStride + i - task.lanes.begin] = edge[r][i];
}

template <typename V, int kRows, int kPanels>
void mixTile(const MixTask& task) {
    V sums[kRows][kPanels];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
        for (int p = 0; p < kPanels; ++p) sums[r][p] = V::broadcast(0.0F);
    for (std::int64_t key = 0; key < task.keys; ++key) {
        V values[kPanels];
#pragma GCC unroll 8
        for (int p = 0; p < kPanels; ++p)
            values[p] = V::load(task.values + key * task.valueStride + p * kLanes);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const V weight = V::broadcast(task.weights[r * task.weightStride + key]);
#pragma GCC unroll 8
            for (int p = 0; p < kPanels; ++p) sums[r][p] = V::fma(weight, values[p], sums[r][p]);
        }
    }
    alignas(64) float block[kRows][kPanels * kLanes];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
        for (int p = 0; p < kPanels; ++p) V::store(block[r] + p * kLanes, sums[r][p]);
    for (int r = 0; r < kRows; ++r)
        for (std::int64_t c = 0; c < task.columns; ++c) task.out[r * task.outStride + c] += block[r][c];
}

/// Cuts a task into tiles of kRows, then 2, then 1 rows: few enough kinds to compile soon, each in registers.
template <typename V, int kRows, int kPanels>
void scoreRows(ScoreTask task) {
    for (int left = task.rows; left > 0;) {
        const int rows = left >= kRows ? kRows : left >= 2 ? 2 : 1;
        if (rows == kRows)
            scoreTile<V, kRows, kPanels>(task);
        else if (rows == 2)
            scoreTile<V, 2, kPanels>(task);
        else
            scoreTile<V, 1, kPanels>(task);
        task.queries += rows * task.queryStride;
        task.out += rows * task.outStride;
        left -= rows;
    }
}

template <typename V, int kRows, int kPanels>
void scoreTiles(const ScoreTask& task) {
    if (task.panelCount == kPanels) return scoreRows<V, kRows, kPanels>(task);
    for (int p = 0; p < task.panelCount; ++p) {
        ScoreTask panel = task;
        const std::int64_t base = p * kLanes;
        const std::int64_t begin = task.lanes.begin > base ? task.lanes.begin - base : 0;
        const std::int64_t end = task.lanes.end - base < kLanes ? task.lanes.end - base : kLanes;
        if (begin >= end) continue;
        panel.panels += p * task.headSize * kLanes;
        panel.lanes = {begin, end};
        panel.out += base + begin - task.lanes.begin;
        scoreRows<V, kRows, 1>(panel);
    }
}

template <typename V, int kRows, int kPanels>
void mixRows(MixTask task) {
    for (int left = task.rows; left > 0;) {
        const int rows = left >= kRows ? kRows : left >= 2 ? 2 : 1;
        if (rows == kRows)
            mixTile<V, kRows, kPanels>(task);
        else if (rows == 2)
            mixTile<V, 2, kPanels>(task);
        else
            mixTile<V, 1, kPanels>(task);
        task.weights += rows * task.weightStride;
        task.out += rows * task.outStride;
        left -= rows;
    }
}

template <typename V, int kRows, int kPanels>
void mixTiles(const MixTask& task) {
    if (task.panelCount == kPanels) return mixRows<V, kRows, kPanels>(task);
    for (int p = 0; p < task.panelCount; ++p) {
        MixTask panel = task;
        panel.values += p * kLanes;
        panel.out += p * kLanes;
        panel.columns = task.columns - p * kLanes < kLanes ? task.columns - p * kLanes : kLanes;
        mixRows<V, kRows, 1>(panel);
    }
}

/// kRows x kPanels is the tile of products that fits the registers, kTableRows the rows of a table beside it
/// for one panel of keys.
template <typename V, typename D, int kRows, int kPanels, int kTableRows>
constexpr KernelTable tableOf() {
    return {kRows,
            kPanels,
            &scoreTiles<V, kRows, kPanels>,
            &lookUpRow<V>,
            &keyProductPanel<V, kTableRows>,
            &termRow<V>,
            &softmaxRow<V, D>,
            &weightRow<V>,
            &mixTiles<V, kRows, kPanels>};
}

} // namespace
} // namespace headscope::kernel
