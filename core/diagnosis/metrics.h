// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/offset_metrics.h"
#include "core/diagnosis/token_metrics.h"
#include "core/maps/head_map.h"
#include "core/maps/row_accumulator.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope {

/// n_min: rows that see fewer keys carry no information and enter no mean.
inline constexpr std::int64_t kMinimumVisibleKeys = 8;

/// The column that most weight falls on.
struct ColumnMetrics {
    std::int64_t column = 0;
    std::int64_t rows = 0;   ///< |C_k|: rows of R that see the column, own row excluded in self-attention
    double mass = 0.0;       ///< alpha_k: mean of A_ik over C_k
    double chance = 0.0;     ///< e: mean of 1/n_i over C_k
    double kappa = 0.0;      ///< (mass - chance) / (1 - chance)
    double modalShare = 0.0; ///< share of C_k whose argmax is the column
};

/// Numbers of one head on one text. Means are over R: real queries that see at least kMinimumVisibleKeys
/// keys. A learned sink takes a share of each row: the shape (entropy to confidence) is that of the weights
/// divided by what it left, without the rows of which it left nothing (0 where those are all); masses are not
/// divided.
struct HeadMetrics {
    std::int64_t keys = 0;                ///< keys that are no padding
    std::int64_t rows = 0;                ///< |R|
    bool causal = false;                  ///< no query sees a later key
    double entropy = 0.0;                 ///< mean H_i, nats
    double normalizedEntropy = 0.0;       ///< mean H_i / ln n_i
    double klToUniform = 0.0;             ///< mean D_i = ln n_i - H_i, nats
    double tvToUniform = 0.0;             ///< mean of half the sum of |A_ij - 1/n_i|
    double confidence = 0.0;              ///< mean of the largest weight of a row
    double sinkWeight = 0.0;              ///< mean weight that the learned sink took; 0 without one
    std::optional<ColumnMetrics> column;  ///< none when no column counts (narrow windows, too few rows)
    std::optional<OffsetMetrics> offsets; ///< self-attention only
    std::optional<TokenMetrics> tokens;   ///< none where the tokens are not known
    double scoreMaximum = 0.0;            ///< largest visible score of all rows of R, before the softmax
    double saturatedRows = 0.0;  ///< share of R whose largest weight is at least 0.99 (of what a sink left)
    double meanOutputNorm = 0.0; ///< mean ||sum_j A_ij v_j|| before W_O
    double columnValueNormRatio = 0.0; ///< ||v|| of that column / median over keys; 0 when there is no column
};

/// Fills in the mean mass at a far offset, which only the map knows, where the offset could be a finding.
void measureModeMass(HeadMetrics& metrics, const HeadMap& map, const MaskRule& mask);

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

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headscope
