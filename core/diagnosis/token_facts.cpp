// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/token_facts.h"

#include "core/base/check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <unordered_map>

namespace headscope {

namespace {

constexpr std::array<std::string_view, 8> kStartPieces = {
    "[CLS]", "<s>",  "<bos>", "<|begin_of_text|>", "<|startoftext|>", "<|startoftranscript|>",
    "<cls>", "[BOS]"};

/// Special tokens that end a text in vocabularies where they begin one too: only position 0 is a start then.
bool isStartPiece(std::string_view piece) {
    return std::find(kStartPieces.begin(), kStartPieces.end(), piece) != kStartPieces.end();
}

std::string_view withoutMarks(std::string_view piece) {
    for (const std::string_view mark : {" ", "Ġ", "▁", "##"})
        if (piece.size() > mark.size() && piece.starts_with(mark)) {
            piece.remove_prefix(mark.size());
            break;
        }
    constexpr std::string_view kWordEnd = "</w>";
    if (piece.size() > kWordEnd.size() && piece.ends_with(kWordEnd)) piece.remove_suffix(kWordEnd.size());
    return piece;
}

bool isNewline(std::string_view text) {
    if (text == "<0x0A>") return true;
    if (text.empty()) return false;
    while (!text.empty()) {
        const std::string_view byteLevel = "Ċ";
        if (text.front() == '\n' || text.front() == '\r')
            text.remove_prefix(1);
        else if (text.starts_with(byteLevel))
            text.remove_prefix(byteLevel.size());
        else
            return false;
    }
    return true;
}

TokenClass classOf(const AxisEntry& entry, std::int64_t position) {
    if (position == 0) return TokenClass::Start;
    if (entry.special) return isStartPiece(entry.piece) ? TokenClass::Start : TokenClass::Separator;
    const std::string_view text = withoutMarks(entry.piece);
    if (isNewline(text)) return TokenClass::Newline;
    constexpr std::string_view kMarks = ".,;:?!";
    if (text.size() == 1 && kMarks.find(text.front()) != std::string_view::npos)
        return TokenClass::Punctuation;
    return TokenClass::Content;
}

bool closesSentence(const AxisEntry& entry, TokenClass tokenClass) {
    if (tokenClass == TokenClass::Newline || tokenClass == TokenClass::Separator) return true;
    if (tokenClass != TokenClass::Punctuation) return false;
    const std::string_view text = withoutMarks(entry.piece);
    return text == "." || text == "?" || text == "!";
}

/// Texts, each with the special tokens after it; those before the first one belong to it.
std::vector<std::int32_t> textSegments(const Axis& axis) {
    std::vector<std::int32_t> segments;
    std::int32_t current = 0;
    int text = -1;
    for (const AxisEntry& entry : axis.entries) {
        if (entry.text >= 0 && text >= 0 && entry.text != text) ++current;
        if (entry.text >= 0) text = entry.text;
        segments.push_back(current);
    }
    return segments;
}

std::vector<std::int32_t> sentenceSegments(const Axis& axis, const std::vector<TokenClass>& classes) {
    std::vector<std::int32_t> segments;
    std::int32_t current = 0;
    bool closed = false;
    for (std::size_t i = 0; i < classes.size(); ++i) {
        const bool closes = closesSentence(axis.entries[i], classes[i]);
        if (closed && !closes) {
            ++current;
            closed = false;
        }
        closed = closed || closes;
        segments.push_back(current);
    }
    return segments;
}

} // namespace

std::string_view nameOf(TokenClass tokenClass) {
    switch (tokenClass) {
    case TokenClass::Start:
        return "start";
    case TokenClass::Separator:
        return "separator";
    case TokenClass::Punctuation:
        return "punctuation";
    case TokenClass::Newline:
        return "newline";
    case TokenClass::Padding:
        return "padding";
    case TokenClass::Content:
        return "content";
    }
    return "";
}

std::int64_t TokenFacts::count(TokenClass tokenClass) const {
    return std::count(classes.begin(), classes.end(), tokenClass);
}

TokenFacts tokenFacts(const Axis& axis, const std::vector<std::uint8_t>& keyAllowed) {
    HS_CHECK(keyAllowed.empty() || keyAllowed.size() == axis.entries.size());
    TokenFacts facts;
    std::unordered_map<std::string, std::int32_t> numbers;
    for (std::size_t i = 0; i < axis.entries.size(); ++i) {
        const AxisEntry& entry = axis.entries[i];
        const bool isPadding = !keyAllowed.empty() && keyAllowed[i] == 0;
        facts.classes.push_back(isPadding ? TokenClass::Padding
                                          : classOf(entry, static_cast<std::int64_t>(i)));
        const auto next = static_cast<std::int32_t>(numbers.size());
        // Ids where they are known: tokens that were given without a vocabulary have no piece.
        const std::string key = entry.id >= 0 ? std::to_string(entry.id) : entry.piece;
        facts.types.push_back(numbers.try_emplace(key, next).first->second);
        facts.names.push_back(entry.piece.empty() ? fmt::format("#{}", entry.id) : entry.piece);
    }
    facts.segments = textSegments(axis);
    facts.segmentsAreTexts = !facts.segments.empty() && facts.segments.back() > 0;
    if (!facts.segmentsAreTexts) facts.segments = sentenceSegments(axis, facts.classes);
    return facts;
}

} // namespace headscope
