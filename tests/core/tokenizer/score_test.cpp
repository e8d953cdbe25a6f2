// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/score.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

std::optional<double> score(std::string_view text) {
    return readScore(parseJson(text, "test"));
}

TEST(Score, IsTheDoubleThatTheLibraryHolds) {
    const std::pair<const char*, double> cases[] = {
        {"-10.250912345678901", -0x1.48077953db501p+3},
        {"-12.345678901234567", -0x1.8b0fcd32f707ap+3},
        // One unit in the last place off the nearest double:
        {"-9.088184001853249e-06", -0x1.30f2e7f88710bp-17},
        {"-2.3433096104669638e-06", -0x1.3a83815041a0ep-19},
        {"-1.5061642402352393", -0x1.8193faca370cdp+0},
        {"0.9745430973087721", 0x1.f2f75016f7aa5p-1},
        {"-0.10811930596651731", -0x1.badb4f33141c1p-4},
        // Digits that do not fit are left out:
        {"0.18446744073709551615", 0x1.79ca10c924223p-3},
        {"0.18446744073709551616", 0x1.79ca10c924224p-3},
        {"-9.99999999999999999999", -0x1.4p+3},
        {"123456789012345678.9", 0x1.b69b4ba630f35p+56},
        {"18446744073709551615", 0x1p+64},
        {"-9223372036854775809", -0x1p+63},
        // The ends of the range:
        {"1.7976931348623157e308", 0x1.fffffffffffffp+1023},
        {"1e308", 0x1.1ccf385ebc8a0p+1023},
        {"1e23", 0x1.52d02c7e14af6p+76},
        {"2.2250738585072014e-308", 0x1p-1022},
        {"4.9406564584124654e-324", 0x0.0000000000001p-1022},
        {"123e-330", 0.0},
        {"1e-99999999999", 0.0},
        {"0e999999999999", 0.0},
        {"-3", -3.0},
        {"-8.4e+1", -84.0},
    };
    for (const auto& [text, want] : cases) EXPECT_EQ(score(text), want) << text;
}

TEST(Score, OneThatWasNotReadFromATextIsTakenAsItIs) {
    EXPECT_EQ(readScore(Json(-1.5061642402352393)), -1.5061642402352393);
}

TEST(Score, RefusesWhatIsNoScore) {
    for (const char* text :
         {"\"1\"", "null", "[1.0]", "18446744073709551616", "-1000000000000000000000000000000.5"})
        EXPECT_EQ(score(text), std::nullopt) << text;
}

} // namespace
} // namespace headscope
