// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"
#include "core/imported/array_axes.h"
#include "core/imported/attention_facts.h"
#include "core/maps/attention_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Where the weights of a layer stand in their array, in elements from its first.
struct MapPlace {
    std::int64_t first = 0;
    std::int64_t head = 0; ///< steps from one to the next
    std::int64_t query = 0;
    std::int64_t key = 1;
};

/// The maps of one layer in a file, before they are read.
struct FoundLayer {
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer;
    ArrayAxes axes; ///< how the tensor is read
    const TensorInfo* tensor = nullptr;
    MapPlace place;
    std::int64_t heads = 0;
    Extent extent;
    bool averaged = false; ///< there is no axis for heads

    /// Of the single stack, or the decoder's own attention: what causality and windows are about.
    bool isMain() const { return kind == AttentionKind::Self || kind == AttentionKind::Decoder; }
};

/// How arrays are read whose names or shapes do not say it.
struct ArrayReading {
    std::optional<ArrayAxes> axes;
    std::optional<std::int64_t> sample; ///< of the batch
    std::string subject;                ///< who says so: "--axes", "maps.json: \"axes\""
};

/// All layers of a file in the order in which a model runs them. By their names ("attentions.0"); else, when
/// `reading` says what the axes count, of the one array there is, or of arrays that are numbered ("arr_0",
/// "arr_1"), one for each layer. Throws AxesNeeded where only the axes are missing, and Error{file, ...}
/// where there are no maps (naming what there is), where a layer is missing, is of no float type or of a
/// shape that cannot be, or where shapes do not fit each other.
std::vector<FoundLayer> findLayers(const TensorSource& source, const std::string& file,
                                   const ArrayReading& reading = {});

FileStacks stacksOf(const std::vector<FoundLayer>& layers);

} // namespace headscope
