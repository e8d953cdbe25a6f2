// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feed_forward.h"
#include "core/model/layer_attention.h"

#include <memory>
#include <optional>

namespace headscope {

/// The norms of a branch with their weights.
struct BranchNorms {
    std::optional<NormWeights> before;
    std::optional<NormWeights> onOutput;
    std::optional<NormWeights> after;

    BranchNorms() = default;
    BranchNorms(const WeightLoader& loader, const BranchSpec& spec, std::int64_t modelSize);
};

/// One layer of a stack with its weights: attention, perhaps cross-attention, feed-forward, and the norms and
/// sums around them in the order that the spec says.
class Block {
  public:
    /// Without an encoder `encoderSize` is 0, and cross-attention is not read. Throws Error for missing or
    /// misshaped tensors.
    Block(const WeightLoader& loader, const BlockSpec& spec, const TransformerSpec& stack,
          std::int64_t encoderSize);

    /// [tokens, model size] -> the same. Cross-attention runs when pass.encoderStates is defined.
    at::Tensor forward(const at::Tensor& input, StackPass& pass) const;

  private:
    at::Tensor parallel(const at::Tensor& input, StackPass& pass) const;
    /// after(x + scale * onOutput(part(before(x)))).
    template <typename Part>
    at::Tensor branch(const BranchNorms& norms, const at::Tensor& input, Part part) const;

    double m_residualScale;
    bool m_parallel;
    bool m_residualFromNorm;
    LayerAttention m_attention;
    BranchNorms m_attentionNorms;
    std::unique_ptr<const LayerAttention> m_cross; ///< null: none
    BranchNorms m_crossNorms;
    std::unique_ptr<const FeedForward> m_feedForward; ///< null: none
    BranchNorms m_feedForwardNorms;
};

} // namespace headscope
