// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_spec.h"
#include "core/model/weight_loader.h"

namespace headscope {

/// From last hidden states to a score for each word. The matrix is read from the file in pieces whenever it
/// is asked for, so that nothing of the size of the vocabulary is resident.
class OutputHead {
  public:
    /// `words`: the embedding's table, for heads tied to it. Throws Error for missing or misshaped tensors.
    OutputHead(const WeightLoader& loader, OutputHeadSpec spec, const RowTable& words,
               std::int64_t inputSize);

    /// [tokens, inputSize] -> [tokens, vocabulary] on the CPU.
    at::Tensor forward(const at::Tensor& hidden, const CancelToken& cancel) const;

  private:
    OutputHeadSpec m_spec;
    LinearWeights m_transform; ///< undefined: none
    std::optional<NormWeights> m_transformNorm;
    RowTable m_words;
    at::Tensor m_bias;
};

} // namespace headscope
