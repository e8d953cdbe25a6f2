// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// One matrix of the base and what is added to it: scale * B A.
struct AdaptedTensor {
    std::string name; ///< in the base: [out, in], or [in, out] where `transposed`
    std::string a;    ///< in the adapter: [rank, in]
    std::string b;    ///< in the adapter: [out, rank]
    float scale = 1.0F;
    bool transposed = false;
};

/// The base's tensors, of which some have their product added in float32 whenever they are read; those
/// present themselves as F32. The two factors of the matrix that was read last are kept, no more. All tensors
/// are there and their shapes fit (CHECKed).
std::shared_ptr<const TensorSource> adaptTensors(std::shared_ptr<const TensorSource> base,
                                                 std::shared_ptr<const TensorSource> adapter,
                                                 std::vector<AdaptedTensor> adapted);

} // namespace headscope
