// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/code_point.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"

#include <fmt/format.h>
#include <string>

namespace headscope::test {

inline NormalizerPtr normalizerFrom(const std::string& json) {
    return parseNormalizer(parseJson(json, "test"), "tokenizer.json: normalizer");
}

inline PreTokenizerPtr preTokenizerFrom(const std::string& json) {
    return parsePreTokenizer(parseJson(json, "test"), "tokenizer.json: pre_tokenizer");
}

/// The characters with their spans: "a(0,1)". The text is the part of one that begins at code point `first`.
inline std::string normalized(const Normalizer& normalizer, std::string_view typed, std::uint32_t first = 0) {
    NormalizedText text(typed, first);
    normalizer.normalize(text);
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = at + utf8Length(text.text()[at]);
        const Span span = text.span(at, end);
        result += fmt::format("{}({},{})", text.view(at, end), span.begin, span.end);
        at = end;
    }
    return result;
}

inline std::string normalized(const std::string& json, std::string_view typed, std::uint32_t first = 0) {
    return normalized(*normalizerFrom(json), typed, first);
}

/// The pieces with their spans: "ab(0,2)|c(2,3)".
inline std::string piecesOf(const PreTokenizer& preTokenizer, NormalizedText text) {
    Pieces pieces;
    pieces.buffer = std::move(text);
    if (!pieces.buffer.empty()) pieces.list = {{0, pieces.buffer.size(), Piece::kNoToken}};
    preTokenizer.split(pieces);
    std::string result;
    for (const Piece& piece : pieces.list) {
        const Span span = pieces.buffer.span(piece.begin, piece.end);
        result +=
            fmt::format("{}{}({},{})", result.empty() ? "" : "|", pieces.view(piece), span.begin, span.end);
    }
    return result;
}

inline std::string piecesOf(const std::string& json, std::string_view typed) {
    return piecesOf(*preTokenizerFrom(json), NormalizedText(typed, 0));
}

} // namespace headscope::test
