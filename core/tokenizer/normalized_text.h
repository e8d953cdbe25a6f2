// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A text while stages rewrite it, with where each byte came from. UTF-8 inside; origins are code points of
/// the original text, counted from its start even when this holds only a part of it.
///
/// The library keeps a (start, end) pair for each byte. Every such pair is one whole original character, or
/// empty at the start of the part for what was put before anything else, so that one number a byte holds the
/// same. All bytes of a character have one origin.
class NormalizedText {
  public:
    /// Set in the origin of what was put before the first character; the rest of it is the code point that it
    /// stands before.
    static constexpr std::uint32_t kInserted = std::uint32_t{1} << 31;

    NormalizedText() = default;
    /// A text as it was typed: its first code point is number `first` of the original.
    NormalizedText(std::string_view typed, std::uint32_t first);
    /// An empty successor of `old`, with room for `bytes` bytes.
    static NormalizedText successorOf(const NormalizedText& old, std::size_t bytes);
    static NormalizedText successorOf(const NormalizedText& old) { return successorOf(old, old.size()); }

    const std::string& text() const { return m_text; }
    std::string_view view(std::size_t begin, std::size_t end) const {
        return std::string_view(m_text).substr(begin, end - begin);
    }
    std::size_t size() const { return m_text.size(); } ///< bytes
    bool empty() const { return m_text.empty(); }
    std::uint32_t origin(std::size_t byte) const { return m_origins[byte]; }
    /// Origin of a character that is put before byte `byte`: that of the character that ends there.
    std::uint32_t originBefore(std::size_t byte) const {
        return byte == 0 ? kInserted | m_first : m_origins[byte - 1];
    }
    /// Code points of the original that the bytes [begin, end) stand for: start of the first byte's, end of
    /// the last byte's. The range must not be empty. The span may be empty, and even end before it starts.
    Span span(std::size_t begin, std::size_t end) const;

    /// Adds bytes [begin, end) of another text. Throws Error above kMaxNormalizedBytes, as do the other two.
    void append(const NormalizedText& other, std::size_t begin, std::size_t end);
    /// Adds characters that all have one origin.
    void append(std::string_view characters, std::uint32_t origin);
    /// Adds a character for each byte of [begin, end) of another text, with the byte's origin
    /// (byte_characters.h).
    void appendByteCharacters(const NormalizedText& other, std::size_t begin, std::size_t end);

    /// Throws Error when a stage that rewrites character by character must not see the part that begins at
    /// byte `begin`, since it begins with something inserted: the library then stops, or writes text twice.
    void requireRewritable(std::size_t begin = 0) const;

  private:
    friend class TextEdit;

    std::string m_text;
    std::vector<std::uint32_t> m_origins; ///< one a byte of m_text
    std::uint32_t m_first = 0;            ///< the code point that this part of the text began with
};

/// One pass over a NormalizedText from left to right that writes its successor, with the library's rules for
/// origins. The cursor stands before a character of the old text. finish() puts the result in place of the
/// old text.
class TextEdit {
  public:
    /// Throws Error unless the text is rewritable.
    explicit TextEdit(NormalizedText& target);

    const std::string& oldText() const { return m_target.m_text; }
    std::size_t cursor() const { return m_cursor; } ///< byte of the old text
    bool atEnd() const { return m_cursor == oldText().size(); }

    /// Copies `bytes` bytes (whole characters) as they are.
    void keep(std::size_t bytes);
    /// Writes `c` in place of the character at the cursor, whose origin it takes.
    void replace(char32_t c);
    /// Writes `c` without consuming anything: it takes the origin of the last old character before the
    /// cursor, dropped ones included.
    void insert(char32_t c);
    /// Passes over `bytes` bytes (whole characters) without writing.
    void drop(std::size_t bytes) { m_cursor += bytes; }
    /// The library's way to say it: inserts for a positive change; else replaces, and drops -change
    /// characters behind, as far as there are any.
    void apply(char32_t c, std::ptrdiff_t change);
    void finish();

  private:
    void write(char32_t c, std::uint32_t origin);

    NormalizedText& m_target;
    NormalizedText m_new;
    std::size_t m_cursor = 0;
};

} // namespace headscope
