// SPDX-License-Identifier: GPL-3.0-or-later
// Small folders of every class and older form against transformers (tests/tools/tokenizer_form_fixtures.py).
#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/tokenizer.h"
#include "tests/core/tokenizer/corpus_hashes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::sentenceOf;

const std::vector<Json>& cases() {
    static const Json file =
        parseJson(test::readBytes(test::dataPath("tokenizer/forms/cases.json")), "cases.json");
    return file.find("cases")->items();
}

std::string name(const Json& testCase) {
    return testCase.find("name")->asString();
}

bool isSet(const Json& testCase, std::string_view key) {
    const Json* value = testCase.find(key);
    return value != nullptr && value->asBool();
}

/// The folder of a case, as it stands on a disk.
class CaseFolder {
  public:
    explicit CaseFolder(const Json& testCase) {
        for (const auto& [file, parts] : testCase.find("files")->members()) {
            std::string content;
            for (const Json& part : parts.items())
                content += part.isString()
                               ? test::readBytes(test::dataPath("tokenizer/forms/" + part.asString()))
                               : part.find("text")->asString();
            m_folder.write(file, content);
        }
        m_folder.write("model.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10));
    }
    std::shared_ptr<const Tokenizer> tokenizer(const NoteSink& notes = {}) const {
        return loadTokenizer(openCheckpoint(m_folder.path()), notes);
    }

  private:
    test::TemporaryFolder m_folder;
};

const Json& caseNamed(const std::string& wanted) {
    for (const Json& one : cases())
        if (name(one) == wanted) return one;
    throw std::runtime_error("there is no case " + wanted);
}

/// Slow tokenizers have no spans: the reference's are 0, 0.
std::vector<Token> comparable(std::vector<Token> tokens, const Json& testCase) {
    if (!isSet(testCase, "fast"))
        for (Token& token : tokens) token.start = token.end = 0;
    return tokens;
}

std::uint32_t wantedHash(std::size_t at) {
    static const std::string bytes = test::readBytes(test::dataPath("tokenizer/forms/hashes.bin"));
    std::uint32_t hash = 0;
    for (std::size_t i = 4; i-- > 0;) hash = hash << 8 | static_cast<unsigned char>(bytes.at(at + i));
    return hash;
}

void compareLines(const Tokenizer& tokenizer, const Json& testCase) {
    const std::vector<std::string>& lines = test::corpusLines();
    auto at = static_cast<std::size_t>(testCase.find("at")->asInteger());
    const auto step = static_cast<std::size_t>(testCase.find("step")->asInteger());
    int different = 0;
    for (auto i = static_cast<std::size_t>(testCase.find("first")->asInteger()); i < lines.size();
         i += step) {
        const std::vector<Token> tokens = comparable(tokenizer.encode(lines[i], std::nullopt, {}), testCase);
        const bool same = test::TokensHash::of(tokens) == wantedHash(at);
        at += 4;
        if (!same && ++different <= 2)
            ADD_FAILURE() << name(testCase) << ", line " << i + 1 << ": " << lines[i] << "\n  found "
                          << test::shown(tokens);
    }
    EXPECT_EQ(different, 0) << name(testCase);
}

/// "id(start,end)type", with * for special.
std::string shownWithTypes(const std::vector<Token>& tokens) {
    std::string result;
    for (const Token& token : tokens)
        result += fmt::format("{}({},{}){}{} ", token.id, token.start, token.end, token.typeId,
                              token.special ? "*" : "");
    return result;
}

std::string wanted(const Json& encoding) {
    std::string result;
    const auto integer = [&](std::string_view key, std::size_t i) {
        return encoding.find(key)->items()[i].asInteger();
    };
    const std::vector<Json>& offsets = encoding.find("offsets")->items();
    for (std::size_t i = 0; i < offsets.size(); ++i)
        result += fmt::format("{}({},{}){}{} ", integer("ids", i), offsets[i].items()[0].asInteger(),
                              offsets[i].items()[1].asInteger(), integer("types", i),
                              integer("special", i) != 0 ? "*" : "");
    return result;
}

void comparePairs(const Tokenizer& tokenizer, const Json& testCase) {
    for (const Json& pair : testCase.find("pairs")->items()) {
        const std::vector<Json>& texts = pair.find("texts")->items();
        const std::vector<Token> tokens =
            comparable(tokenizer.encode(texts[0].asString(), texts[1].asString(), {}), testCase);
        EXPECT_EQ(shownWithTypes(tokens), wanted(pair)) << name(testCase);
    }
    const Json* targets = testCase.find("targets");
    if (targets == nullptr) return;
    for (const Json& target : targets->items()) {
        const std::string& text = target.find("texts")->items()[0].asString();
        const std::vector<Token> tokens =
            comparable(tokenizer.encode(text, std::nullopt, {.target = true}), testCase);
        EXPECT_EQ(shownWithTypes(tokens), wanted(target)) << name(testCase);
    }
}

TEST(TokenizerForms, GiveTheTokensOfTransformers) {
    int count = 0;
    for (const Json& testCase : cases()) {
        if (isSet(testCase, "fails")) continue;
        ++count;
        try {
            const auto tokenizer = CaseFolder(testCase).tokenizer();
            compareLines(*tokenizer, testCase);
            comparePairs(*tokenizer, testCase);
        } catch (const Error& error) {
            ADD_FAILURE() << name(testCase) << ": " << error.sentence();
        }
    }
    EXPECT_GE(count, 130);
}

TEST(TokenizerForms, RefuseWhatTransformersRefuses) {
    int count = 0;
    for (const Json& testCase : cases()) {
        if (!isSet(testCase, "fails")) continue;
        ++count;
        EXPECT_NE(sentenceOf([&] { CaseFolder(testCase).tokenizer(); }), "") << name(testCase);
    }
    EXPECT_GE(count, 20);
}

std::vector<std::string> notesOf(const std::string& caseName) {
    std::vector<std::string> notes;
    CaseFolder(caseNamed(caseName)).tokenizer([&](const std::string& note) { notes.push_back(note); });
    return notes;
}

TEST(TokenizerForms, SayWhatTheyAreBuiltFrom) {
    using Notes = std::vector<std::string>;
    EXPECT_EQ(
        notesOf("vocab.txt bert"),
        Notes{"vocab.txt: the tokenizer is built from it, as BertTokenizer does without tokenizer.json"});
    EXPECT_EQ(
        notesOf("json llama prefix False"),
        Notes{"tokenizer.model: the tokenizer is built from it, as LlamaTokenizer does for these settings, "
              "although there is a tokenizer.json"});
    EXPECT_EQ(
        notesOf("marian"),
        Notes{"vocab.json: the tokenizer is built from it, as MarianTokenizer does without tokenizer.json"});
}

TEST(TokenizerForms, SayWhatTheClassChanges) {
    using Notes = std::vector<std::string>;
    EXPECT_EQ(
        notesOf("json llama"),
        Notes{"tokenizer.json: the post_processor is replaced by the template of LlamaTokenizer, <s> $A"});
    EXPECT_EQ(notesOf("json cohere True"),
              (Notes{"tokenizer.json: CohereTokenizer adds the token \"<BOS_TOKEN>\" with id 560",
                     "tokenizer.json: CohereTokenizer adds the token \"<|END_OF_TURN_TOKEN|>\" with id 561",
                     "tokenizer.json: CohereTokenizer adds the token \"<UNK>\" with id 562",
                     "tokenizer.json: add_prefix_space of the pre_tokenizer is replaced by true, as in "
                     "tokenizer_config.json",
                     "tokenizer.json: the post_processor is replaced by the template of CohereTokenizer, "
                     "<BOS_TOKEN> $A <|END_OF_TURN_TOKEN|>"}));
    const Notes nllb = notesOf("json nllb");
    ASSERT_EQ(nllb.size(), 12U);
    EXPECT_EQ(nllb[10], "tokenizer.json: NllbTokenizer adds or changes 195 tokens more");
}

TEST(TokenizerForms, RefuseInfilling) {
    const auto tokenizer = CaseFolder(caseNamed("json code llama")).tokenizer();
    EXPECT_EQ(
        sentenceOf([&] { tokenizer->encode("a", "b", {}); }),
        "the second text: Code Llama reads it as what stands behind a gap, expected none, as that is not "
        "computed; give the text as token ids with --ids.");
    EXPECT_EQ(
        sentenceOf([&] { tokenizer->encode("a <FILL_ME> b", std::nullopt, {}); }),
        "the text: Code Llama fills a gap at \"<FILL_ME>\", expected none, as that is not computed; give "
        "the text as token ids with --ids.");
}

TEST(TokenizerForms, RefuseTargetsWithoutALanguage) {
    const auto tokenizer = CaseFolder(caseNamed("json mbart silent")).tokenizer();
    EXPECT_EQ(
        sentenceOf([&] { tokenizer->encode("a", std::nullopt, {.target = true}); }),
        "tokenizer_config.json: no tgt_lang, the language of target texts; add it, or give the target as "
        "token ids with --target-ids.");
}

/// Slow tokenizers' spans by the rules of the fast ones.
TEST(TokenizerForms, GiveSlowTokensTheirPlaces) {
    const auto tokenizer = CaseFolder(caseNamed("marian")).tokenizer();
    const auto places = [&](std::string_view text) {
        std::string result;
        for (const Token& token : tokenizer->encode(text, std::nullopt, {.addSpecial = false}))
            result += fmt::format("{}({},{}) ", token.piece, token.start, token.end);
        return result;
    };
    // The prefix stands where the first character does; a run of spaces where its last one does.
    EXPECT_EQ(places("the  the "), "▁the(0,3) ▁the(4,8) ");
    EXPECT_EQ(places("  the"), "▁the(1,5) ");
    EXPECT_EQ(places(">>de<< the</s>"), ">>de<<(0,6) ▁the(6,10) </s>(10,14) ");
    // Three characters of one; unknown neighbours are one piece, and what is unknown is spelled so.
    EXPECT_EQ(places("½"), "▁(0,1) 1(0,1) <unk>(0,1) 2(0,1) ");
    EXPECT_EQ(places("丂丄"), "▁(0,1) <unk>(0,2) ");
}

} // namespace
} // namespace headscope
