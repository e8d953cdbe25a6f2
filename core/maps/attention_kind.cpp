// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/attention_kind.h"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::array kKinds = {AttentionKind::Self, AttentionKind::Encoder, AttentionKind::Decoder,
                               AttentionKind::Cross};
constexpr std::size_t kMostDigits = 6; ///< keeps every index far inside an int32

std::optional<std::int64_t> parseIndex(std::string_view digits) {
    if (digits.empty() || digits.size() > kMostDigits) return std::nullopt;
    if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
    // from_chars of an unsigned number takes neither sign nor space.
    std::uint32_t value = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (code != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
}

} // namespace

std::string_view nameOf(AttentionKind kind) {
    switch (kind) {
    case AttentionKind::Self:
        return "attentions";
    case AttentionKind::Encoder:
        return "encoder_attentions";
    case AttentionKind::Decoder:
        return "decoder_attentions";
    case AttentionKind::Cross:
        return "cross_attentions";
    }
    return {};
}

std::optional<AttentionKind> attentionKindOf(std::string_view name) {
    for (const AttentionKind kind : kKinds)
        if (nameOf(kind) == name) return kind;
    return std::nullopt;
}

std::string headText(LayerIndex layer, HeadIndex head) {
    return fmt::format("{}.{}", layer.value, head.value);
}

std::optional<std::pair<LayerIndex, HeadIndex>> parseHead(std::string_view text) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto layer = parseIndex(text.substr(0, dot));
    const auto head = parseIndex(text.substr(dot + 1));
    if (!layer || !head) return std::nullopt;
    return std::pair{LayerIndex(*layer), HeadIndex(*head)};
}

} // namespace headscope
