// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/base/utf8.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::size_t kSpanLimit = 20; ///< code points of the original shown beside an unknown token

bool isInvisible(char32_t c) {
    return (c >= 0x80 && c < 0xa0) || c == 0xad || (c >= 0x200b && c <= 0x200f) ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x2069) || c == 0xfeff ||
           (c >= 0xe0000 && c <= 0xe007f);
}

/// Every character that would not show gets a mark that does.
void appendVisible(std::string& out, char32_t c) {
    if (c == U' ') {
        out += "␣";
    } else if (c == U'\n') {
        out += "↵";
    } else if (c == U'\t') {
        out += "⇥";
    } else if (c < 0x20) {
        appendUtf8(out, 0x2400 + c); // the control pictures of Unicode
    } else if (c == 0x7f) {
        out += "␡";
    } else if (isInvisible(c)) {
        out += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(c));
    } else {
        appendUtf8(out, c);
    }
}

std::string visible(std::u32string_view text) {
    std::string out;
    for (const char32_t c : text) appendVisible(out, c);
    return out;
}

bool isUnknownPiece(const std::string& piece) {
    return piece == "[UNK]" || piece == "<unk>";
}

/// What the unknown token stood for in its text, cut to kSpanLimit.
std::string spanText(const Token& token, const std::vector<std::u32string>& texts) {
    if (token.text < 0 || static_cast<std::size_t>(token.text) >= texts.size() || token.end <= token.start)
        return {};
    const std::u32string& text = texts[static_cast<std::size_t>(token.text)];
    if (token.start < 0 || token.end > static_cast<std::int64_t>(text.size())) return {};
    const auto length = static_cast<std::size_t>(token.end - token.start);
    const std::u32string_view span(text.data() + token.start, length);
    return length <= kSpanLimit ? visible(span) : visible(span.substr(0, kSpanLimit)) + "…";
}

std::string labelOf(const Token& token, const std::vector<std::u32string>& texts) {
    if (token.piece.empty()) return fmt::format("#{}", token.id);
    std::string label =
        firstInvalidUtf8(token.piece) ? escapeForMessage(token.piece) : visible(toCodePoints(token.piece));
    if (!isUnknownPiece(token.piece)) return label;
    const std::string original = spanText(token, texts);
    return original.empty() ? label : label + " " + original;
}

} // namespace

Axis makeAxis(const std::vector<Token>& tokens, std::vector<std::string> texts, const Tokenizer* tokenizer) {
    std::vector<std::u32string> codePoints;
    for (const std::string& text : texts) codePoints.push_back(toCodePoints(text));
    Axis axis;
    axis.texts = std::move(texts);
    for (const Token& token : tokens) {
        AxisEntry entry;
        entry.label = labelOf(token, codePoints);
        entry.piece = token.piece;
        entry.id = token.id;
        entry.start = token.start;
        entry.end = token.end;
        entry.text = token.text;
        // A special token that was typed ("[SEP]" in the text) is one to the model just the same.
        entry.special = token.special || (tokenizer != nullptr && tokenizer->isSpecial(token.id) &&
                                          !isUnknownPiece(token.piece));
        axis.entries.push_back(std::move(entry));
    }
    return axis;
}

} // namespace headscope
