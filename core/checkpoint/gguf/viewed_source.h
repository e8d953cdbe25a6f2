// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// Row r of a tensor is this row of another, for every r; null: in order. Shared, as all layers have the
/// same.
using RowOrder = std::shared_ptr<const std::vector<std::int64_t>>;

/// A tensor as a model's files have it, made of one that is stored under another name and in another order.
struct TensorView {
    std::string name;
    std::string stored;              ///< name in the source
    std::vector<std::int64_t> shape; ///< of as many elements as the stored one, or as the part of it
    RowOrder rows;                   ///< of the stored tensor; one of one dimension has rows of one element
    float shift = 0.0F;              ///< added to every element, in float32
    std::int64_t first = 0;          ///< where in the stored tensor it begins, in elements; 0 with rows
};

/// The views as a source. Every view's tensor is there, the rows are rows of it and the elements as many, or
/// without rows a part of them (CHECKed). A view with a shift is F32 whatever is stored.
std::shared_ptr<const TensorSource> viewTensors(std::shared_ptr<const TensorSource> source,
                                                std::vector<TensorView> views);

} // namespace headscope
