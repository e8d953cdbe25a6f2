// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/regex_syntax.h"
#include "core/tokenizer/text_pattern.h"

#include <memory>
#include <optional>
#include <string>

struct re_pattern_buffer;

namespace headscope {

/// A regular expression as the library runs it: Oniguruma, Ruby syntax, UTF-8, no options. Code points that
/// are younger than the Oniguruma at hand are matched as older ones of the same kind
/// (unicode::twinOf14), so that its Unicode version makes no difference.
///
/// The pattern is untrusted: the work at one place of the text, the memory it takes and the time for a whole
/// search are limited. Beyond that it is an Error that names the pattern. The work is counted by steps back,
/// each of which may read the rest of the text; patterns that could work on without one are refused
/// (readRegexSyntax).
class Regex : public TextPattern {
  public:
    /// Longer patterns take long to read. Those of real checkpoints stay far below.
    static constexpr std::size_t kMaxPatternBytes = 32768;
    /// Backtracking steps from one place of the text, as in the library,
    static constexpr unsigned long kMaxRetries = 10'000'000;
    /// and such steps times the bytes of the text.
    static constexpr unsigned long kMaxWork = 10'000'000'000;
    /// Places to return to that are kept at once, 32 to 64 bytes each. The library has no such limit.
    static constexpr unsigned int kMaxStackEntries = 1U << 22;
    /// Of work for each search; besides, a microsecond for each byte of the text, which is ten times what
    /// usual patterns take.
    static constexpr double kMaxSeconds = 0.5;

    /// Throws Error for a pattern that cannot be read, and for what readRegexSyntax refuses.
    Regex(std::string_view pattern, std::string subject);

    std::unique_ptr<TextSearch> startSearch(std::size_t bytes) const override;

  private:
    friend class RegexSearch;

    struct Free {
        void operator()(re_pattern_buffer* regex) const;
    };

    [[noreturn]] void refuse(std::string_view why) const;
    /// The text with younger code points written as their twins, byte for byte as long; nullopt without any.
    std::optional<std::string> withTwins(std::string_view text) const;
    char32_t twinOf(char32_t c) const;
    [[noreturn]] void refuseFor(char32_t c) const;

    std::string m_pattern;
    std::string m_subject;
    RegexSyntax m_syntax;
    std::unique_ptr<re_pattern_buffer, Free> m_regex;
};

} // namespace headscope
