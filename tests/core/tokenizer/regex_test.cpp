// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "core/tokenizer/known_regexes.h"
#include "core/tokenizer/regex.h"
#include "tests/core/tokenizer/corpus_hashes.h"
#include "tests/support/sentence_of.h"

#include <ctime>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace headscope {
namespace {

using test::sentenceOf;

/// "begin-end" of every match, separated by spaces.
std::string matches(const TextPattern& pattern, std::string_view text) {
    std::string result;
    pattern.startSearch(text.size())->forEachMatch(text, [&](std::size_t begin, std::size_t end) {
        result += fmt::format("{}{}-{}", result.empty() ? "" : " ", begin, end);
    });
    return result;
}

std::string matches(const std::string& regex, std::string_view text) {
    return matches(Regex(regex, "test"), text);
}

TEST(Regex, ReadsRubysSyntax) {
    EXPECT_EQ(matches("b+", "abbcb"), "1-3 4-5");
    EXPECT_EQ(matches("^.", "ab\ncd"), "0-1 3-4"); // ^ at every line
    EXPECT_EQ(matches("b$", "ab\nb"), "1-2 3-4");  // $ too
    EXPECT_EQ(matches("a.", "a\na"), "");          // . excludes the line break,
    EXPECT_EQ(matches("(?m)a.", "a\na"), "0-2");   // which (?m) includes
    EXPECT_EQ(matches("\\h", "gaF"), "1-2 2-3");   // a hexadecimal digit
    EXPECT_EQ(matches("[a-z&&[^b]]", "abc"), "0-1 2-3");
    EXPECT_EQ(matches("(?i:ss)", "aßSS"), "1-3 3-5");
    EXPECT_EQ(matches("\\p{Han}+", "a中文b"), "1-7");
    EXPECT_EQ(matches("\\w", "é½²中-"), "0-2 2-4 4-6 6-9"); // ½ and ² are some to Oniguruma
    EXPECT_EQ(matches("\\s", "\u0085\u00a0\u001c\u200b"), "0-2 2-4");
}

TEST(Regex, EmptyMatchesAreFoundOnceAtAPlace) {
    EXPECT_EQ(matches("x*", "axxb"), "0-0 1-3 4-4");
    EXPECT_EQ(matches("", "é"), "0-0 2-2");
    EXPECT_EQ(matches("\\b", "ab c"), "0-0 2-2 3-3 4-4");
    EXPECT_EQ(matches("(?=b)|b", "abb"), "1-1 2-2"); // the second branch is never tried
    EXPECT_EQ(matches("a\\Kb", "abab"), "1-2 3-4");
}

TEST(Regex, KnowsUnicode16WhateverOnigurumaKnows) {
    // Letters, a digit and an ideograph of 15.0, 15.1 and 16.0.
    for (const char* letter : {"\u1c89", "\ua7dc", "\U00031350", "\U0002ebf0", "\U00010d50", "\U00016d43"})
        EXPECT_EQ(matches("\\p{L}", letter), fmt::format("0-{}", std::string_view(letter).size())) << letter;
    EXPECT_EQ(matches("\\p{N}|\\d", "\U00010d41a"), "0-4");
    EXPECT_EQ(matches("\\p{Han}", "\U0002ebf0\U00016d43"), "0-4");
    EXPECT_EQ(matches("\\p{M}", "a\u0897"), "1-4");
    EXPECT_EQ(matches("[^\\s\\p{L}\\p{N}]+", "a\U0001fae9\u1c89"), "1-5");
    EXPECT_EQ(matches("\\p{L}", "\u0378\U00011de0"), ""); // unassigned, and a digit of 17.0
}

/// As in the library's Oniguruma, which is younger than some.
TEST(Regex, ReadsAlikeWhatReleasesReadDifferently) {
    EXPECT_EQ(matches("\\R+", "\x0b\u2028a\r\n\r"), "0-4 5-8");
    EXPECT_EQ(matches("a\\R*", "a\x0b"), "0-2");
    EXPECT_EQ(matches("(?:\\Ra)*", "\x0b"
                                   "ax"),
              "0-2 3-3");
    EXPECT_EQ(matches("\\R", "\r\n\n"), "0-2 2-3");
    EXPECT_EQ(matches("[\\R]", "R\n"), "0-1"); // a letter in a set
    EXPECT_EQ(matches("[[:punct:]]+", "▁-$a"), "0-5");
    EXPECT_EQ(matches("[[:^punct:]]+", "▁-$a"), "5-6");
    EXPECT_EQ(matches("\\p{Mc}", "\U0001171e"), "0-4");
    EXPECT_EQ(matches("\\p{Mn}", "\U0001171e"), "");
    EXPECT_EQ(matches("[]a]+", "]a["), "0-2");
}

/// Where the library's Unicode knows more of a name than twins can stand for.
TEST(Regex, RefusesTextsThatDependOnTheVersionOfUnicode) {
    const auto sentence = [](const std::string& pattern, std::string_view text) {
        return sentenceOf([&] { matches(pattern, text); });
    };
    EXPECT_EQ(sentence("\\p{Cyrillic}", "\u1c89"),
              "test: the regular expression \"\\p{Cyrillic}\" depends on the version of Unicode at U+1C89 in "
              "this text, for its \"Cyrillic\"; give the text as token ids with --ids, or use another "
              "checkpoint.");
    EXPECT_EQ(matches("\\p{Cyrillic}", "дa"), "0-2");
    for (const char* name : {"[[:alpha:]]", "\\p{^Alphabetic}", "\\P{lower}", "[\\p{Cased}]"}) {
        EXPECT_NE(sentence(name, "a\u0363"), "") << name;
        EXPECT_EQ(sentence(name, "aé"), "") << name;
    }
    EXPECT_NE(sentence("\\X", "\U00016d67"), "");
    // Its twin U+2EBE0 is in the first set and in the last, between whose ends both stand.
    EXPECT_NE(sentence("[\\x{20000}-\\x{2EBE0}]", "\U0002ebf0"), "");
    EXPECT_NE(sentence("[𠀀-\U0002ebe0]", "\U0002ebf0"), "");
    EXPECT_EQ(matches("[\\x{20000}-\\x{2FFFF}]", "\U0002ebf0"), "0-4");
    for (const char* name : {"\\p{Word}", "\\p{Diacritic}", "\\p{ID_Continue}", "\\p{In_Thai}"})
        EXPECT_NE(sentence(name, ""), "") << name;
}

TEST(Regex, RefusesWhatCannotBeRead) {
    const auto sentence = [](const std::string& pattern) {
        return sentenceOf([&] { Regex(pattern, "tokenizer.json: pattern"); });
    };
    const std::string hint = "; give the text as token ids with --ids, or use another checkpoint.";
    for (const char* pattern : {"(", "[", "(?P<n>a)", "(?s)a", "\\p{Script=Han}", "\\p{IsHan}", "*"})
        EXPECT_EQ(sentence(pattern),
                  fmt::format("tokenizer.json: pattern: the regular expression \"{}\" is none "
                              "that Oniguruma reads in Ruby's syntax{}",
                              escapeForMessage(pattern), hint));
    EXPECT_EQ(sentence("a{2"), ""); // as it stands
    EXPECT_EQ(sentence("a\\Gb"),
              "tokenizer.json: pattern: the regular expression \"a\\Gb\" uses \\G, which is not computed" +
                  hint);
    EXPECT_EQ(sentence("a\\\\Gb"), ""); // a backslash and a G
    EXPECT_NE(sentence(std::string(20'000, '(')), "");
    EXPECT_NE(
        sentence(std::string(Regex::kMaxPatternBytes + 1, 'a')).find(" has 32769 bytes, where at most 32768"),
        std::string::npos);
}

/// Seconds of work, however busy the machine is.
double secondsOf(const std::function<void()>& action) {
    const std::clock_t start = std::clock();
    action();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

TEST(Regex, CatastrophicBacktrackingEndsInASentence) {
    const std::string text(60, 'a');
    std::string sentence;
    const double seconds = secondsOf([&] { sentence = sentenceOf([&] { matches("(a|a)*b", text); }); });
    EXPECT_EQ(sentence,
              "test: the regular expression \"(a|a)*b\" takes too long on this text; give the text as "
              "token ids with --ids, or use another checkpoint.");
    EXPECT_LT(seconds, 5.0); // a tenth of a second, unless built for a sanitizer
}

/// Each step back reads the rest of the text once more.
TEST(Regex, LongStepsAreCountedByTheText) {
    const std::string text(1'000'000, 'a');
    for (const char* pattern : {".*a.*b", "a*+.*[^b]a*+b", "(a*)(?:.*\\1b|b)"}) {
        const double seconds =
            secondsOf([&] { EXPECT_NE(sentenceOf([&] { matches(pattern, text); }), "") << pattern; });
        EXPECT_LT(seconds, 120.0) << pattern;
    }
}

/// Work that no step back ends is not counted at all.
TEST(Regex, RefusesPatternsThatCouldWorkWithoutEnd) {
    for (const char* pattern :
         {"(?:(?=a*+)a)*", "(?:(?=(?:a{500}){500})a)*", "(a+)(?:(?=\\1)a)*", "(?:a(?!b*c))+",
          "(?:(?<!a|b)(?=\\X)a){9}", "(?:(?~ab)c)*", "(?:(?>(?:|a){1000}){1000}){1000}",
          "(?:(?:(?:|a){1000}){9}++){1000}", "(?:(?=[^)\\]]+)a)*", "(?i:(?=(?#)a+)a)*", "(?<a>(?=a+)a)*",
          "(?:((?=a+)a)|b)+"})
        EXPECT_NE(sentenceOf([&] { Regex(pattern, "test"); }).find(" which could take for ever"),
                  std::string::npos)
            << pattern;
    for (const char* pattern : {
             "(?=(\\d{3})+(?!\\d))",
             "\\s+(?!\\S)",
             "(?:\\p{L}(?!\\d))+",
             "(?:\\s++a)*",
             "(?:(?=\\d{3})\\d)*",
             "(?>a+)*",
             "[(?=a+)]*",
             "\\(?=a+\\)*",
         })
        EXPECT_EQ(sentenceOf([&] { Regex(pattern, "test"); }), "") << pattern;
    for (const char* pattern : {"(?x) a", "(?i-m:a)(?mx:b)", "\\xe9", "(?<a>b)\\g<a>", "[\\200]", "\\M-a"})
        EXPECT_NE(sentenceOf([&] { Regex(pattern, "test"); }), "") << pattern;
}

TEST(Regex, ManyLongAttemptsEndInASentence) {
    // Each place reads all digits behind it; hours, were there no limit for the whole text.
    const std::string text(200'000, '1');
    std::string sentence;
    const double seconds = secondsOf([&] { sentence = sentenceOf([&] { matches("\\d++[a-z]", text); }); });
    EXPECT_NE(sentence, "");
    EXPECT_LT(seconds, 20.0);
}

TEST(Regex, TheTimeIsThatOfAllPieces) {
    const std::string text = std::string(22, 'a') + ' ';
    const Regex regex("(a|a)*b", "test");
    const auto search = regex.startSearch(text.size());
    // One piece takes a fraction of a second.
    EXPECT_NE(sentenceOf([&] {
                  for (int i = 0; i < 1'000'000; ++i)
                      search->forEachMatch(text, [](std::size_t, std::size_t) {});
              }),
              "");
}

TEST(Regex, TheStackIsLimited) {
    EXPECT_EQ(
        sentenceOf([&] { matches("(?:a|b)*c", std::string(6'000'000, 'a')); }),
        "test: the regular expression \"(?:a|b)*c\" takes too much memory on this text; give the text as "
        "token ids with --ids, or use another checkpoint.");
}

// --- the scanners ---

const std::vector<std::string>& knownRegexes() {
    static const std::vector<std::string> result = {
        std::string(kGpt2Regex),
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
        R"(\s+)", R"( {2,})"};
    return result;
}

/// A scanner and Oniguruma for the same regular expression.
class Comparison {
  public:
    explicit Comparison(const std::string& regex)
        : m_known(regexPattern(regex, "test")), m_regex(regex, "test") {}

    void operator()(std::string_view text) const {
        if (found(*m_known, text) == found(m_regex, text)) return;
        ADD_FAILURE() << text << "\n  scanned   " << matches(*m_known, text) << "\n  Oniguruma "
                      << matches(m_regex, text);
    }

  private:
    static std::vector<std::size_t> found(const TextPattern& pattern, std::string_view text) {
        std::vector<std::size_t> result;
        pattern.startSearch(text.size())->forEachMatch(text, [&](std::size_t begin, std::size_t end) {
            result.push_back(begin);
            result.push_back(end);
        });
        return result;
    }

    TextPatternPtr m_known;
    Regex m_regex;
};

TEST(KnownRegexes, AreThoseThatAreKnown) {
    for (const std::string& regex : knownRegexes()) EXPECT_NE(scannerFor(regex), nullptr) << regex;
    EXPECT_EQ(scannerFor(""), nullptr);
    EXPECT_EQ(scannerFor(knownRegexes()[0] + "|x"), nullptr);
}

TEST(KnownRegexes, MatchWhatOnigurumaDoesOnTheCorpus) {
    for (const std::string& regex : knownRegexes()) {
        const Comparison compare(regex);
        std::string all;
        for (const std::string& line : test::corpusLines()) {
            if (!line.empty()) compare(line);
            all += line;
            all += '\n';
        }
        compare(all);
    }
}

TEST(KnownRegexes, MatchWhatOnigurumaDoesOnRandomStrings) {
    const std::vector<std::string> parts = {
        "a",  "Z",      "é",      "中",         "\u0301",     "1",        "٣",         "½",      " ",  " ",
        "  ", "\n",     "\r",     "\t",         "\r\n",       "\u00a0",   "\u3000",    "\u0085", "'",  "'s",
        "'S", "'t",     "'re",    "'VE",        "'ll",        "'lL",      "'m",        "'d",     "'ſ", "ſ",
        "’s", ".",      "#",      "_",          "\x01",       "👍🏽", "ﬅ",         "K",      "'l", "'r",
        "'v", "\u200b", "\u1c89", "\U00010d41", "\U0001fae9", "\u0378",   "\U00031350"};
    std::mt19937 random(20);
    std::uniform_int_distribution<std::size_t> part(0, parts.size() - 1);
    std::uniform_int_distribution<int> length(1, 12);
    for (const std::string& regex : knownRegexes()) {
        const Comparison compare(regex);
        for (int i = 0; i < 20'000; ++i) {
            std::string text;
            for (int n = length(random); n > 0; --n) text += parts[part(random)];
            compare(text);
        }
    }
}

TEST(KnownRegexes, MatchWhatOnigurumaDoesOnEveryCodePoint) {
    for (const std::string& regex : knownRegexes()) {
        const Comparison compare(regex);
        for (char32_t first = 0; first < 0x110000; first += 0x100) {
            if (first >= 0xd800 && first < 0xe000) continue;
            // Most of the upper planes is unassigned or all of one kind.
            if (first >= 0x32000 && first % 0x1000 != 0) continue;
            std::u32string text;
            for (char32_t c = first; c < first + 0x100; ++c)
                text += {U' ', c, U'x', c, c, U' ', c, U'1', c, U'\''};
            compare(toUtf8(text));
        }
    }
}

TEST(KnownRegexes, TakeLinearTime) {
    for (const std::string& regex : knownRegexes()) {
        const TextPatternPtr known = regexPattern(regex, "test");
        for (const char* unit : {"a", "1", " ", "\n", ".", "'", " \n", "中"}) {
            std::string text;
            while (text.size() < 300'000) text += unit;
            std::size_t end = 0;
            known->startSearch(text.size())->forEachMatch(text, [&](std::size_t, std::size_t to) {
                end = to;
            });
            EXPECT_LE(end, text.size());
        }
    }
}

} // namespace
} // namespace headscope
