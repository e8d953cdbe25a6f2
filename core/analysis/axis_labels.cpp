// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/analysis/unknown_token.h"
#include "core/base/utf8.h"
#include "core/tokenizer/byte_characters.h"
#include "core/tokenizer/visible_text.h"

#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace headscope {

namespace {

constexpr std::size_t kSpanLimit = 20; ///< code points of the original shown beside an unknown token

/// The part of its text that a token stands for; empty where it has none.
std::u32string_view spanOf(const Token& token, const std::vector<std::u32string>& texts) {
    if (token.text < 0 || static_cast<std::size_t>(token.text) >= texts.size() || token.end <= token.start)
        return {};
    const std::u32string& text = texts[static_cast<std::size_t>(token.text)];
    if (token.start < 0 || token.end > static_cast<std::int64_t>(text.size())) return {};
    return std::u32string_view(text).substr(static_cast<std::size_t>(token.start),
                                            static_cast<std::size_t>(token.end - token.start));
}

std::string shortened(std::u32string_view text) {
    return text.size() <= kSpanLimit ? visibleText(text) : visibleText(text.substr(0, kSpanLimit)) + "…";
}

/// How a piece relates to the text it stands for.
enum class Spelling {
    Text,  ///< the piece is read as it is
    Whole, ///< bytes or word starts in disguise: "Ġthe", "▁the"
    Part   ///< some bytes of a character, which several tokens share
};

struct Reading {
    Spelling spelling = Spelling::Text;
    std::u32string text; ///< Whole: what is read; Part: the characters that it belongs to, if known
    std::string bytes;   ///< Part: its own
};

/// "<0xE4>": the spelling of one byte in vocabularies that fall back to bytes.
bool isBytePiece(const std::string& piece) {
    return piece.size() == 6 && piece.starts_with("<0x") && piece.back() == '>';
}

/// "▁" read as a space.
std::string withSpaces(std::string_view piece) {
    constexpr std::string_view kSpace = "▁";
    std::string spaced;
    while (!piece.empty()) {
        const bool isSpace = piece.starts_with(kSpace);
        spaced += isSpace ? ' ' : piece.front();
        piece.remove_prefix(isSpace ? kSpace.size() : 1);
    }
    return spaced;
}

bool isTextOrSpaceBefore(std::string_view spelled, std::string_view text) {
    return spelled == text || (spelled.starts_with(' ') && spelled.substr(1) == text);
}

/// The bytes of a byte-level piece; without a tokenizer, those it would have if they are those of the text.
std::optional<std::string> bytesOf(const Token& token, std::string_view text, const Tokenizer* tokenizer) {
    if (tokenizer != nullptr) return tokenizer->bytes(token.id);
    std::optional<std::string> bytes = bytesOfByteCharacters(token.piece);
    if (!bytes || text.empty()) return std::nullopt;
    const bool isPart = firstInvalidUtf8(*bytes) && text.find(*bytes) != std::string_view::npos;
    return isPart || isTextOrSpaceBefore(*bytes, text) ? bytes : std::nullopt;
}

/// Reads tokens beside the texts that they were cut from.
class Reader {
  public:
    Reader(const std::vector<std::u32string>& texts, const Tokenizer* tokenizer)
        : m_texts(texts), m_tokenizer(tokenizer) {}

    Reading read(const Token& token) const {
        const std::u32string_view span = spanOf(token, m_texts);
        if (isBytePiece(token.piece) && !span.empty())
            return {span.size() == 1 && span[0] < 0x80 ? Spelling::Whole : Spelling::Part,
                    std::u32string(span),
                    {}};
        const std::string text = toUtf8(span);
        if (token.piece == text) return {};
        const std::string spaced = withSpaces(token.piece);
        if (spaced != token.piece && !text.empty()) {
            // A space alone that was typed, with the span of what follows it.
            const bool isSpace = spaced == " " && followsSpace(token);
            if (isSpace || isTextOrSpaceBefore(spaced, text)) return whole(spaced, token, span);
        }
        const std::optional<std::string> bytes = bytesOf(token, text, m_tokenizer);
        if (!bytes) return {};
        if (firstInvalidUtf8(*bytes)) return {Spelling::Part, std::u32string(span), *bytes};
        return whole(*bytes, token, span);
    }

  private:
    /// A space that a stage put before the text does not show; one that was typed does, and some models
    /// leave it out of the span.
    Reading whole(std::string_view spelled, const Token& token, std::u32string_view span) const {
        const bool isPut = spelled.starts_with(' ') && spelled.size() > 1 && !span.empty() &&
                           span.front() != U' ' && !followsSpace(token);
        return {Spelling::Whole, toCodePoints(spelled.substr(isPut ? 1 : 0)), {}};
    }
    /// For a token that has a span.
    bool followsSpace(const Token& token) const {
        if (token.start <= 0) return false;
        return m_texts[static_cast<std::size_t>(token.text)][static_cast<std::size_t>(token.start) - 1] ==
               U' ';
    }

    const std::vector<std::u32string>& m_texts;
    const Tokenizer* m_tokenizer;
};

/// The parts of a character that begin with the token `begin`.
std::size_t endOfParts(const std::vector<Token>& tokens, const std::vector<Reading>& readings,
                       std::size_t begin) {
    std::size_t end = begin + 1;
    const auto goesOn = [&] {
        if (end >= tokens.size() || readings[end].spelling != Spelling::Part) return false;
        const Token& one = tokens[end - 1];
        const Token& next = tokens[end];
        return one.text == next.text && next.start < one.end && one.start < next.end;
    };
    while (goesOn()) ++end;
    return end;
}

/// Likewise where there is no text, as with ids: until the bytes make whole characters, which they are given.
std::size_t endOfTextlessParts(std::vector<Reading>& readings, std::size_t begin) {
    constexpr std::size_t kMostBytes = 64;
    std::string bytes;
    for (std::size_t end = begin; end < readings.size() && bytes.size() < kMostBytes; ++end) {
        const Reading& one = readings[end];
        if (one.spelling != Spelling::Part || !one.text.empty()) break;
        bytes += one.bytes;
        if (firstInvalidUtf8(bytes)) continue;
        for (std::size_t i = begin; i <= end; ++i) readings[i].text = toCodePoints(bytes);
        return end + 1;
    }
    return begin + 1;
}

/// Which of the tokens that share a character each one is: "2/3".
std::vector<std::string> partNumbers(const std::vector<Token>& tokens, std::vector<Reading>& readings) {
    std::vector<std::string> numbers(tokens.size());
    for (std::size_t begin = 0; begin < tokens.size();) {
        const bool isPart = readings[begin].spelling == Spelling::Part;
        const std::size_t end = !isPart                        ? begin + 1
                                : readings[begin].text.empty() ? endOfTextlessParts(readings, begin)
                                                               : endOfParts(tokens, readings, begin);
        if (end - begin > 1)
            for (std::size_t i = begin; i < end; ++i)
                numbers[i] = fmt::format(" {}/{}", i - begin + 1, end - begin);
        begin = end;
    }
    return numbers;
}

std::string labelOf(const Token& token, const Reading& reading, std::u32string_view span) {
    if (token.piece.empty()) return fmt::format("#{}", token.id);
    if (reading.spelling != Spelling::Text && !reading.text.empty()) return shortened(reading.text);
    if (reading.spelling == Spelling::Part) return escapeForMessage(reading.bytes);
    std::string label = firstInvalidUtf8(token.piece) ? escapeForMessage(token.piece)
                                                      : visibleText(toCodePoints(token.piece));
    if (!isUnknownPiece(token.piece) || span.empty()) return label;
    return label + " " + shortened(span);
}

} // namespace

Axis makeAxis(const std::vector<Token>& tokens, std::vector<std::string> texts, const Tokenizer* tokenizer) {
    std::vector<std::u32string> codePoints;
    for (const std::string& text : texts) codePoints.push_back(toCodePoints(text));
    const Reader reader(codePoints, tokenizer);
    std::vector<Reading> readings;
    for (const Token& token : tokens) readings.push_back(reader.read(token));
    const std::vector<std::string> numbers = partNumbers(tokens, readings);
    Axis axis;
    axis.texts = std::move(texts);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        AxisEntry entry;
        entry.label = labelOf(token, readings[i], spanOf(token, codePoints)) + numbers[i];
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
