// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// What each instruction set offers to score_kernel.cpp. Plain structs only: this header is compiled with AVX
/// flags, and an inline function emitted there could be the copy that the linker keeps for processors without
/// AVX.
namespace headscope::kernel {

inline constexpr std::int64_t kSumBlock =
    256; ///< keys that are added in float32 before a sum goes on in double

/// Keys [begin, end).
struct Range {
    std::int64_t begin;
    std::int64_t end;
};

/// Scores of up to rowsPerBlock queries against up to panelsPerBlock neighbouring key panels.
struct ScoreTask {
    const float* queries; ///< [rows, headSize]
    std::int64_t queryStride;
    int rows;
    const float* panels; ///< [panelCount][headSize][16]
    int panelCount;
    std::int64_t headSize;
    float scale;
    Range lanes; ///< keys wanted, counted from the first panel's first
    float* out;  ///< [rows, lanes]
    std::int64_t outStride;
};

struct RowResult {
    float maximum;
    float sum;
    double weightedScore;
    double weightSum;
};

/// One whole row, scores -> weights in place.
struct SoftmaxTask {
    float* row; ///< [keys]
    std::int64_t keys;
    const Range* visible; ///< ascending, disjoint
    std::int64_t visibleCount;
};

/// Part of a row, scores -> weights in place, given its normaliser.
struct WeightTask {
    float* cells; ///< [count]
    std::int64_t count;
    const Range* visible; ///< ascending, disjoint, within [0, count)
    std::int64_t visibleCount;
    float maximum;
    float sum;
};

/// Weights x values for up to rowsPerBlock rows, up to panelsPerBlock x 16 columns and at most kSumBlock
/// keys.
struct MixTask {
    const float* weights; ///< [rows, keys]
    std::int64_t weightStride;
    int rows;
    std::int64_t keys;
    const float* values; ///< [keys][valueStride]
    std::int64_t valueStride;
    int panelCount;
    std::int64_t columns; ///< of them are stored
    float* out;           ///< [rows, columns], added to
    std::int64_t outStride;
};

struct KernelTable {
    int rowsPerBlock;
    int panelsPerBlock;
    void (*score)(const ScoreTask&);
    RowResult (*softmax)(const SoftmaxTask&);
    void (*weights)(const WeightTask&);
    void (*mix)(const MixTask&);
};

/// nullptr where this build has no such code.
const KernelTable* scalarKernel();
const KernelTable* avx2Kernel();
const KernelTable* avx512Kernel();

} // namespace headscope::kernel
