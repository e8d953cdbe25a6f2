// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/model/model_spec.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// One text on its way through one stack: what all its layers share.
struct StackPass {
    std::int64_t tokens = 0;
    std::span<const std::int64_t> segments; ///< token types, or empty
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer; ///< the one that runs
    AttentionObserver* observer = nullptr;
    const CancelToken* cancel = nullptr;
    std::vector<RotaryTable> rotaries; ///< one for each of the spec's
    at::Tensor relativeTable;          ///< DeBERTa's, normalised; undefined elsewhere
    at::Tensor encoderStates;          ///< [source tokens, encoder size], for cross-attention
    /// Position terms by PositionMaker::sharingKey().
    std::map<std::string, std::shared_ptr<const PositionTerms>> sharedTerms;
};

} // namespace headscope
