// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace headscope {

/// The usual names of the token that stands for what the vocabulary lacks.
inline bool isUnknownPiece(std::string_view piece) {
    return piece == "[UNK]" || piece == "<unk>";
}

} // namespace headscope
