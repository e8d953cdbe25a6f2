// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/word_groups.h"

#include "core/base/utf8.h"
#include "core/tokenizer/visible_text.h"
#include "core/tokenizer/word_boundaries.h"

#include <algorithm>
#include <cstdint>
#include <string>

namespace headscope {

namespace {

/// One of the texts, in code points.
class WordsOfText {
  public:
    explicit WordsOfText(const std::string& text)
        : m_characters(toCodePoints(text)), m_boundaries(wordBoundaries(text)) {}

    /// The word in which [start, end) begins, counted from 0; of white space alone the one at its start.
    std::int64_t wordOf(std::int64_t start, std::int64_t end) const {
        const auto size = static_cast<std::int64_t>(m_characters.size());
        end = std::min(end, size);
        std::int64_t begin = start;
        while (begin < end && isSpace(m_characters[static_cast<std::size_t>(begin)])) ++begin;
        if (begin >= end) begin = start;
        return std::ranges::upper_bound(m_boundaries, begin) - m_boundaries.begin() - 1;
    }
    /// [start, end) without white space at its ends, as a label.
    std::string labelOf(std::int64_t start, std::int64_t end) const {
        const auto size = static_cast<std::int64_t>(m_characters.size());
        end = std::clamp<std::int64_t>(end, 0, size);
        while (start < end && isSpace(m_characters[static_cast<std::size_t>(start)])) ++start;
        while (end > start && isSpace(m_characters[static_cast<std::size_t>(end - 1)])) --end;
        start = std::min(start, end);
        return visibleText(
            std::u32string_view(m_characters)
                .substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start)));
    }

  private:
    static bool isSpace(char32_t c) {
        return c == U' ' || (c >= U'\t' && c <= U'\r') || c == U'\u00A0' || c == U'\u3000' ||
               (c >= U'\u2000' && c <= U'\u200A') || c == U'\u2028' || c == U'\u2029';
    }

    std::u32string m_characters;
    std::vector<std::int64_t> m_boundaries;
};

/// A word of several tokens, spelled as the text spells it.
AxisEntry joined(const Axis& tokens, const Span& group, const WordsOfText& text) {
    AxisEntry word = tokens.entries[static_cast<std::size_t>(group.begin)];
    if (group.size() == 1) return word;
    word.piece.clear();
    for (std::int64_t i = group.begin; i < group.end; ++i) {
        const AxisEntry& token = tokens.entries[static_cast<std::size_t>(i)];
        word.piece += token.piece;
        word.start = std::min(word.start, token.start);
        word.end = std::max(word.end, token.end);
    }
    word.id = -1;
    const std::string label = text.labelOf(word.start, word.end);
    if (!label.empty()) word.label = label;
    return word;
}

} // namespace

WordGroups wordGroups(const Axis& tokens) {
    std::vector<WordsOfText> texts;
    for (const std::string& text : tokens.texts) texts.emplace_back(text);
    WordGroups groups;
    auto axis = std::make_shared<Axis>();
    axis->texts = tokens.texts;
    // The text and the word of the token before; special tokens are in none.
    std::int64_t text = -1;
    std::int64_t word = -1;
    for (std::int64_t i = 0; i < tokens.size(); ++i) {
        const AxisEntry& token = tokens.entries[static_cast<std::size_t>(i)];
        const bool inText = !token.special && token.text >= 0 && token.text < static_cast<int>(texts.size());
        const std::int64_t here =
            inText ? texts[static_cast<std::size_t>(token.text)].wordOf(token.start, token.end) : -1;
        if (inText && token.text == text && here == word)
            groups.tokens.back().end = i + 1;
        else
            groups.tokens.push_back({i, i + 1});
        text = inText ? token.text : -1;
        word = here;
    }
    for (const Span& group : groups.tokens) {
        const AxisEntry& first = tokens.entries[static_cast<std::size_t>(group.begin)];
        axis->entries.push_back(
            group.size() == 1 ? first : joined(tokens, group, texts[static_cast<std::size_t>(first.text)]));
    }
    groups.axis = std::move(axis);
    return groups;
}

} // namespace headscope
