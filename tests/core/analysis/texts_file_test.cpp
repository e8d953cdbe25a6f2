// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/texts_file.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

std::vector<DiagnosisText> textsOf(const std::string& content, bool hasDecoder = false) {
    const test::TemporaryFolder folder;
    TextInput rules;
    rules.length = LengthPolicy::Truncate;
    return readTextsFile(folder.write("texts.txt", content), rules, hasDecoder);
}

std::string errorOf(const std::string& content) {
    try {
        textsOf(content);
    } catch (const Error& error) {
        return error.sentence();
    }
    return "no error";
}

TEST(TextsFile, OneTextALineNamedByItsNumber) {
    const auto texts = textsOf("one\r\n\n \t \nfour\xe2\x80\xa8still four");
    ASSERT_EQ(texts.size(), 2U);
    EXPECT_EQ(texts[0].name, "line 1");
    EXPECT_EQ(texts[0].input.text, "one");
    EXPECT_EQ(texts[0].input.length, LengthPolicy::Truncate);
    EXPECT_EQ(texts[1].name, "line 4");
    EXPECT_EQ(texts[1].input.text, "four\xe2\x80\xa8still four") << "lines end at U+000A only";
}

TEST(TextsFile, ATabBringsATargetWhereThereIsADecoder) {
    EXPECT_EQ(textsOf("a\tb")[0].input.text, "a\tb");
    const auto texts = textsOf("a\tb\tc\nd", true);
    EXPECT_EQ(texts[0].input.text, "a");
    EXPECT_EQ(texts[0].input.target, "b\tc");
    EXPECT_FALSE(texts[1].input.target.has_value());
}

TEST(TextsFile, RefusesWhatHoldsNoText) {
    EXPECT_THAT(errorOf(""), testing::HasSubstr("texts.txt: it holds no text, expected one text a line"));
    EXPECT_THAT(errorOf("\n \n"), testing::HasSubstr("it holds no text"));
    EXPECT_THAT(errorOf("a\xff"), testing::HasSubstr("texts.txt"));
}

} // namespace
} // namespace headscope
