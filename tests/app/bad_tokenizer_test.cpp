// SPDX-License-Identifier: GPL-3.0-or-later
// Tokenizers that cannot be read, or that do not belong to the weights, through the real program.
#include "core/base/json.h"
#include "tests/app/refused.h"

#include <fmt/format.h>

namespace headscope::test {
namespace {

namespace fs = std::filesystem;

const std::string kPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n";

class BadTokenizer : public testing::Test {
  protected:
    void SetUp() override { m_model = copyOf(tinyBert(), m_place); }
    void TearDown() override { EXPECT_EQ(namesIn(m_outputs.path()), std::vector<std::string>()); }

    std::string whole() const { return readBytes(fs::path(tinyBert()) / "tokenizer.json"); }
    /// The model's own file with `from` written as `to`.
    std::string with(const std::string& from, const std::string& to) const {
        std::string text = whole();
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    }
    static std::string withStages(const std::string& stages) {
        return fmt::format(
            R"({{{}"model":{{"type":"WordLevel","unk_token":"[UNK]","vocab":{{"[UNK]":1}}}}}})", stages);
    }
    static std::string withModel(const std::string& model) { return fmt::format(R"({{"model":{}}})", model); }

    ProcessResult tokens(const std::string& text) const {
        return headscope({"tokens", m_model.string(), text});
    }
    ProcessResult run(const std::vector<std::string>& input) const {
        std::vector<std::string> words = {"run", m_model.string(), "--quiet", "--out", out()};
        words.insert(words.end(), input.begin(), input.end());
        return headscope(words);
    }
    std::string out() const { return (m_outputs / "maps.npz").string(); }

    TemporaryFolder m_place;
    TemporaryFolder m_outputs;
    fs::path m_model;
};

TEST_F(BadTokenizer, OneSentenceForText) {
    struct Case {
        std::string file;
        std::string sentence; ///< its start
    };
    std::string nested;
    for (int i = 0; i < 100'000; ++i) nested += "[";
    const std::vector<Case> cases = {
        {"", "tokenizer.json: the JSON is malformed (at byte 0)."},
        {whole().substr(0, whole().size() / 2), "tokenizer.json: the JSON is malformed (at byte "},
        {nested, "tokenizer.json: the JSON is nested deeper than 512 levels."},
        {with("\"the\"", "\"th\xff\""), "tokenizer.json: the JSON is not valid UTF-8 (at byte "},
        {with("\"the\"", std::string("\"th\0\"", 5)), "tokenizer.json: the JSON is malformed (at byte "},
        {kPointer, "tokenizer.json: the file is a Git LFS pointer (63 bytes of text)"},
        {withModel(R"({"type":"BPE","vocab":{},"merges":[]})"), "tokenizer.json: model: vocab: no pieces"},
        {withModel(R"({"type":"BPE","vocab":{"a":0,"b":0},"merges":[]})"),
         "tokenizer.json: model: vocab: \"a\" and \"b\" have the same id 0"},
        {withModel(R"({"type":"BPE","vocab":{"a":0},"merges":["a b"]})"),
         "tokenizer.json: model: merges: 0: \"b\" is not in the vocabulary"},
        {withStages(R"("pre_tokenizer":{"type":"Split","pattern":{"Regex":"("},)"
                    R"("behavior":"Isolated","invert":false},)"),
         "tokenizer.json: pre_tokenizer: pattern: the regular expression \"(\" is none that Oniguruma reads"},
        {withStages(R"("normalizer":{"type":"Other"},)"),
         "tokenizer.json: normalizer: type \"Other\", expected one of"},
    };
    for (const Case& one : cases) {
        m_place.write("model/tokenizer.json", one.file);
        for (const ProcessResult& result : {tokens("the cat"), run({"--text", "the cat"})}) {
            expectRefused(result, {one.sentence});
            EXPECT_TRUE(result.err.starts_with(one.sentence)) << result.err;
        }
    }
}

TEST_F(BadTokenizer, TokenIdsNeedNone) {
    for (const std::string& file : {whole().substr(0, 100), kPointer, std::string("<!DOCTYPE html>")}) {
        m_place.write("model/tokenizer.json", file);
        const ProcessResult result = run({"--ids", "2,100,3"});
        EXPECT_EQ(result.code, 0) << result.err;
        EXPECT_TRUE(fs::remove(out()));
    }
}

TEST_F(BadTokenizer, IdsThatTheWeightsDoNotHave) {
    m_place.write("model/tokenizer.json", with("\"the\": 100", "\"the\": 300"));
    const ProcessResult listed = tokens("the");
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_NE(listed.out.find("     300 "), std::string::npos) << listed.out;
    expectRefused(run({"--text", "the cat"}),
                  {"tokenizer.json: it gives \"the\" the id 300, expected 0 to 202, the model's vocabulary"});
}

TEST_F(BadTokenizer, NulInTheTextIsText) {
    // The model's normalizer drops it; the places of what stands behind count it.
    const fs::path file = m_place.write("text.txt", std::string("the\0 cat", 8));
    const ProcessResult result =
        headscope({"tokens", m_model.string(), "--no-special", "--text-file", file.string()});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.out, " index       id   start    end  from     piece\n"
                          "     0      100       0      3  first    the\n"
                          "     1      189       5      8  first    cat\n");
}

/// A line's tokens take many times its own bytes, and are written in parts of a megabyte.
TEST_F(BadTokenizer, ALongLineIsWrittenInParts) {
    constexpr int kWords = 20'000;
    std::string words;
    for (int i = 0; i < kWords; ++i) words += "the ";
    const fs::path file = m_place.write("text.txt", words);
    const ProcessResult result =
        headscope({"tokens", m_model.string(), "--json", "--text-file", file.string()});
    ASSERT_EQ(result.code, 0) << result.err;
    const Json line = parseJson(result.out, "standard output");
    const std::vector<Json>& tokens = line.find("tokens")->items();
    ASSERT_EQ(tokens.size(), kWords + 2U);
    for (int i = 0; i < kWords; ++i) {
        ASSERT_EQ(tokens[i + 1U].find("id")->asInteger(), 100);
        ASSERT_EQ(tokens[i + 1U].find("start")->asInteger(), 4 * i);
    }
}

} // namespace
} // namespace headscope::test
