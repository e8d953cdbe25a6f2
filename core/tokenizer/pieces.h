// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/normalized_text.h"
#include "core/tokenizer/text_limit.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// A stretch of the text that later stages see as a text of its own; or an added token that was cut out,
/// which they leave alone.
struct Piece {
    static constexpr std::int64_t kNoToken = -1;

    std::size_t begin = 0; ///< bytes [begin, end) of Pieces::buffer
    std::size_t end = 0;
    std::int64_t token = kNoToken; ///< id of the added token
};

/// One text on its way from the normalizer to the model: normalised text and the pieces it is cut into, none
/// of them empty.
struct Pieces {
    NormalizedText buffer;
    std::vector<Piece> list;

    std::string_view view(const Piece& piece) const { return buffer.view(piece.begin, piece.end); }

    /// Replaces every piece that is no added token by what `split(view, add)` adds: `add(begin, end)` in
    /// bytes of the view, where empty ranges are ignored.
    template <typename Split>
    void splitEach(Split split) {
        std::vector<Piece> parts;
        parts.reserve(list.size());
        for (const Piece& piece : list) {
            if (piece.token != Piece::kNoToken) {
                parts.push_back(piece);
                continue;
            }
            split(view(piece), [&](std::size_t begin, std::size_t end) {
                if (begin >= end) return;
                requireRoomForToken(parts.size());
                parts.push_back({piece.begin + begin, piece.begin + end, Piece::kNoToken});
            });
        }
        list = std::move(parts);
    }

    /// Puts a new buffer, of about `bytes` bytes, and new pieces in the place of these.
    /// `rewrite(piece, text, add)` is called for every piece that is no added token: it appends to `text`
    /// what is left of the piece and adds parts of that, `add(begin, end)` in bytes of `text`, where empty
    /// ranges are ignored.
    template <typename Rewrite>
    void rewriteEach(std::size_t bytes, Rewrite rewrite) {
        NormalizedText text = NormalizedText::successorOf(buffer, bytes);
        std::vector<Piece> parts;
        parts.reserve(list.size());
        for (const Piece& piece : list) {
            const std::size_t before = text.size();
            if (piece.token != Piece::kNoToken) {
                text.append(buffer, piece.begin, piece.end);
                parts.push_back({before, text.size(), piece.token});
                continue;
            }
            rewrite(piece, text, [&](std::size_t begin, std::size_t end) {
                if (begin >= end) return;
                requireRoomForToken(parts.size());
                parts.push_back({begin, end, Piece::kNoToken});
            });
        }
        buffer = std::move(text);
        list = std::move(parts);
    }
};

} // namespace headscope
