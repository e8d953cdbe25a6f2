// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/column_metrics.h"
#include "core/diagnosis/offset_metrics.h"
#include "core/diagnosis/token_metrics.h"
#include "core/maps/row_accumulator.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// The four heaviest content keys: do most rows rest on them?
struct BroadcastMetrics {
    std::array<std::int64_t, 4> columns{}; ///< by mass summed over C_k, the heaviest first
    std::int64_t rows = 0;                 ///< of R that see one of them, their own left out
    double share = 0.0; ///< of these rows that give half of their weight or more to the four
};

/// Numbers of one head on one text. Means are over R (MaskRule::isCounted). A learned sink takes a share of
/// each row: the shape (entropy to confidence) is that of the weights divided by what it left, without the
/// rows of which it left nothing (0 where those are all); masses are not divided.
struct HeadMetrics {
    std::int64_t keys = 0;          ///< keys that are no padding
    std::int64_t rows = 0;          ///< |R|
    bool causal = false;            ///< no query sees a later key
    double entropy = 0.0;           ///< mean H_i, nats
    double normalizedEntropy = 0.0; ///< mean H_i / ln n_i
    double klToUniform = 0.0;       ///< mean D_i = ln n_i - H_i, nats
    double tvToUniform = 0.0;       ///< mean of half the sum of |A_ij - 1/n_i|
    double confidence = 0.0;        ///< mean of the largest weight of a row
    double sinkWeight = 0.0;        ///< mean weight that the learned sink took; 0 without one
    ColumnTable columns;            ///< empty where no row counts
    std::optional<ColumnMetrics>
        column; ///< the heaviest; none when no column counts (narrow windows, too few rows)
    std::optional<BroadcastMetrics> broadcast; ///< none when fewer than five content columns count
    std::optional<OffsetMetrics> offsets;      ///< self-attention only
    std::optional<TokenMetrics> tokens;        ///< none where the tokens are not known
    /// Of the visible scores before the softmax; none where only weights are known.
    std::optional<double> scoreMaximum;   ///< the largest of all rows of R
    std::optional<double> scoreDeviation; ///< mean over R of their standard deviation within a row
    double saturatedRows = 0.0;  ///< share of R whose largest weight is at least 0.99 (of what a sink left)
    double meanOutputNorm = 0.0; ///< mean ||sum_j A_ij v_j|| before W_O
    /// AHON-LN: that over its mean over the heads of the layer; none where the values are not known, or where
    /// all of them are 0.
    std::optional<double> outputNormRatio;
    /// Mean ||W_O slice times that||, over its sum over the heads of the layer; none where W_O is not known.
    std::optional<double> outputShare;
    /// Share of that column in sum_ij A_ij ||v_j W_O||, own rows left out; 0 when there is no column.
    double columnNormWeightedMass = 0.0;
    /// ||v|| of that column over the median of all keys; none without a column, or without values.
    std::optional<double> columnValueNormRatio;
};

/// Feeds on row blocks; one for each layer.
class MetricsAccumulator final : public RowAccumulator {
  public:
    /// `facts`: of the keys; null: not known.
    MetricsAccumulator(int heads, const MaskRule& mask, bool selfAttention,
                       const TokenFacts* facts = nullptr);
    ~MetricsAccumulator() override;
    void observe(const RowBlock& block) override;
    /// Valid after all rows of the head were seen. Output norms and value norms are filled in by the caller.
    HeadMetrics result(HeadIndex head) const;
    /// [queries], as valid as result().
    std::span<const RowPeak> peaks(HeadIndex head) const;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headscope
