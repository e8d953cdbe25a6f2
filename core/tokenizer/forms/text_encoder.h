// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/normalized_text.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headscope {

/// A piece of a text: its spelling, which is that of the text where no piece of the model is, and where it
/// stands in the original, in code points [start, end).
struct EncodedPiece {
    std::string text;
    std::int64_t start = 0;
    std::int64_t end = 0;
};

/// How a slow tokenizer cuts what stands between added tokens. Immutable.
class TextEncoder {
  public:
    virtual ~TextEncoder() = default;

    /// Throws Error where the reference stops.
    virtual std::vector<EncodedPiece> encode(const NormalizedText& text) const = 0;
};

} // namespace headscope
