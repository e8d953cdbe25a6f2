// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/attention_kind.h"
#include "core/maps/layer_maps.h"
#include "core/maps/row_accumulator.h"

#include <memory>
#include <vector>

namespace headscope {

/// Which attention layer is about to run, and how large.
struct AttentionLayer {
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer;
    int heads = 0;
    int keyValueHeads = 0;
    std::int64_t headSize = 0;
    const ScoreRule* rule = nullptr; ///< valid during the call
};

/// Largest deviations found while a layer ran; said on screen, and a note above the stated bounds.
struct LayerChecks {
    double rowSumError = 0.0; ///< largest |sum of a row + its sink's weight - 1|, summed in double
    double outputError = 0.0; ///< largest |HeadMap row x V - strip output| over up to 8 rows a head
};

/// Norms of what each head adds: means over the rows of R (MaskRule::isCounted), 0 where there are none.
struct HeadOutputNorms {
    std::vector<double> meanNorm; ///< [heads], of ||sum_j A_ij v_j||, before W_O
    std::vector<double>
        projectedNorm; ///< [heads], behind the head's slice of W_O; empty where W_O is not known
};

/// Listens to the attention layers of a forward pass (no torch type crosses this border).
class AttentionObserver {
  public:
    virtual ~AttentionObserver() = default;
    /// Before a layer reads its tokens' states: the mean cosine between all pairs of them. 1: all are alike,
    /// and no head can tell them apart. Not called for fewer than two tokens.
    virtual void seeStates(AttentionKind, LayerIndex, double /*meanCosine*/) {}
    /// Before the strips. The accumulators returned are fed with every row block and stay owned by the
    /// observer.
    virtual std::vector<RowAccumulator*> beginLayer(const AttentionLayer& layer) = 0;
    virtual void endLayer(const AttentionLayer& layer, std::shared_ptr<const LayerMaps> maps,
                          const LayerChecks& checks, const HeadOutputNorms& norms) = 0;
};

} // namespace headscope
