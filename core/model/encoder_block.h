// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/model/model_spec.h"
#include "core/model/weight_loader.h"

namespace headscope {

/// In place where the kernel allows. The fused kernels of LibTorch: the tanh form written out is eight times
/// slower for the same numbers within 5e-7.
at::Tensor applyActivation(Activation activation, at::Tensor input);

/// The post-LN encoder block (Vaswani et al. 2017; BERT, RoBERTa, ELECTRA, DistilBERT):
///   h = LN(x + attention(x)),  y = LN(h + W2 act(W1 h)).
class PostNormBlock {
  public:
    struct Weights {
        NormWeights attentionNorm;
        LinearWeights intermediate; ///< [intermediateSize, hiddenSize]
        LinearWeights output;       ///< [hiddenSize, intermediateSize]
        NormWeights outputNorm;
    };
    PostNormBlock(MultiHeadAttention attention, Weights weights, Activation activation);

    /// [tokens, hiddenSize] -> [tokens, hiddenSize].
    at::Tensor forward(const at::Tensor& input, const AttentionCall& call) const;

  private:
    at::Tensor feedForward(const at::Tensor& input) const;

    MultiHeadAttention m_attention;
    Weights m_weights;
    Activation m_activation;
};

} // namespace headscope
