// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/attention_facts.h"
#include "core/checkpoint/tensor_source.h"
#include "core/maps/attention_kind.h"

#include <string>
#include <vector>

namespace headscope {

/// The maps of one layer in a file, before they are read.
struct FoundLayer {
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer;
    const TensorInfo* tensor = nullptr;
    std::int64_t heads = 0;
    Extent extent;

    /// Of the single stack, or the decoder's own attention: what causality and windows are about.
    bool isMain() const { return kind == AttentionKind::Self || kind == AttentionKind::Decoder; }
};

/// All layers of a file in the order in which a model runs them, by their names ("attentions.0"). Throws
/// Error{file, ...} where there are none (naming what there is), where one is missing, is of no float type or
/// of a shape that cannot be, or where shapes do not fit each other.
std::vector<FoundLayer> findLayers(const TensorSource& source, const std::string& file);

FileStacks stacksOf(const std::vector<FoundLayer>& layers);

} // namespace headscope
