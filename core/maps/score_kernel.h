// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/matrix_view.h"
#include "core/maps/panels.h"
#include "core/maps/score_rule.h"

#include <cstdint>
#include <string_view>

/// The one score kernel. Strip, tile, row and cell all pass through it and are equal to the bit, on every
/// instruction set: each cell is a dot product in ascending dimension with one float32 fused multiply-add
/// accumulator, and every sum has an order fixed by key numbers alone. It is pure: no state, any number of
/// threads.
namespace headscope {

/// Instruction sets the kernel is compiled for. All give the same bits.
enum class Isa { Scalar, Avx2, Avx512 };

std::string_view nameOf(Isa isa);
bool isSupported(Isa isa); ///< by this processor (and this build)
Isa bestIsa();             ///< the fastest supported one; HEADSCOPE_ISA=scalar|avx2|avx512 lowers it

/// What one row needs so that any of its cells can be computed again: weight = exp(score - maximum) / sum.
struct RowNormaliser {
    float maximum = 0.0F; ///< m, the largest visible score; -infinity for a row that sees nothing
    float sum = 0.0F;     ///< l, the sum of exp(score - m) over visible keys; 0 for a row that sees nothing
};

/// Sums that fall out of the same exponentials.
struct RowSums {
    RowNormaliser normaliser;
    double weightedScore = 0.0; ///< u = sum of exp(s - m) * (s - m); entropy = ln l - u / l (nats)
    double weightSum = 0.0; ///< sum of the row's weights, in double: 1 but for rounding, 0 if it sees nothing
};

/// Where scores come from: s(i, j) = scale * (q_i . k_j).
struct ScoreSource {
    MatrixView<const float> queries; ///< [queries, headSize]
    const KeyPanels& keys;
    float scale = 1.0F;
};

/// A rectangle of a map.
struct Region {
    Span rows;
    Span columns;
};

/// Scores of a region into `out` [rows.size(), columns.size()], whether visible or not.
void scoreBlock(const ScoreSource& source, const Region& region, MatrixView<float> out, Isa isa = bestIsa());

/// The same for the cells of the region that `mask` shows; hidden cells are left as they are or overwritten
/// with their scores, whichever is cheaper. Key panels that no row of a block can reach are skipped.
void scoreVisible(const ScoreSource& source, const MaskRule& mask, const Region& region,
                  MatrixView<float> out, Isa isa = bestIsa());

/// Scores -> weights in place for whole rows (all keys): finds m over the visible scores, exponentiates, sums
/// l, divides. Row r of `strip` is query rows.begin + r. Masked cells become 0 (they are not read). exp below
/// 2^-126 is written as 0, and so is a weight below it: subnormal numbers slow later sums several times.
/// `sums` is [rows.size()]. l and u are added in 16 float32 lanes (key modulo 16) within blocks of 256 keys,
/// the lanes of all blocks in double.
void softmaxRows(const MaskRule& mask, Span rows, MatrixView<float> strip, RowSums* sums,
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
