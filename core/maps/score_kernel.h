// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/matrix_view.h"
#include "core/maps/panels.h"
#include "core/maps/score_rule.h"

#include <cstdint>
#include <optional>
#include <string_view>

/// The one score kernel. Strip, tile, row and cell all pass through it and are equal to the bit, on every
/// instruction set: each product of a cell is a dot product in ascending dimension with one float32 fused
/// multiply-add accumulator, its terms are added in the order of ScoreRule, and every sum over keys has an
/// order fixed by key numbers alone. It is pure: no state, any number of threads.
namespace headscope {

/// Instruction sets the kernel is compiled for. All give the same bits.
enum class Isa { Scalar, Avx2, Avx512 };

std::string_view nameOf(Isa isa);
bool isSupported(Isa isa); ///< by this processor (and this build)
Isa bestIsa();             ///< the fastest supported one; HEADSCOPE_ISA=scalar|avx2|avx512 lowers it

/// What one row needs so that any of its cells can be computed again: weight = exp(score - maximum) / sum.
struct RowNormaliser {
    float maximum = 0.0F; ///< m, the largest visible score or sink; -infinity for a row that has neither
    float sum = 0.0F; ///< l, the sum of exp(score - m) over visible keys and the sink; 0 for a row without
};

/// Sums that fall out of the same exponentials.
struct RowSums {
    RowNormaliser normaliser;
    double visibleSum = 0.0;    ///< v = sum of exp(s - m) over visible keys alone; l without a sink
    double weightedScore = 0.0; ///< u = sum of exp(s - m) * (s - m); entropy of the weights divided by their
                                ///< sum = ln v - u / v (nats)
    double scoreSum = 0.0;      ///< sum of s - m over visible keys, and
    double scoreSquares = 0.0;  ///< of its square: the spread of the scores themselves
    double weightSum = 0.0; ///< sum of the row's weights, in double: 1 but for rounding and the sink, 0 if it
                            ///< sees nothing
    double sinkWeight = 0.0; ///< what the sink took; weightSum + sinkWeight is 1 but for rounding
};

/// One head's part of the terms of a ScoreRule, as plain pointers into it. Null: no such term.
struct ScoreTerms {
    struct Product {
        const KeyPanels* table = nullptr;
        const std::int32_t* rowOf = nullptr; ///< [queries + keys - 1]
        float scale = 1.0F;
    };
    std::int64_t queries = 0; ///< of the whole map: j - i + queries - 1 is an index
    Product query;
    Product key;
    const float* keyBias = nullptr;              ///< [keys]
    const float* distanceBias = nullptr;         ///< [queries + keys - 1]
    const std::uint8_t* querySegments = nullptr; ///< [queries]
    const std::uint8_t* keySegments = nullptr;   ///< [keys]
    const float* sameSegment = nullptr;          ///< [queries]
    const float* otherSegment = nullptr;         ///< [queries]
    float softCap = 0.0F;                        ///< 0: none

    bool empty() const; ///< no term and no cap
};

/// Where scores come from: s(i, j) = scale * (q_i . k_j) and the terms.
struct ScoreSource {
    MatrixView<const float> queries; ///< [queries, headSize]
    const KeyPanels& keys;
    float scale = 1.0F;
    ScoreTerms terms = {};
};

/// A rectangle of a map.
struct Region {
    Span rows;
    Span columns;
};

/// Scores of a region, with all terms, into `out` [rows.size(), columns.size()], whether visible or not.
void scoreBlock(const ScoreSource& source, const Region& region, MatrixView<float> out, Isa isa = bestIsa());

/// The same for the cells of the region that `mask` shows; hidden cells are left as they are or overwritten
/// with a score, terms or not, whichever is cheaper. Key panels that no row of a block can reach are skipped.
void scoreVisible(const ScoreSource& source, const MaskRule& mask, const Region& region,
                  MatrixView<float> out, Isa isa = bestIsa());

/// Who takes part in a head's softmax.
struct SoftmaxRule {
    const MaskRule& mask;
    std::optional<float> sink = {}; ///< the head's learned sink
};

/// Scores -> weights in place for whole rows (all keys): finds m over the visible scores, exponentiates, sums
/// l, divides. Row r of `strip` is query rows.begin + r. Masked cells become 0 (they are not read). exp below
/// 2^-126 is written as 0, and so is a weight below it: subnormal numbers slow later sums several times.
/// `sums` is [rows.size()]. v, u and the sums of scores are added in 16 float32 lanes (key modulo 16) within
/// blocks of 256 keys, the lanes of all blocks in double. With a sink, m is at least the sink and l is v +
/// exp(sink - m), added in double; a row that sees nothing then has m = sink, l = 1, no weight and
/// sinkWeight 1.
void softmaxRows(const SoftmaxRule& rule, Span rows, MatrixView<float> strip, RowSums* sums,
                 Isa isa = bestIsa());

/// Scores -> weights in place for a region, given the normalisers of its rows ([rows.size()]).
void weightsFromScores(const MaskRule& mask, const Region& region, const RowNormaliser* normalisers,
                       MatrixView<float> tile, Isa isa = bestIsa());

/// A strip of whole rows of weights, as softmaxRows() leaves it.
struct WeightStrip {
    const MaskRule& mask;
    Span rows;
    MatrixView<const float> weights; ///< [rows.size(), keys]
};

/// Weights x values: out(r, c) = sum over keys of weights(r, key) * values(key, c); `out` is [rows.size(),
/// headSize]. Keys are added in ascending order by float32 fused multiply-add within blocks of 256 keys, then
/// the blocks in float32.
void mixValues(const WeightStrip& strip, const ValueRows& values, MatrixView<float> out, Isa isa = bestIsa());

} // namespace headscope
