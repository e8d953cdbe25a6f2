// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/utf8.h"
#include "core/tokenizer/tokenizer.h"
#include "tests/fuzz/fuzz_support.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {

/// The text with every byte that makes it no UTF-8 written as the code point of that number.
inline std::string asUtf8(std::string_view bytes) {
    std::string text;
    while (const std::optional<std::size_t> bad = firstInvalidUtf8(bytes)) {
        text += bytes.substr(0, *bad);
        appendUtf8(text, static_cast<unsigned char>(bytes[*bad]));
        bytes.remove_prefix(*bad + 1);
    }
    return text += bytes;
}

/// Whether all tokens stand inside of their text. The library's spans reach beyond it where BPE spells an
/// affix in bytes.
enum class Spans { Inside, Anywhere };

/// What holds for one token whatever the tokenizer.
inline void checkToken(const Tokenizer& tokenizer, const Token& token,
                       const std::array<std::int64_t, 2>& lengths, Spans spans) {
    HS_CHECK(!firstInvalidUtf8(token.piece));
    HS_CHECK_LE(0, token.id);
    HS_CHECK_LE(0, token.typeId);
    if (token.special) {
        HS_CHECK_EQ(token.text, -1);
        HS_CHECK(token.start == 0 && token.end == 0);
        return;
    }
    HS_CHECK(token.text == 0 || token.text == 1);
    HS_CHECK_LT(token.id, tokenizer.idLimit());
    HS_CHECK(tokenizer.piece(token.id).has_value());
    HS_CHECK_LE(0, token.start);
    if (spans == Spans::Anywhere) return;
    HS_CHECK_LE(token.start, token.end);
    HS_CHECK_LE(token.end, lengths[static_cast<std::size_t>(token.text)]);
}

inline bool isSame(const Token& a, const Token& b) {
    return a.id == b.id && a.piece == b.piece && a.start == b.start && a.end == b.end &&
           a.special == b.special && a.text == b.text && a.typeId == b.typeId;
}

/// Encodes twice: the same both times, a refusal too, and all tokens as they must be.
inline void checkEncoding(const Tokenizer& tokenizer, std::string_view text,
                          std::optional<std::string_view> pair, const EncodeOptions& options, Spans spans) {
    const std::array<std::int64_t, 2> lengths = {countCodePoints(text), pair ? countCodePoints(*pair) : 0};
    std::array<std::optional<std::vector<Token>>, 2> results;
    for (std::optional<std::vector<Token>>& result : results)
        readOrRefuse([&] { result = tokenizer.encode(text, pair, options); });
    HS_CHECK_EQ(results[0].has_value(), results[1].has_value());
    if (!results[0]) return;
    HS_CHECK(
        std::equal(results[0]->begin(), results[0]->end(), results[1]->begin(), results[1]->end(), isSame));
    for (const Token& token : *results[0]) checkToken(tokenizer, token, lengths, spans);
}

} // namespace headscope::test
