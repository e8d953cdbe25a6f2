// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/probe_sources.h"
#include "core/base/utf8.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace headscope {
namespace {

ProbeSource read(std::string_view path, std::string_view content) {
    return readProbe(path, std::as_bytes(std::span(content)));
}

/// Words of four letters or more, in small letters.
std::vector<std::string> longWords(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (std::isalpha(static_cast<unsigned char>(c)) != 0)
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        else
            words.emplace_back();
    }
    std::erase_if(words, [](const std::string& word) { return word.size() < 4; });
    return words;
}

TEST(ProbeSources, AreTheFilesOfTheFolder) {
    const std::filesystem::path folder =
        std::filesystem::path(HEADSCOPE_SOURCE_DIR) / "resources/texts/probes";
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        const std::string path = std::filesystem::relative(entry.path(), folder).generic_string();
        const ProbeSource expected = read(path, test::readBytes(entry.path()));
        names.insert(expected.name);
        const auto found = std::ranges::find(probeSources(), expected.name, &ProbeSource::name);
        ASSERT_NE(found, probeSources().end()) << path;
        EXPECT_EQ(found->kind, expected.kind) << path;
        EXPECT_EQ(found->text, expected.text) << path;
        EXPECT_EQ(found->pair, expected.pair) << path;
    }
    EXPECT_EQ(names.size(), probeSources().size());
}

TEST(ProbeSources, HaveEnoughOfEveryKindInAFixedOrder) {
    std::map<ProbeKind, int> counts;
    std::vector<std::pair<ProbeKind, std::string>> order;
    for (const ProbeSource& source : probeSources()) {
        ++counts[source.kind];
        order.emplace_back(source.kind, source.name);
        EXPECT_FALSE(firstInvalidUtf8(source.text + source.pair.value_or(""))) << source.name;
        EXPECT_THAT(source.name, ::testing::StartsWith(std::string(nameOf(source.kind)) + "/"));
    }
    EXPECT_TRUE(std::ranges::is_sorted(order));
    EXPECT_GE(counts[ProbeKind::Natural], 12);
    EXPECT_GE(counts[ProbeKind::Duplicates], 2);
    EXPECT_GE(counts[ProbeKind::Pair], 2);
    EXPECT_GE(counts[ProbeKind::Roles], 2);
    EXPECT_EQ(counts[ProbeKind::Repeats], 0) << "these are drawn, not written";
}

TEST(ProbeSources, WordsComeAgainInDuplicatesAtVaryingDistances) {
    for (const ProbeSource& source : probeSources()) {
        if (source.kind != ProbeKind::Duplicates) continue;
        const std::vector<std::string> words = longWords(source.text);
        std::map<std::string, std::size_t> last;
        std::set<std::size_t> distances;
        std::size_t again = 0;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (last.contains(words[i])) {
                ++again;
                distances.insert(i - last[words[i]]);
            }
            last[words[i]] = i;
        }
        EXPECT_NEAR(static_cast<double>(again) / static_cast<double>(words.size()), 0.5, 0.1) << source.name;
        EXPECT_GE(distances.size(), 10U) << source.name;
    }
}

TEST(ProbeSources, NaturalTextsTestSentencesQuestionsAndLines) {
    int longSentences = 0;
    int questions = 0;
    int lines = 0;
    for (const ProbeSource& source : probeSources()) {
        if (source.kind != ProbeKind::Natural) continue;
        std::vector<std::ptrdiff_t> lengths(1);
        for (const char c : source.text) {
            if (c == '.' || c == '?' || c == '!' || c == '\n') lengths.push_back(0);
            lengths.back() += c == ' ' ? 1 : 0;
        }
        longSentences += std::ranges::count_if(lengths, [](std::ptrdiff_t n) { return n > 17; }) >= 2 ? 1 : 0;
        questions += source.text.find('?') != std::string::npos ? 1 : 0;
        lines += source.text.find('\n') != std::string::npos ? 1 : 0;
    }
    EXPECT_GE(longSentences, 4);
    EXPECT_GE(questions, 4);
    EXPECT_GE(lines, 10);
}

TEST(ProbeSources, AFileSaysKindNameAndBothTexts) {
    const ProbeSource pair = read("pair/doubt.txt", "It grows.\nFast.\n--\nDoes -- it?\n\n");
    EXPECT_EQ(pair.name, "pair/doubt");
    EXPECT_EQ(pair.kind, ProbeKind::Pair);
    EXPECT_EQ(pair.text, "It grows.\nFast.");
    EXPECT_EQ(pair.pair, "Does -- it?");
    const ProbeSource single = read("natural/code.txt", "i--;\n-- \nx\n");
    EXPECT_EQ(single.kind, ProbeKind::Natural);
    EXPECT_EQ(single.text, "i--;\n-- \nx");
    EXPECT_FALSE(single.pair);
}

TEST(ProbeSources, TheFingerprintTellsEveryChange) {
    const std::vector<ProbeSource> sources{read("natural/a.txt", "one"),
                                           read("pair/b.txt", "two\n--\nthree")};
    const std::string before = fingerprintOf(sources);
    EXPECT_EQ(before.size(), 16U);
    EXPECT_EQ(before.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(before, fingerprintOf(sources));
    std::set<std::string> seen{before};
    for (const auto& [path, content] : std::initializer_list<std::pair<const char*, const char*>>{
             {"natural/a.txt", "One"}, {"natural/ao.txt", "ne"}, {"natural/c.txt", "one"}}) {
        std::vector<ProbeSource> changed = sources;
        changed[0] = read(path, content);
        EXPECT_TRUE(seen.insert(fingerprintOf(changed)).second) << path << content;
    }
    for (const char* content : {"twothree\n--\n.", "twot\n--\nhree", "two\n--\nthree!"}) {
        std::vector<ProbeSource> changed = sources;
        changed[1] = read("pair/b.txt", content);
        EXPECT_TRUE(seen.insert(fingerprintOf(changed)).second) << content;
    }
    EXPECT_TRUE(seen.insert(fingerprintOf({sources[1], sources[0]})).second);
    EXPECT_TRUE(seen.insert(fingerprintOf({sources[0]})).second);
    EXPECT_EQ(probeBatteryVersion(), fingerprintOf(probeSources()));
}

} // namespace
} // namespace headscope
