// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/imported/array_axes.h"
#include "core/maps/attention_kind.h"
#include "core/maps/axis.h"
#include "core/maps/head_map.h"
#include "core/maps/score_rule.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// One layer of an attention file.
struct ImportedLayer {
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer;
    MaskRule mask;                                     ///< causal and window alone
    std::vector<std::shared_ptr<const HeadMap>> heads; ///< cells that the mask hides are 0
};

/// What an attention file holds (see attention_file.h), checked.
struct ImportedAttention {
    std::string name;                       ///< of the file
    std::vector<ImportedLayer> layers;      ///< in the order in which a model runs them
    std::shared_ptr<const Axis> sourceAxis; ///< of the single stack or the encoder; null: not known
    std::shared_ptr<const Axis> targetAxis; ///< of the decoder; null: not known, or none
    std::int64_t sourceTokens = 0;          ///< of the single stack or the encoder; 0: there is neither
    std::int64_t targetTokens = 0;          ///< of the decoder; 0: there is none
    bool learnedSink = false;               ///< rows sum to 1 minus what it took
    std::vector<std::string> notes;         ///< what was concluded or put right, one sentence each

    const Axis* keyAxis(AttentionKind kind) const {
        return kind == AttentionKind::Decoder ? targetAxis.get() : sourceAxis.get();
    }
};

/// Whether a file of this name is read as one: it ends in .npz, .npy, .safetensors, .pt or .pth.
bool isAttentionFileName(const std::filesystem::path& path);

/// Reads all maps into memory, and NAME.json beside the file if it is there. Throws AxesNeeded where only the
/// meaning of the axes is missing, and Error, one sentence each: no maps in it, layers missing, shapes that
/// do not fit each other or the tokens, maps that memory cannot hold, and numbers that are no attention
/// weights (layer, head, row and number are named).
ImportedAttention readAttentionFile(const std::filesystem::path& path, const ReadingRules& rules,
                                    const CancelToken& cancel);

} // namespace headscope
