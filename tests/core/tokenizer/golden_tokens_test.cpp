// SPDX-License-Identifier: GPL-3.0-or-later
// Ids and spans of every line of the corpus against the tokenizers library
// (tests/tools/make_tokenizer_fixtures.py).
#include "core/base/file.h"
#include "core/tokenizer/tokenizer.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

std::vector<std::string> corpus() {
    const std::string bytes = test::readBytes(test::dataPath("tokenizer/token_lines.txt"));
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t end = bytes.find('\n', at);
        lines.push_back(bytes.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

/// Reads what `pack_tokens` of the script writes.
class PackedTokens {
  public:
    explicit PackedTokens(std::string bytes) : m_bytes(std::move(bytes)) {}

    bool atEnd() const { return m_at == m_bytes.size(); }

    std::vector<Token> nextLine() {
        std::vector<Token> tokens(next());
        std::int64_t last = 0;
        for (Token& token : tokens) {
            const std::uint64_t head = next();
            token.id = static_cast<std::int64_t>(head / 2);
            token.special = head % 2 != 0;
            if (token.special) continue;
            token.start = last + nextSigned();
            token.end = token.start + nextSigned();
            last = token.end;
        }
        return tokens;
    }

  private:
    std::uint64_t next() {
        std::uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(m_bytes.at(m_at++));
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) return value;
        }
    }
    std::int64_t nextSigned() {
        const std::uint64_t value = next();
        return value % 2 == 0 ? static_cast<std::int64_t>(value / 2)
                              : -static_cast<std::int64_t>(value / 2) - 1;
    }

    std::string m_bytes;
    std::size_t m_at = 0;
};

void compareCorpus(const Tokenizer& tokenizer, const std::string& name) {
    PackedTokens packed(test::readBytes(test::dataPath("tokenizer/" + name + ".tokens")));
    const std::vector<std::string> lines = corpus();
    ASSERT_EQ(lines.size(), 2206u);
    int different = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::vector<Token> want = packed.nextLine();
        const std::vector<Token> found = tokenizer.encode(lines[i], std::nullopt, {});
        bool same = want.size() == found.size() && test::shown(want) == test::shown(found);
        for (std::size_t t = 0; same && t < want.size(); ++t) same = want[t].special == found[t].special;
        if (same) continue;
        if (++different <= 3)
            ADD_FAILURE() << name << ", line " << i + 1 << ": " << lines[i] << "\n  found    "
                          << test::shown(found) << "\n  expected " << test::shown(want);
    }
    EXPECT_EQ(different, 0) << name;
    EXPECT_TRUE(packed.atEnd());
}

class SmallTokenizer : public ::testing::TestWithParam<const char*> {};

TEST_P(SmallTokenizer, GivesTheReferenceTokensOnEveryLine) {
    const std::string name = fmt::format("wordpiece_{}", GetParam());
    const std::string json = test::readBytes(test::dataPath("tokenizer/" + name + ".json"));
    compareCorpus(*parseTokenizer(json, name, {}), name);
}

INSTANTIATE_TEST_SUITE_P(GoldenTokens, SmallTokenizer,
                         ::testing::Values("lower", "cased", "cased_stripped", "lower_accents", "sequence",
                                           "added"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(GoldenTokens, MiniLm) {
    const std::filesystem::path folder = test::minilmFolder();
    if (folder.empty()) GTEST_SKIP() << "skipped: the MiniLM checkpoint is not there";
    const std::string json = readWholeFile(folder / "tokenizer.json", 16 << 20);
    compareCorpus(*parseTokenizer(json, "tokenizer.json", {}), "minilm");
}

} // namespace
} // namespace headscope
