// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"

#include <vector>

namespace headscope {

/// Sizes of what heads pass on through their slices of W_O, float32 on the CPU. ||x W|| is taken as
/// sqrt(x (W Wᵀ) xᵀ) with one Gram matrix a head: as many products as W_O itself, whatever the model size.
class SliceNorms {
  public:
    /// `outputWeight` [d_model, heads * headSize].
    SliceNorms(const AttentionShape& shape, const at::Tensor& outputWeight);

    /// [heads * rows], head-major: norms of `heads` [rows, heads * headSize] behind the slices.
    std::vector<float> ofOutputs(const at::Tensor& outputs) const;
    /// The same of values [rows, keyValueHeads * headSize], which query heads share.
    std::vector<float> ofValues(const at::Tensor& values) const;

  private:
    std::vector<float> norms(const at::Tensor& rows, std::int64_t rowHeads) const;

    AttentionShape m_shape;
    at::Tensor m_gram; ///< [heads, headSize, headSize]
};

} // namespace headscope
