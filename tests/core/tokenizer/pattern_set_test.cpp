// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/pattern_set.h"

#include <gtest/gtest.h>
#include <random>

namespace headscope {
namespace {

using Patterns = std::vector<PatternSet::Pattern>;

/// "begin-end:value" of the longest pattern at every place.
std::string found(const PatternSet& set, std::string_view text) {
    std::string result;
    PatternSet::Search search(set, text);
    for (std::size_t at = 0; at <= text.size(); ++at)
        if (const auto match = search.longestAt(at))
            result += std::to_string(at) + "-" + std::to_string(match->end) + ":" +
                      std::to_string(match->value) + " ";
    return result;
}

/// By comparing each pattern with each place.
std::string compared(const Patterns& patterns, std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const PatternSet::Pattern* best = nullptr;
        for (const PatternSet::Pattern& one : patterns)
            if (text.substr(at).starts_with(one.text) &&
                (best == nullptr || one.text.size() > best->text.size()))
                best = &one;
        if (best != nullptr)
            result += std::to_string(at) + "-" + std::to_string(at + best->text.size()) + ":" +
                      std::to_string(best->value) + " ";
    }
    return result;
}

/// So long that a set which holds it is searched from the end.
std::string longText() {
    return std::string(99, 'l');
}

TEST(PatternSet, TheLongestCountsAndOfEqualOnesTheFirst) {
    const Patterns patterns = {{"ab", 7}, {"a", 3}, {"abcd", 5}, {"a", 4}, {"é", 9}, {"bc", 8}};
    for (const bool isLong : {false, true}) {
        Patterns all = patterns;
        if (isLong) all.push_back({longText(), 1});
        const PatternSet set(all);
        EXPECT_FALSE(set.empty());
        EXPECT_EQ(found(set, "abca"), "0-2:7 1-3:8 3-4:3 ");
        EXPECT_EQ(found(set, "abcdé"), "0-4:5 1-3:8 4-6:9 ");
        EXPECT_EQ(found(set, ""), "");
    }
    EXPECT_EQ(found(PatternSet(Patterns{{longText(), 1}}), "l" + longText()), "0-99:1 1-100:1 ");
}

TEST(PatternSet, AnEmptyPatternMatchesEverywhere) {
    EXPECT_TRUE(PatternSet().empty());
    EXPECT_EQ(found(PatternSet(), "ab"), "");
    EXPECT_EQ(found(PatternSet(Patterns{{"", 2}, {"", 3}}), "ab"), "0-0:2 1-1:2 2-2:2 ");
    for (const std::string& other : {std::string("b"), longText()}) {
        const PatternSet set(Patterns{{"", 2}, {other, 5}});
        EXPECT_FALSE(set.empty());
        EXPECT_EQ(found(set, "a" + other), compared({{"", 2}, {other, 5}}, "a" + other));
    }
}

TEST(PatternSet, PlacesMayBeLeftOut) {
    for (const std::string& more : {std::string("y"), longText()}) {
        const PatternSet set(Patterns{{"ab", 1}, {"b", 2}, {more, 3}});
        PatternSet::Search search(set, "abxab");
        EXPECT_EQ(search.longestAt(1)->value, 2);
        EXPECT_EQ(search.longestAt(1)->value, 2);
        EXPECT_EQ(search.longestAt(2), std::nullopt);
        EXPECT_EQ(search.longestAt(4)->end, 5U);
        EXPECT_EQ(search.longestAt(5), std::nullopt);
    }
}

TEST(PatternSet, FindsWhatComparingFinds) {
    std::mt19937 random(1);
    const auto word = [&](std::size_t longest) {
        std::string text(random() % (longest + 1), '\0');
        for (char& c : text) c = static_cast<char>('a' + random() % 2);
        return text;
    };
    for (int round = 0; round < 300; ++round) {
        Patterns patterns;
        const std::size_t longest = round % 2 == 0 ? 6 : 130;
        for (std::size_t i = 0, count = random() % 12; i < count; ++i)
            patterns.push_back({word(i % 3 == 0 ? longest : 4), static_cast<std::int64_t>(i)});
        std::string text = word(40);
        for (const PatternSet::Pattern& one : patterns) text += one.text + word(2);
        ASSERT_EQ(found(PatternSet(patterns), text), compared(patterns, text)) << round;
    }
}

} // namespace
} // namespace headscope
