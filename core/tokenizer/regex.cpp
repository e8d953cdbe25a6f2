// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/regex.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/unicode_16.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fmt/format.h>
#include <new>
#include <oniguruma.h>
#include <optional>
#include <unordered_map>

namespace headscope {

namespace {

const OnigUChar* bytesOf(std::string_view text) {
    return reinterpret_cast<const OnigUChar*>(text.data());
}

void startOniguruma() {
    static const int started = [] {
        OnigEncoding utf8 = ONIG_ENCODING_UTF8;
        return onig_initialize(&utf8, 1);
    }();
    if (started != ONIG_NORMAL) fail("Oniguruma", "it does not start");
}

/// Tells when a thread has worked for longer than it may; time in which others worked does not count.
class Watch {
  public:
    explicit Watch(double seconds) : m_end(threadSeconds() + seconds) { lookAgainIn(seconds); }

    bool isLate() {
        // The thread's own time takes ten times as long to read.
        if (Clock::now() < m_nextLook) return false;
        const double left = m_end - threadSeconds();
        lookAgainIn(left);
        return left <= 0;
    }

  private:
    using Clock = std::chrono::steady_clock;

    static double threadSeconds() {
        timespec time = {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    void lookAgainIn(double seconds) {
        m_nextLook = Clock::now() +
                     std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    double m_end; ///< of threadSeconds()
    Clock::time_point m_nextLook;
};

struct FreeRegion {
    void operator()(OnigRegion* region) const { onig_region_free(region, 1); }
};
struct FreeParameters {
    void operator()(OnigMatchParam* parameters) const { onig_free_match_param(parameters); }
};

} // namespace

class RegexSearch : public TextSearch {
  public:
    RegexSearch(const Regex& regex, std::size_t bytes)
        : m_regex(regex), m_watch(Regex::kMaxSeconds + 1e-6 * static_cast<double>(bytes)) {
        if (m_region == nullptr || m_parameters == nullptr) throw std::bad_alloc();
        onig_initialize_match_param(m_parameters.get());
        onig_set_match_stack_limit_size_of_match_param(m_parameters.get(), Regex::kMaxStackEntries);
    }

    void forEachMatch(std::string_view text, const MatchSink& found) override {
        const std::optional<std::string> twins = m_regex.withTwins(text);
        const unsigned long most = Regex::kMaxWork / std::max<std::size_t>(text.size(), 1);
        onig_set_retry_limit_in_match_of_match_param(m_parameters.get(),
                                                     std::clamp(most, 100UL, Regex::kMaxRetries));
        // Oniguruma's own search cannot be interrupted, and takes hours on some texts. Trying every place
        // costs little where most places match, as with nearly all patterns of tokenizers.
        std::size_t matchEnd = 0;
        bool isFirst = true;
        for (std::size_t at = 0; at <= text.size();) {
            const bool matches = matchAt(twins ? *twins : text, at);
            if (!matches || (!isFirst && begin() == end() && end() == matchEnd)) {
                at += at < text.size() ? utf8Length(text[at]) : 1;
                continue;
            }
            if (begin() < matchEnd || end() < begin()) m_regex.refuse("matches backwards on this text");
            found(begin(), end());
            isFirst = false;
            at = matchEnd = end();
        }
    }

  private:
    bool matchAt(std::string_view text, std::size_t at) {
        const OnigUChar* first = bytesOf(text);
        const int result =
            onig_match_with_param(m_regex.m_regex.get(), first, first + text.size(), first + at,
                                  m_region.get(), ONIG_OPTION_NONE, m_parameters.get());
        if (result == ONIGERR_RETRY_LIMIT_IN_MATCH_OVER || m_watch.isLate())
            m_regex.refuse("takes too long on this text");
        if (result == ONIGERR_MATCH_STACK_LIMIT_OVER) m_regex.refuse("takes too much memory on this text");
        if (result < 0 && result != ONIG_MISMATCH) m_regex.refuse("cannot be run on this text");
        return result >= 0;
    }
    // Of the last match. It begins elsewhere than where it was looked for when the pattern has \K.
    std::size_t begin() const { return static_cast<std::size_t>(m_region->beg[0]); }
    std::size_t end() const { return static_cast<std::size_t>(m_region->end[0]); }

    const Regex& m_regex;
    std::unique_ptr<OnigRegion, FreeRegion> m_region{onig_region_new()};
    std::unique_ptr<OnigMatchParam, FreeParameters> m_parameters{onig_new_match_param()};
    Watch m_watch;
};

void Regex::Free::operator()(re_pattern_buffer* regex) const {
    onig_free(regex);
}

Regex::Regex(std::string_view pattern, std::string subject)
    : m_pattern(pattern), m_subject(std::move(subject)) {
    startOniguruma();
    if (m_pattern.size() > kMaxPatternBytes)
        refuse(fmt::format("has {} bytes, where at most {} are read", m_pattern.size(), kMaxPatternBytes));
    requireUtf8(m_pattern, m_subject);
    m_syntax = readRegexSyntax(m_pattern);
    // What cannot be read at all is said first.
    const std::string& read = m_syntax.refusal.empty() ? m_syntax.pattern : m_pattern;
    OnigRegex regex = nullptr;
    const OnigUChar* begin = bytesOf(read);
    const int result = onig_new(&regex, begin, begin + read.size(), ONIG_OPTION_NONE, ONIG_ENCODING_UTF8,
                                &OnigSyntaxRuby, nullptr);
    if (result != ONIG_NORMAL) refuse("is none that Oniguruma reads in Ruby's syntax");
    m_regex.reset(regex);
    if (!m_syntax.refusal.empty()) refuse(m_syntax.refusal);
}

std::unique_ptr<TextSearch> Regex::startSearch(std::size_t bytes) const {
    return std::make_unique<RegexSearch>(*this, bytes);
}

std::optional<std::string> Regex::withTwins(std::string_view text) const {
    std::optional<std::string> result;
    std::unordered_map<char32_t, std::string> twins;
    for (std::size_t at = findNonAscii(text, 0); at < text.size();) {
        const DecodedCodePoint c = decodeCodePoint(text, at);
        if (m_syntax.names == RegexSyntax::Names::Letters && isLaterLetter(c.value)) refuseFor(c.value);
        if (c.bytes > 2 && !unicode::isSameIn14(c.value)) {
            const auto [twin, isNew] = twins.try_emplace(c.value);
            if (isNew) appendUtf8(twin->second, twinOf(c.value));
            if (!result) result = std::string(text);
            result->replace(at, c.bytes, twin->second);
        }
        at = findNonAscii(text, at + c.bytes);
    }
    return result;
}

char32_t Regex::twinOf(char32_t c) const {
    const char32_t twin = unicode::twinOf14(c);
    if (twin == c) return c;
    if (m_syntax.names != RegexSyntax::Names::Fixed || m_syntax.separates(c, twin)) refuseFor(c);
    return twin;
}

void Regex::refuseFor(char32_t c) const {
    refuse(fmt::format("depends on the version of Unicode at U+{:04X} in this text{}",
                       static_cast<unsigned>(c),
                       m_syntax.named.empty() ? "" : fmt::format(", for its \"{}\"", m_syntax.named)));
}

void Regex::refuse(std::string_view why) const {
    fail(m_subject, fmt::format("the regular expression \"{}\" {}", escapeForMessage(m_pattern, 120), why),
         {}, "give the text as token ids with --ids, or use another checkpoint");
}

} // namespace headscope
