// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/text_pattern.h"

#include <memory>
#include <string>

struct re_pattern_buffer;

namespace headscope {

/// A regular expression as the library runs it: Oniguruma, Ruby syntax, UTF-8, no options. Code points that
/// are younger than the Oniguruma at hand are matched as older ones of the same kind
/// (unicode::twinOf14), so that its Unicode version makes no difference.
///
/// The pattern is untrusted: the work at one place of the text, the memory it takes and the time for a whole
/// search are limited. Beyond that it is an Error that names the pattern. Only look-ahead inside a loop can
/// take long at one place without being counted.
class Regex : public TextPattern {
  public:
    /// Longer patterns take long to read. Those of real checkpoints stay far below.
    static constexpr std::size_t kMaxPatternBytes = 32768;
    /// Backtracking steps from one place of the text, as in the library.
    static constexpr unsigned long kMaxRetries = 10'000'000;
    /// Places to return to that are kept at once, 32 to 64 bytes each. The library has no such limit.
    static constexpr unsigned int kMaxStackEntries = 1U << 22;
    /// Of work for each search; besides, a microsecond for each byte of the text, which is ten times what
    /// usual patterns take.
    static constexpr double kMaxSeconds = 0.5;

    /// Throws Error for a pattern that cannot be read, and for \G, whose place depends on how the text is
    /// searched.
    Regex(std::string_view pattern, std::string subject);

    std::unique_ptr<TextSearch> startSearch(std::size_t bytes) const override;

  private:
    friend class RegexSearch;

    struct Free {
        void operator()(re_pattern_buffer* regex) const;
    };

    [[noreturn]] void refuse(std::string_view why) const;

    std::string m_pattern;
    std::string m_subject;
    std::unique_ptr<re_pattern_buffer, Free> m_regex;
};

} // namespace headscope
