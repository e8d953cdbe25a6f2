// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/imported_axis.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/visible_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace headscope {

namespace {

constexpr std::array<std::string_view, 18> kSpecialPieces = {
    "[CLS]", "[SEP]", "[PAD]", "[MASK]", "[BOS]",           "[EOS]",
    "<s>",   "</s>",  "<pad>", "<mask>", "<cls>",           "<sep>",
    "<bos>", "<eos>", "<eod>", "<eop>",  "<start_of_turn>", "<end_of_turn>"};

bool isSpecialPiece(std::string_view piece) {
    return (piece.size() > 4 && piece.starts_with("<|") && piece.ends_with("|>")) ||
           std::find(kSpecialPieces.begin(), kSpecialPieces.end(), piece) != kSpecialPieces.end();
}

void requireCount(const SideNames& names, const std::string& name, std::size_t found, std::int64_t count) {
    if (static_cast<std::int64_t>(found) == count) return;
    fail(fmt::format("{}: \"{}\"", names.file, name), fmt::format("{} are given", found),
         fmt::format("expected {}, as many as the maps have positions", count));
}

} // namespace

std::shared_ptr<const Axis> importedAxis(const SideFacts& side, std::int64_t count, const SideNames& names) {
    if (side.tokens) requireCount(names, names.prefix + "tokens", side.tokens->size(), count);
    if (side.ids) requireCount(names, names.ids, side.ids->size(), count);
    if (side.segments) requireCount(names, names.prefix + "segments", side.segments->size(), count);
    if (side.special)
        for (const std::int64_t position : *side.special)
            if (position < 0 || position >= count)
                fail(fmt::format("{}: \"{}special\"", names.file, names.prefix),
                     fmt::format("it names position {}", position),
                     fmt::format("expected positions below {}", count));
    if (!side.tokens && !side.ids) return nullptr;
    auto axis = std::make_shared<Axis>();
    axis->entries.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < axis->entries.size(); ++i) {
        AxisEntry& entry = axis->entries[i];
        if (side.ids) entry.id = (*side.ids)[i];
        if (side.tokens) entry.piece = (*side.tokens)[i];
        entry.label =
            entry.piece.empty() ? fmt::format("#{}", entry.id) : visibleText(toCodePoints(entry.piece));
        entry.special = !side.special && isSpecialPiece(entry.piece);
    }
    if (side.special)
        for (const std::int64_t position : *side.special)
            axis->entries[static_cast<std::size_t>(position)].special = true;
    for (std::size_t i = 0; i < axis->entries.size(); ++i) {
        AxisEntry& entry = axis->entries[i];
        entry.text = entry.special ? -1 : 0;
        if (side.segments)
            entry.text = static_cast<int>(std::clamp<std::int64_t>((*side.segments)[i], -1, 1'000'000));
    }
    return axis;
}

} // namespace headscope
