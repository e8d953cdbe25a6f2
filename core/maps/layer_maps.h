// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/maps/head_map.h"
#include "core/maps/score_kernel.h"
#include "core/maps/score_rule.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace headscope {

/// What generates all maps of one layer: linear in the number of tokens, shared by its heads.
/// Built by the attention core, immutable once published.
struct LayerMaps {
    int heads = 0;
    int keyValueHeads = 0; ///< query head h reads key/value head h / (heads / keyValueHeads)
    std::int64_t headSize = 0;
    ScoreRule rule;
    /// Queries after every transform, float32 [queries, heads * headSize]; `queriesOwner` keeps the memory
    /// alive.
    std::shared_ptr<const void> queriesOwner;
    MatrixView<const float> queries;
    std::vector<std::shared_ptr<const KeyPanels>> keys; ///< [keyValueHeads]
    PageVector<RowNormaliser> normalisers;              ///< [heads * queries], head-major
    std::vector<float> valueNorms;                      ///< [keyValueHeads * keys], Euclidean norm of v
    /// [heads * keys], norm of v behind the head's slice of W_O; empty where W_O is not known.
    std::vector<float> projectedValueNorms;

    /// Copies them, so that no larger tensor stays alive behind a slice.
    void keepQueries(MatrixView<const float> from);
    Extent extent() const { return {rule.mask.queries, rule.mask.keys}; }
    MatrixView<const float> queriesOf(HeadIndex head) const; ///< [queries, headSize]
    const KeyPanels& keysOf(HeadIndex head) const;
    ScoreSource sourceOf(HeadIndex head) const; ///< all that makes this head's scores; keys must be packed
    SoftmaxRule softmaxOf(HeadIndex head) const;
    const RowNormaliser* normalisersOf(HeadIndex head) const;
    /// [keys]: how much each key has to give to a head: the norm of its value, behind W_O where that is
    /// known.
    std::span<const float> addedNorms(HeadIndex head) const;
    /// Memory held. Position terms count in full in every layer that uses them, however many share them.
    std::size_t bytes() const;

    /// Score before the softmax, with every term of the rule, whether visible or not.
    float score(HeadIndex head, std::int64_t query, std::int64_t key) const;
};

/// The map of one head, recomputed from Q, K and the row normalisers wherever it is asked: strip, tile, row
/// and cell are equal to the bit.
std::shared_ptr<const HeadMap> recomputedMap(std::shared_ptr<const LayerMaps> layer, HeadIndex head);

} // namespace headscope
