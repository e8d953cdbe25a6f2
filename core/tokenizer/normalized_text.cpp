// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/normalized_text.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/byte_characters.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/text_limit.h"

#include <utility>

namespace headscope {

NormalizedText::NormalizedText(std::string_view typed, std::uint32_t first) : m_text(typed), m_first(first) {
    m_origins.resize(typed.size());
    // Every character starts with a byte that is no continuation, so the number of those seen is the number
    // of the character.
    std::uint32_t next = first;
    for (std::size_t i = 0; i < typed.size(); ++i) {
        next += isContinuationByte(typed[i]) ? 0 : 1;
        m_origins[i] = next - 1;
    }
}

NormalizedText NormalizedText::successorOf(const NormalizedText& old, std::size_t bytes) {
    requireNormalizedSize(bytes);
    NormalizedText result;
    result.m_first = old.m_first;
    result.m_text.reserve(bytes);
    result.m_origins.reserve(bytes);
    return result;
}

Span NormalizedText::span(std::size_t begin, std::size_t end) const {
    HS_CHECK_LT(begin, end);
    const std::uint32_t first = m_origins[begin];
    const std::uint32_t last = m_origins[end - 1];
    return {std::int64_t{first & ~kInserted},
            std::int64_t{last & ~kInserted} + ((last & kInserted) != 0 ? 0 : 1)};
}

void NormalizedText::append(const NormalizedText& other, std::size_t begin, std::size_t end) {
    requireNormalizedSize(size() + (end - begin));
    m_text.append(other.m_text, begin, end - begin);
    m_origins.insert(m_origins.end(), other.m_origins.begin() + static_cast<std::ptrdiff_t>(begin),
                     other.m_origins.begin() + static_cast<std::ptrdiff_t>(end));
}

void NormalizedText::append(std::string_view characters, std::uint32_t origin) {
    requireNormalizedSize(size() + characters.size());
    m_text.append(characters);
    m_origins.insert(m_origins.end(), characters.size(), origin);
}

void NormalizedText::appendByteCharacters(const NormalizedText& other, std::size_t begin, std::size_t end) {
    std::size_t at = size();
    const std::size_t newSize = at + byteCharactersSize(other.view(begin, end));
    requireNormalizedSize(newSize);
    m_text.resize(newSize);
    m_origins.resize(newSize);
    for (std::size_t i = begin; i < end; ++i) {
        const ByteCharacter& character = byteCharacter(other.m_text[i]);
        m_text[at] = character.utf8[0];
        m_origins[at++] = other.m_origins[i];
        if (character.size == 1) continue;
        m_text[at] = character.utf8[1];
        m_origins[at++] = other.m_origins[i];
    }
}

void NormalizedText::requireRewritable(std::size_t begin) const {
    if (begin < size() && (m_origins[begin] & kInserted) != 0)
        fail("the text",
             "a normalizer put something before its first character, and the next stage rewrites that", {},
             "the tokenizers library stops at this too: give the text as token ids with --ids");
}

TextEdit::TextEdit(NormalizedText& target) : m_target(target), m_new(NormalizedText::successorOf(target)) {
    target.requireRewritable();
}

void TextEdit::keep(std::size_t bytes) {
    if (bytes == 0) return;
    m_new.append(m_target, m_cursor, m_cursor + bytes);
    m_cursor += bytes;
}

void TextEdit::replace(char32_t c) {
    HS_CHECK_LT(m_cursor, oldText().size());
    write(c, m_target.m_origins[m_cursor]);
    m_cursor += utf8Length(oldText()[m_cursor]);
}

void TextEdit::insert(char32_t c) {
    write(c, m_target.originBefore(m_cursor));
}

void TextEdit::apply(char32_t c, std::ptrdiff_t change) {
    if (change > 0) {
        insert(c);
        return;
    }
    replace(c);
    for (; change < 0 && !atEnd(); ++change) drop(utf8Length(oldText()[m_cursor]));
}

void TextEdit::write(char32_t c, std::uint32_t origin) {
    appendUtf8(m_new.m_text, c);
    requireNormalizedSize(m_new.size());
    m_new.m_origins.resize(m_new.size(), origin);
}

void TextEdit::finish() {
    HS_CHECK_EQ(m_new.m_text.size(), m_new.m_origins.size());
    m_target = std::move(m_new);
}

} // namespace headscope
