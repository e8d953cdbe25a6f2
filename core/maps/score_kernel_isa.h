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

/// One row: adds to each cell the product of its query with the table row that belongs to its distance.
struct LookUpTask {
    float* cells; ///< [count]
    std::int64_t count;
    const float* products; ///< of the table rows from firstRow on; 16 numbers beyond the last are readable
    const std::int32_t* rowOf; ///< [count], in steps of at most one row, always up or always down
    std::int32_t firstRow;
};

inline constexpr int kMostKeyProductRows = 96;

/// Adds the products of one panel of keys with rows of a table to up to kMostKeyProductRows rows of scores.
struct KeyProductTask {
    const float* table; ///< [panels][headSize][16]
    std::int64_t headSize;
    float scale;
    const float* keys;         ///< [headSize][16]
    const std::int32_t* rowOf; ///< of lane 0 and the first row; lane k and row r have rowOf[k - r]
    Range lanes;               ///< of the panel that some row wants
    float* cells;              ///< [rows]
    std::int64_t stride;
    int rows;
    std::int64_t column;  ///< of lane 0 among the cells; below 0 where they begin within the panel
    const Range* visible; ///< [rows], the cells wanted
};

/// The other terms of one row. Null: no such term.
struct TermTask {
    float* cells; ///< [count]
    std::int64_t count;
    const float* keyBias;            ///< [count]
    const float* distanceBias;       ///< [count]
    const std::uint8_t* keySegments; ///< [count]
    std::uint8_t querySegment;
    float sameSegment;
    float otherSegment;
    float softCap; ///< 0: none
    float capRate; ///< 2 log2(e) / softCap
};

struct RowResult {
    float maximum = 0.0F;
    float sum = 0.0F;
    double visibleSum = 0.0;
    double weightedScore = 0.0;
    double scoreSum = 0.0;
    double scoreSquares = 0.0;
    double weightSum = 0.0;
    double sinkWeight = 0.0;
};

/// One whole row, scores -> weights in place.
struct SoftmaxTask {
    float* row; ///< [keys]
    std::int64_t keys;
    const Range* visible; ///< ascending, disjoint
    std::int64_t visibleCount;
    float sink; ///< -infinity: none
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
    void (*lookUp)(const LookUpTask&);
    void (*keyProduct)(const KeyProductTask&);
    void (*terms)(const TermTask&);
    RowResult (*softmax)(const SoftmaxTask&);
    void (*weights)(const WeightTask&);
    void (*mix)(const MixTask&);
};

/// nullptr where this build has no such code.
const KernelTable* scalarKernel();
const KernelTable* avx2Kernel();
const KernelTable* avx512Kernel();

} // namespace headscope::kernel
