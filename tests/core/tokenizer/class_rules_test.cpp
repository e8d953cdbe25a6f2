// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_rules.h"
#include "core/tokenizer/tokenizer_file.h"
#include "tests/core/tokenizer/tokenizer_json.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::sentenceOf;

Json parsed(const std::string& text) {
    return parseJson(text, "test");
}

Json baseFile() {
    return parsed(test::readBytes(test::dataPath("tokenizer/wordpiece_lower.json")));
}

/// The tokenizer.json of a case: the base file with some keys replaced and some pieces removed.
Json fileOfCase(const Json& testCase) {
    Json file = baseFile();
    for (const Json::Member& change : testCase.find("changes")->members())
        for (Json::Member& member : file.members())
            if (member.first == change.first) member.second = change.second;
    for (const Json& piece : testCase.find("removed_pieces")->items()) {
        for (Json::Member& member : file.members()) {
            if (member.first != "model") continue;
            for (Json::Member& field : member.second.members())
                if (field.first == "vocab")
                    std::erase_if(field.second.members(),
                                  [&](const Json::Member& entry) { return entry.first == piece.asString(); });
        }
    }
    return file;
}

std::optional<Json> optionalFile(const Json& testCase, std::string_view key) {
    const Json* json = testCase.find(key);
    return json->isNull() ? std::nullopt : std::optional(*json);
}

TEST(ClassRules, GiveTheTokensOfTransformers) {
    const Json fixture = parsed(test::readBytes(test::dataPath("tokenizer/class_rules.json")));
    const std::string text = fixture.find("text")->asString();
    ASSERT_GE(fixture.find("cases")->items().size(), 25u);
    for (const Json& testCase : fixture.find("cases")->items()) {
        const Json file = fileOfCase(testCase);
        ClassInputs inputs;
        inputs.modelConfig = parsed(R"({"model_type":"bert"})");
        inputs.tokenizerConfig = optionalFile(testCase, "tokenizer_config");
        inputs.specialTokensMap = optionalFile(testCase, "special_tokens_map");
        inputs.addedTokens = optionalFile(testCase, "added_tokens");
        inputs.listed = readListedTokens(file, "tokenizer.json");
        PipelineStages stages = readStages(file, "tokenizer.json", {});
        applyClassRules(findClassRule(inputs), inputs, file, stages, {});
        std::string want;
        const std::vector<Json>& offsets = testCase.find("offsets")->items();
        for (std::size_t i = 0; i < offsets.size(); ++i)
            want +=
                fmt::format("{}{}({},{})", i == 0 ? "" : " ", testCase.find("ids")->items()[i].asInteger(),
                            offsets[i].items()[0].asInteger(), offsets[i].items()[1].asInteger());
        EXPECT_EQ(test::encoded(Pipeline(std::move(stages)), text), want)
            << testCase.find("name")->asString();
    }
}

/// The notes of applying the rules to the base file.
std::vector<std::string> notesFor(const ClassInputs& inputs) {
    std::vector<std::string> notes;
    const Json file = baseFile();
    PipelineStages stages = readStages(file, "tokenizer.json", {});
    applyClassRules(findClassRule(inputs), inputs, file, stages,
                    [&](const std::string& note) { notes.push_back(note); });
    return notes;
}

ClassInputs withModel(const std::string& modelConfig) {
    ClassInputs inputs;
    inputs.modelConfig = parsed(modelConfig);
    return inputs;
}

ClassInputs withConfig(const std::string& tokenizerConfig) {
    ClassInputs inputs = withModel(R"({"model_type":"bert"})");
    inputs.tokenizerConfig = parsed(tokenizerConfig);
    return inputs;
}

TEST(ClassRules, NoteOnlyWhatChangesSomething) {
    EXPECT_TRUE(notesFor(withConfig(R"({"tokenizer_class":"BertTokenizer","do_lower_case":true})")).empty());
    EXPECT_EQ(
        notesFor(withConfig(R"({"tokenizer_class":"BertTokenizer","do_lower_case":false,"mask_token":"<m>",
                                      "split_special_tokens":true})")),
        (std::vector<std::string>{
            "tokenizer_config.json: split_special_tokens is true, special tokens in the text are read as "
            "text",
            "tokenizer.json: BertTokenizer adds the token \"<m>\" with id 1000",
            "tokenizer.json: lowercase true is replaced by false, do_lower_case in tokenizer_config.json"}));
}

TEST(ClassRules, RefuseClassesWhoseRulesAreNotKnown) {
    const std::string sentence =
        sentenceOf([] { notesFor(withConfig(R"({"tokenizer_class":"TokenizersBackend"})")); });
    EXPECT_TRUE(sentence.starts_with("tokenizer_config.json: tokenizer_class: \"TokenizersBackend\", "
                                     "expected one of the classes whose rules "
                                     "are known (PreTrainedTokenizer, BertTokenizer, "))
        << sentence;
    EXPECT_TRUE(sentence.ends_with("GemmaTokenizer, BarthezTokenizer, all also with Fast; "
                                   "MarianTokenizer, M2M100Tokenizer, ByT5Tokenizer); give the text as "
                                   "token ids with --ids."))
        << sentence;
    EXPECT_EQ(sentenceOf([] { notesFor(withModel(R"({"model_type":"granite"})")); }),
              "tokenizer_config.json: no tokenizer_class, and none is known for model_type \"granite\"; give "
              "the text as token ids with --ids.");
    EXPECT_EQ(sentenceOf([] { notesFor(withModel("{}")); }),
              "tokenizer_config.json: no tokenizer_class, and no model_type in config.json; give the text as "
              "token ids with --ids.");
    EXPECT_EQ(sentenceOf([] { notesFor(withModel(R"({"tokenizer_class":"BertTokenizer"})")); }), "");
    EXPECT_EQ(sentenceOf([] {
                  notesFor(
                      withModel(R"({"model_type":"encoder-decoder","encoder":{"model_type":"electra"}})"));
              }),
              "");
}

TEST(ClassRules, RefuseMalformedSettings) {
    const auto sentence = [](const std::string& rest) {
        return sentenceOf(
            [&] { notesFor(withConfig(R"({"tokenizer_class":"BertTokenizer",)" + rest + "}")); });
    };
    EXPECT_EQ(sentence(R"("do_lower_case":null)"),
              "tokenizer_config.json: do_lower_case: found null, expected true or false.");
    EXPECT_EQ(sentence(R"("strip_accents":"yes")"),
              "tokenizer_config.json: strip_accents: found \"yes\", expected true or false.");
    EXPECT_EQ(sentence(R"("mask_token":7)"),
              "tokenizer_config.json: mask_token: found an integer, expected a string or an object.");
    EXPECT_EQ(sentence(R"("mask_token":{"lstrip":true})"),
              "tokenizer_config.json: mask_token: \"content\" is missing.");
    EXPECT_EQ(sentence(R"("additional_special_tokens":"x")"),
              "tokenizer_config.json: additional_special_tokens: found a string, expected an array.");
    EXPECT_EQ(sentence(R"("added_tokens_decoder":[])"),
              "tokenizer_config.json: added_tokens_decoder: found an array, expected an object.");
    EXPECT_EQ(sentence(R"("added_tokens_decoder":{"-1":{"content":"x"}})"),
              "tokenizer_config.json: added_tokens_decoder: the key \"-1\", expected a token id.");
    EXPECT_EQ(sentence(R"("added_tokens_decoder":{"1":"x"})"),
              "tokenizer_config.json: added_tokens_decoder: 1: found a string, expected an object.");
    EXPECT_EQ(sentence(R"("split_special_tokens":1)"),
              "tokenizer_config.json: split_special_tokens: found 1, expected true or false.");
}

} // namespace
} // namespace headscope
