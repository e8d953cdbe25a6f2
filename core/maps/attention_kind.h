// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// The names that transformers uses for its outputs.
enum class AttentionKind { Self, Encoder, Decoder, Cross };

std::string_view nameOf(AttentionKind kind); ///< "attentions", "encoder_attentions", ...
std::optional<AttentionKind> attentionKindOf(std::string_view name);

/// How everything points at a head of one analysis. Written "layer.head", both 0-based: "5.11".
struct HeadRef {
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer;
    HeadIndex head;

    friend bool operator==(const HeadRef&, const HeadRef&) = default;
};

std::string headText(LayerIndex layer, HeadIndex head);
inline std::string headText(const HeadRef& ref) {
    return headText(ref.layer, ref.head);
}
/// Parses "5.11"; nullopt for anything else (signs, spaces, leading zeros beyond "0", more than 6 digits).
std::optional<std::pair<LayerIndex, HeadIndex>> parseHead(std::string_view text);

} // namespace headscope
