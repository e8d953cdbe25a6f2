// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/gguf/gguf_byte_level.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/tokenizer/byte_level_stages.h"
#include "core/tokenizer/class_templates.h"
#include "core/tokenizer/stage_json.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_set>

namespace headscope {

namespace {

constexpr const char* kByLetters =
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})";
constexpr const char* kLlama3 =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","behavior":"Isolated","invert":false,"pattern":{"Regex":)"
    R"("(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|)"
    R"(\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}},)"
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false}]})";
/// What a name in tokenizer.ggml.pre stands for.
struct Rule {
    std::string_view pre;
    const char* preTokenizer;
    bool composes;  ///< the text is normalised to NFC
    bool wholeWord; ///< a word that is a piece is not put together from merges
    bool addsBegin; ///< where add_bos_token is not there
};
constexpr std::array kRules{
    Rule{"gpt-2", kByLetters, false, false, false}, Rule{"phi-2", kByLetters, false, false, false},
    Rule{"llama-bpe", kLlama3, false, true, true},  Rule{"llama-v3", kLlama3, false, true, true},
    Rule{"llama3", kLlama3, false, true, true},     Rule{"qwen2", kQwen2PreTokenizer, true, false, false},
};

const Rule& ruleOf(const GgufVocabulary& vocabulary) {
    const auto found = std::ranges::find(kRules, vocabulary.pre, &Rule::pre);
    if (found != kRules.end()) return *found;
    std::string names;
    for (const Rule& rule : kRules) names = fmt::format("{}{}{}", names, names.empty() ? "" : ", ", rule.pre);
    fail(vocabulary.subject + ": tokenizer.ggml.pre",
         vocabulary.pre.empty() ? std::string("it is missing")
                                : fmt::format("{} is not supported", quotedName(vocabulary.pre)),
         "expected one of: " + names, "give the text as token ids with --ids");
}

bool isAdded(GgufTokenKind kind) {
    return kind == GgufTokenKind::Control || kind == GgufTokenKind::UserDefined;
}

/// Unused tokens stand for ids that no text has.
Json vocabularyJson(const GgufVocabulary& vocabulary) {
    std::vector<Json::Member> pieces;
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id)
        if (vocabulary.kinds[id] != GgufTokenKind::Unused)
            pieces.emplace_back(vocabulary.tokens[id], Json(static_cast<std::int64_t>(id)));
    return jsonObject(std::move(pieces));
}

Json mergesJson(const GgufVocabulary& vocabulary) {
    std::vector<Json> pairs;
    for (const std::string_view merge : vocabulary.merges) {
        const std::size_t space = merge.find(' ');
        if (space == std::string_view::npos || merge.find(' ', space + 1) != std::string_view::npos)
            fail(vocabulary.subject + ": tokenizer.ggml.merges",
                 fmt::format("entry {} is {}", pairs.size(), quotedName(merge)), "expected two pieces");
        pairs.push_back(jsonPair(jsonText(merge.substr(0, space)), jsonText(merge.substr(space + 1))));
    }
    return jsonArray(std::move(pairs));
}

Json addedJson(const GgufVocabulary& vocabulary) {
    std::vector<Json> added;
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
        if (!isAdded(vocabulary.kinds[id])) continue;
        added.push_back(JsonObject()
                            .add("id", Json(static_cast<std::int64_t>(id)))
                            .add("content", jsonText(vocabulary.tokens[id]))
                            .add("single_word", Json(false))
                            .add("lstrip", Json(false))
                            .add("rstrip", Json(false))
                            .add("normalized", Json(false))
                            .add("special", Json(vocabulary.kinds[id] == GgufTokenKind::Control))
                            .take());
    }
    return jsonArray(std::move(added));
}

Json framing(const GgufVocabulary& vocabulary, const Rule& rule) {
    std::vector<TemplatePlace> single{{"$A"}};
    std::vector<TemplatePlace> pair{{"$A"}, {"$B", 1}};
    const auto token = [&](const char* key) -> std::string {
        const auto id = vocabulary.id(key);
        if (!id)
            fail(fmt::format("{}: tokenizer.ggml.{}", vocabulary.subject, key), "it is missing",
                 "expected an id");
        return std::string(vocabulary.tokens[static_cast<std::size_t>(*id)]);
    };
    const bool begins = vocabulary.flag("add_bos_token").value_or(rule.addsBegin);
    const bool ends = vocabulary.flag("add_eos_token").value_or(false);
    if (!begins && !ends) return constantStage(kUntrimmedByteLevel);
    if (begins) {
        single.insert(single.begin(), {token("bos_token_id")});
        pair = {{token("bos_token_id")}, {"$A"}, {token("bos_token_id"), 1}, {"$B", 1}};
    }
    if (ends) {
        single.push_back({token("eos_token_id")});
        pair.insert(pair.end() - (begins ? 2 : 1), {token("eos_token_id")});
        pair.push_back({token("eos_token_id"), 1});
    }
    const auto idOf = [&](const std::string& content) {
        return static_cast<std::int64_t>(std::ranges::find(vocabulary.tokens, content) -
                                         vocabulary.tokens.begin());
    };
    return JsonObject()
        .add("type", jsonText("Sequence"))
        .add("processors", jsonPair(constantStage(kUntrimmedByteLevel), templateStage(single, pair, idOf)))
        .take();
}

} // namespace

Json byteLevelDocument(const GgufVocabulary& vocabulary) {
    const Rule& rule = ruleOf(vocabulary);
    if (vocabulary.merges.empty())
        fail(vocabulary.subject + ": tokenizer.ggml.merges", "there are none",
             "expected those of the vocabulary");
    Json model = JsonObject()
                     .add("type", jsonText("BPE"))
                     .add("ignore_merges", Json(rule.wholeWord))
                     .add("vocab", vocabularyJson(vocabulary))
                     .add("merges", mergesJson(vocabulary))
                     .take();
    return JsonObject()
        .add("added_tokens", addedJson(vocabulary))
        .add("normalizer", rule.composes ? constantStage(R"({"type":"NFC"})") : Json())
        .add("pre_tokenizer", constantStage(rule.preTokenizer))
        .add("post_processor", framing(vocabulary, rule))
        .add("model", std::move(model))
        .take();
}

} // namespace headscope
