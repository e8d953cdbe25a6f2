// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/maps/head_map.h"

#include <cstdint>
#include <memory>
#include <span>

namespace headscope {

/// The product takes time as the third power of the tokens, a layer, and 16 bytes for each pair of them.
inline constexpr std::int64_t kMostRolloutTokens = 2048;

/// Attention rollout (Abnar and Zuidema 2020, arXiv:2005.00928): half of each layer's map and half the
/// identity, which stands for the residual stream, multiplied from the first layer to the last. Row i says
/// where the state of token i behind the last layer comes from if values and MLPs did nothing: a summary, no
/// attention of the model. Rows sum to 1 where those of the maps do.
///
/// `layers`: one map each (the mean over its heads), all [n, n] with n at most kMostRolloutTokens; at least
/// one. In double, rounded once. A cell is visible from the first key that any path reaches to the last.
/// Throws Error when cancelled.
std::shared_ptr<const HeadMap> rollout(std::span<const std::shared_ptr<const HeadMap>> layers,
                                       const CancelToken& cancel);

} // namespace headscope
