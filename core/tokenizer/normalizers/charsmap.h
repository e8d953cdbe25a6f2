// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The replacement rules that SentencePiece models carry: a double-array trie of byte strings, and what each
/// of them becomes. The bytes are untrusted; a table that leads outside itself is found when it is used.
class Charsmap {
  public:
    /// From a little-endian u32 with the trie's size in bytes, the trie's units of 4 bytes, and replacements
    /// in UTF-8 that end with NULs. Throws Error for anything else; `subject` names it.
    Charsmap(std::string_view bytes, std::string subject);

    /// What `chunk` (well-formed UTF-8) becomes as a whole: the replacement of the **shortest** string of the
    /// trie that it begins with, as the tokenizers library takes it, where SentencePiece takes the longest.
    /// Throws Error where the table leads outside itself.
    std::optional<std::string_view> replacement(std::string_view chunk) const;

    struct Rule {
        std::size_t bytes = 0; ///< of the text that it replaces
        std::string_view replacement;
    };
    /// The rule for the **longest** string of the trie that `text` begins with, as SentencePiece takes it.
    std::optional<Rule> longestRule(std::string_view text) const;

  private:
    /// Calls `found(bytes, value)` for every string of the trie that `text` begins with, the shortest first.
    template <typename Found>
    void walk(std::string_view text, Found found) const;
    std::string_view replacementAt(std::uint32_t value) const;
    std::uint32_t unit(std::uint32_t at) const;
    [[noreturn]] void refuse() const;

    std::string m_subject;
    std::vector<std::uint32_t> m_units;
    std::string m_replacements;
};

} // namespace headscope
