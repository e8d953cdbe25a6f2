// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/normalized_text.h"

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
                if (begin < end) parts.push_back({piece.begin + begin, piece.begin + end, Piece::kNoToken});
            });
        }
        list = std::move(parts);
    }
};

} // namespace headscope
