// SPDX-License-Identifier: GPL-3.0-or-later
// Every stage type and its options on every line of the corpus against the tokenizers library
// (tests/tools/tokenizer_stage_fixtures.py; its --explain prints the expected tokens of one line).
#include "tests/core/tokenizer/corpus_hashes.h"
#include "tests/core/tokenizer/stage_kinds.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

const test::StageKinds& kinds() {
    static const test::StageKinds result(test::readBytes(test::dataPath("tokenizer/stages.json")));
    return result;
}

/// The expected hash of one line of one kind; kinds stand one behind the other.
std::uint32_t expectedHash(std::size_t kind, std::size_t line) {
    static const std::string bytes = test::readBytes(test::dataPath("tokenizer/stages.hashes"));
    const std::size_t at = 4 * (kind * test::corpusLines().size() + line);
    std::uint32_t value = 0;
    for (std::size_t byte = 4; byte-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes.at(at + byte));
    return value;
}

TEST(GoldenStages, GiveTheReferenceTokensOnEveryLine) {
    const std::vector<std::string>& lines = test::corpusLines();
    const std::vector<std::string> names = kinds().names();
    ASSERT_EQ(lines.size(), 2206u);
    ASSERT_GE(names.size(), 99u);
    for (std::size_t kind = 0; kind < names.size(); ++kind) {
        const auto tokenizer = kinds().tokenizer(names[kind]);
        int different = 0;
        for (std::size_t line = 0; line < lines.size(); ++line) {
            const std::vector<Token> tokens = tokenizer->encode(lines[line], kinds().pair(names[kind]), {});
            if (test::TokensHash::of(tokens) == expectedHash(kind, line) || ++different > 2) continue;
            ADD_FAILURE() << names[kind] << ", line " << line + 1 << ": " << lines[line] << "\n  found "
                          << test::shown(tokens);
        }
        EXPECT_EQ(different, 0) << names[kind];
    }
}

} // namespace
} // namespace headscope
