// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/models/vocabulary.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace headscope {

struct PieceHasher {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return PieceHash(text).value(); }
};

/// A value for each of some pieces. No file can be made whose pieces all meet in one bucket.
template <typename Value>
using PieceMap = std::unordered_map<std::string, Value, PieceHasher, std::equal_to<>>;

/// The same for pieces that are kept elsewhere.
template <typename Value>
using PieceViewMap = std::unordered_map<std::string_view, Value, PieceHasher, std::equal_to<>>;

} // namespace headscope
