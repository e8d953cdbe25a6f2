// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/base/utf8.h"
#include "core/tokenizer/byte_characters.h"

#include <fmt/format.h>
#include <optional>
#include <string_view>

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

bool isPictograph(char32_t c) {
    return (c >= 0x2190 && c <= 0x2bff) || c == 0xfe0f || (c >= 0x1f000 && c <= 0x1faff);
}

std::string visible(std::u32string_view text) {
    constexpr char32_t kJoiner = 0x200d;
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        // Between two pictographs the joiner does show: they become one.
        if (text[i] == kJoiner && i > 0 && i + 1 < text.size() && isPictograph(text[i - 1]) &&
            isPictograph(text[i + 1]))
            appendUtf8(out, kJoiner);
        else
            appendVisible(out, text[i]);
    }
    return out;
}

bool isUnknownPiece(const std::string& piece) {
    return piece == "[UNK]" || piece == "<unk>";
}

/// The part of its text that a token stands for; empty where it has none.
std::u32string_view spanOf(const Token& token, const std::vector<std::u32string>& texts) {
    if (token.text < 0 || static_cast<std::size_t>(token.text) >= texts.size() || token.end <= token.start)
        return {};
    const std::u32string& text = texts[static_cast<std::size_t>(token.text)];
    if (token.start < 0 || token.end > static_cast<std::int64_t>(text.size())) return {};
    return std::u32string_view(text).substr(static_cast<std::size_t>(token.start),
                                            static_cast<std::size_t>(token.end - token.start));
}

std::string shortened(std::u32string_view span) {
    return span.size() <= kSpanLimit ? visible(span) : visible(span.substr(0, kSpanLimit)) + "…";
}

/// How vocabularies that do not spell their pieces as text relate to the text they stand for.
enum class Spelling {
    Text,  ///< the piece is read as it is
    Whole, ///< bytes or word starts in disguise: "Ġthe", "▁the"; the text itself is read
    Part   ///< some bytes of a character, which several tokens share
};

/// "<0xE4>": the spelling of one byte in vocabularies that fall back to bytes.
bool isBytePiece(const std::string& piece) {
    return piece.size() == 6 && piece.starts_with("<0x") && piece.back() == '>';
}

/// "▁" written for a space; a space put before a text that has none is no part of it.
bool isSpacedSpelling(std::string_view piece, std::string_view text) {
    constexpr std::string_view kSpace = "▁";
    std::string spaced;
    bool found = false;
    while (!piece.empty()) {
        const bool isSpace = piece.starts_with(kSpace);
        spaced += isSpace ? ' ' : piece.front();
        piece.remove_prefix(isSpace ? kSpace.size() : 1);
        found = found || isSpace;
    }
    return found && (spaced == text || std::string_view(spaced).substr(1) == text);
}

Spelling spellingOf(const Token& token, std::u32string_view span) {
    if (span.empty()) return Spelling::Text;
    if (isBytePiece(token.piece))
        return span.size() == 1 && span[0] < 0x80 ? Spelling::Whole : Spelling::Part;
    std::string text;
    for (const char32_t c : span) appendUtf8(text, c);
    if (token.piece == text) return Spelling::Text;
    if (isSpacedSpelling(token.piece, text)) return Spelling::Whole;
    const std::optional<std::string> bytes = bytesOfByteCharacters(token.piece);
    if (!bytes) return Spelling::Text;
    // A space that was put before the text stands in the piece alone.
    if (*bytes == text || (bytes->starts_with(' ') && std::string_view(*bytes).substr(1) == text))
        return Spelling::Whole;
    return firstInvalidUtf8(*bytes) && text.find(*bytes) != std::string::npos ? Spelling::Part
                                                                              : Spelling::Text;
}

/// Which of the tokens that share a character each one is: "2/3".
class CharacterParts {
  public:
    CharacterParts(const std::vector<Token>& tokens, const std::vector<Spelling>& spellings) {
        m_texts.resize(tokens.size());
        for (std::size_t begin = 0; begin < tokens.size();) {
            std::size_t end = begin + 1;
            if (spellings[begin] == Spelling::Part)
                while (end < tokens.size() && spellings[end] == Spelling::Part &&
                       share(tokens[end - 1], tokens[end]))
                    ++end;
            if (end - begin > 1)
                for (std::size_t i = begin; i < end; ++i)
                    m_texts[i] = fmt::format(" {}/{}", i - begin + 1, end - begin);
            begin = end;
        }
    }
    const std::string& of(std::size_t token) const { return m_texts[token]; }

  private:
    static bool share(const Token& one, const Token& next) {
        return one.text == next.text && next.start < one.end && one.start < next.end;
    }

    std::vector<std::string> m_texts;
};

std::string labelOf(const Token& token, Spelling spelling, std::u32string_view span,
                    const std::string& part) {
    if (token.piece.empty()) return fmt::format("#{}", token.id);
    if (spelling != Spelling::Text) return shortened(span) + part;
    std::string label =
        firstInvalidUtf8(token.piece) ? escapeForMessage(token.piece) : visible(toCodePoints(token.piece));
    if (!isUnknownPiece(token.piece) || span.empty()) return label;
    return label + " " + shortened(span);
}

} // namespace

Axis makeAxis(const std::vector<Token>& tokens, std::vector<std::string> texts, const Tokenizer* tokenizer) {
    std::vector<std::u32string> codePoints;
    for (const std::string& text : texts) codePoints.push_back(toCodePoints(text));
    std::vector<std::u32string_view> spans;
    std::vector<Spelling> spellings;
    for (const Token& token : tokens) {
        spans.push_back(spanOf(token, codePoints));
        spellings.push_back(spellingOf(token, spans.back()));
    }
    const CharacterParts parts(tokens, spellings);
    Axis axis;
    axis.texts = std::move(texts);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        AxisEntry entry;
        entry.label = labelOf(token, spellings[i], spans[i], parts.of(i));
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
