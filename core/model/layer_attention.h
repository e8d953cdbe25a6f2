// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/position/position_maker.h"
#include "core/model/stack_pass.h"

namespace headscope {

/// The attention of one layer with its weights: multi-head attention under the rule that its spec describes.
class LayerAttention {
  public:
    /// Throws Error for missing or misshaped tensors. `keySize` is the width of what keys and values come
    /// from.
    LayerAttention(const WeightLoader& loader, const AttentionSpec& spec, const TransformerSpec& stack,
                   std::int64_t keySize);

    /// [tokens, model size] -> the same; `keysFrom` [keys, keySize] is `input` in self-attention.
    at::Tensor forward(const at::Tensor& input, const at::Tensor& keysFrom, AttentionKind kind,
                       StackPass& pass) const;

  private:
    LayerAttention(const WeightLoader& loader, const AttentionSpec& spec, const TransformerSpec& stack,
                   const MultiHeadAttention::Weights& weights);
    std::shared_ptr<const PositionTerms> positionTerms(const ProjectedHeads& heads, const ScoreRule& rule,
                                                       StackPass& pass) const;

    AttentionSpec m_spec;
    MultiHeadAttention m_attention;
    std::unique_ptr<const PositionMaker> m_position; ///< null: none
    std::vector<float> m_sinks;
};

} // namespace headscope
