// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/normalized_text.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/code_point.h"

#include <utility>

namespace headscope {

namespace {

void requireRoom(std::size_t bytes) {
    if (bytes > NormalizedText::kMaxBytes)
        fail("the text", "more than 1024 MB after normalisation", "expected at most that",
             "use a shorter text");
}

} // namespace

NormalizedText::NormalizedText(std::string_view typed, std::uint32_t first) : m_text(typed) {
    m_origins.resize(typed.size());
    // Every character starts with a byte that is no continuation, so the number of those seen is the number
    // of the character.
    std::uint32_t next = first;
    for (std::size_t i = 0; i < typed.size(); ++i) {
        next += isContinuationByte(typed[i]) ? 0 : 1;
        m_origins[i] = next - 1;
    }
}

Span NormalizedText::span(std::size_t begin, std::size_t end) const {
    HS_CHECK_LT(begin, end);
    const std::uint32_t first = m_origins[begin];
    const std::uint32_t last = m_origins[end - 1];
    return {first == kNoOrigin ? 0 : std::int64_t{first}, last == kNoOrigin ? 0 : std::int64_t{last} + 1};
}

void NormalizedText::append(const NormalizedText& other, std::size_t begin, std::size_t end) {
    requireRoom(size() + (end - begin));
    m_text.append(other.m_text, begin, end - begin);
    m_origins.insert(m_origins.end(), other.m_origins.begin() + static_cast<std::ptrdiff_t>(begin),
                     other.m_origins.begin() + static_cast<std::ptrdiff_t>(end));
}

TextEdit::TextEdit(NormalizedText& target) : m_target(target) {
    m_text.reserve(target.size());
    m_origins.reserve(target.size());
}

void TextEdit::keep(std::size_t bytes) {
    if (bytes == 0) return;
    requireRoom(m_text.size() + bytes);
    m_text.append(m_target.m_text, m_cursor, bytes);
    const auto from = m_target.m_origins.begin() + static_cast<std::ptrdiff_t>(m_cursor);
    m_origins.insert(m_origins.end(), from, from + static_cast<std::ptrdiff_t>(bytes));
    m_cursor += bytes;
}

void TextEdit::replace(char32_t c) {
    write(c, m_target.m_origins[m_cursor]);
    m_cursor += utf8Length(m_target.m_text[m_cursor]);
}

void TextEdit::insert(char32_t c) {
    write(c, m_cursor == 0 ? NormalizedText::kNoOrigin : m_target.m_origins[m_cursor - 1]);
}

void TextEdit::write(char32_t c, std::uint32_t origin) {
    const std::size_t before = m_text.size();
    appendUtf8(m_text, c);
    requireRoom(m_text.size());
    m_origins.insert(m_origins.end(), m_text.size() - before, origin);
}

void TextEdit::finish() {
    HS_CHECK_EQ(m_text.size(), m_origins.size());
    m_target.m_text = std::move(m_text);
    m_target.m_origins = std::move(m_origins);
}

} // namespace headscope
