// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"

namespace headscope {

/// [tokens, count * headSize] -> [shape.heads, tokens, headSize]; key/value heads are repeated for the query
/// heads that share them.
at::Tensor headsFirst(const at::Tensor& tensor, const AttentionShape& shape, int count);

/// The scores of a ScoreRule by tensor operations, for all heads and a block of queries at a time, on the
/// device of the projected heads. Additions come in the rule's order, each product in whatever order the
/// device takes.
class TensorScores {
  public:
    /// The rule must outlive this object, and fit: ScoreRule::check.
    TensorScores(const AttentionShape& shape, const ProjectedHeads& heads, const ScoreRule& rule);

    /// [heads, rows.size(), keys], with every term and the cap; nothing is masked.
    at::Tensor rows(Span rows) const;

  private:
    /// A RelativeProduct on the device.
    struct Product {
        at::Tensor tables; ///< [heads, table rows, headSize]; undefined: no such term
        at::Tensor rowOf;  ///< [queries + keys - 1], int64
        float scale = 1.0F;
    };
    Product productOf(const RelativeProduct& product) const;
    at::Tensor distances(Span rows, Span keys) const;
    void addQueryProduct(at::Tensor& scores, Span rows) const;
    void addKeyProduct(at::Tensor& scores, Span rows) const;

    const ScoreRule& m_rule;
    at::Tensor m_queries; ///< [heads, queries, headSize]
    at::Tensor m_keys;    ///< [heads, keys, headSize]
    Product m_queryProduct;
    Product m_keyProduct;
    at::Tensor m_keyBias;       ///< [heads, 1, keys]; undefined where there is none, as below
    at::Tensor m_distanceBias;  ///< [heads, queries + keys - 1]
    at::Tensor m_querySegments; ///< [queries, 1]
    at::Tensor m_keySegments;   ///< [1, keys]
    at::Tensor m_sameSegment;   ///< [heads, queries, 1]
    at::Tensor m_otherSegment;
};

} // namespace headscope
