// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/spec/block_spec.h"
#include "core/model/weight_loader.h"

#include <memory>

namespace headscope {

/// The part of a block that treats every token alone.
class FeedForward {
  public:
    virtual ~FeedForward() = default;
    /// [tokens, model size] -> the same.
    virtual at::Tensor forward(const at::Tensor& input) const = 0;
};

/// Throws Error for missing or misshaped tensors.
std::unique_ptr<const FeedForward> readFeedForward(const WeightLoader& loader, const FeedForwardSpec& spec,
                                                   std::int64_t modelSize);
std::unique_ptr<const FeedForward> readMixture(const WeightLoader& loader, const FeedForwardSpec& spec,
                                               std::int64_t modelSize);

} // namespace headscope
