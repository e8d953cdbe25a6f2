// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/output_norms.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

/// Rows at a time: the products need as much memory as the rows themselves.
constexpr std::int64_t kChunk = 512;

} // namespace

SliceNorms::SliceNorms(const AttentionShape& shape, const at::Tensor& outputWeight) : m_shape(shape) {
    HS_CHECK_EQ(outputWeight.size(1), shape.heads * shape.headSize);
    const at::Tensor slices =
        outputWeight.unflatten(1, {shape.heads, shape.headSize}).permute({1, 2, 0}); // [heads, size, model]
    m_gram = at::bmm(slices, slices.transpose(1, 2)).to(at::kCPU);
}

std::vector<float> SliceNorms::norms(const at::Tensor& rows, std::int64_t rowHeads) const {
    const std::int64_t count = rows.size(0);
    std::vector<float> result(static_cast<std::size_t>(m_shape.heads * count));
    for (std::int64_t begin = 0; begin < count; begin += kChunk) {
        const std::int64_t size = std::min(kChunk, count - begin);
        at::Tensor heads = rows.narrow(0, begin, size)
                               .to(at::kCPU)
                               .unflatten(1, {rowHeads, m_shape.headSize})
                               .transpose(0, 1);
        if (rowHeads != m_shape.heads) heads = heads.repeat_interleave(m_shape.heads / rowHeads, 0);
        // Rounding may leave a hair below 0.
        const at::Tensor norms =
            at::bmm(heads, m_gram).mul_(heads).sum(-1).clamp_min_(0).sqrt_().contiguous();
        const float* from = norms.const_data_ptr<float>();
        for (std::int64_t head = 0; head < m_shape.heads; ++head)
            std::copy_n(from + head * size, size, result.data() + head * count + begin);
    }
    return result;
}

std::vector<float> SliceNorms::ofOutputs(const at::Tensor& outputs) const {
    return norms(outputs, m_shape.heads);
}

std::vector<float> SliceNorms::ofValues(const at::Tensor& values) const {
    return norms(values, m_shape.keyValueHeads);
}

} // namespace headscope
