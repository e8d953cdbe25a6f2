// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/gguf/gguf_tokenizer.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/tokenizer/class_templates.h"
#include "core/tokenizer/gguf/gguf_byte_level.h"
#include "core/tokenizer/stage_json.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kGiveIds = "give the text as token ids with --ids";
constexpr std::string_view kSpace = "\xe2\x96\x81"; // U+2581

[[noreturn]] void refuse(const GgufVocabulary& vocabulary, std::string_view key,
                         const std::string& expected) {
    const std::string& value = key == "model" ? vocabulary.model : vocabulary.pre;
    fail(fmt::format("{}: tokenizer.ggml.{}", vocabulary.subject, key),
         fmt::format("{} is not supported", quotedName(value)), "expected " + expected, kGiveIds);
}

/// The parts of a protobuf message that a sentencepiece model is.
class Message {
  public:
    void bytes(unsigned field, std::string_view content) {
        varint(field << 3U | 2U);
        varint(content.size());
        m_text.append(content);
    }
    void number(unsigned field, std::uint64_t value) {
        varint(field << 3U);
        varint(value);
    }
    void real(unsigned field, float value) {
        varint(field << 3U | 5U);
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (unsigned byte = 0; byte < 4; ++byte)
            m_text.push_back(static_cast<char>(bits >> (8U * byte) & 255U));
    }
    const std::string& text() const { return m_text; }

  private:
    void varint(std::uint64_t value) {
        for (; value >= 128; value >>= 7U) m_text.push_back(static_cast<char>(value | 128U));
        m_text.push_back(static_cast<char>(value));
    }

    std::string m_text;
};

/// The vocabulary as the file that it was made of.
std::string sentencePieceContent(const GgufVocabulary& vocabulary) {
    if (vocabulary.scores.empty())
        fail(vocabulary.subject + ": tokenizer.ggml.scores", "there are none", "expected one for each token",
             kGiveIds);
    if (std::ranges::find(vocabulary.kinds, GgufTokenKind::Unknown) == vocabulary.kinds.end())
        fail(vocabulary.subject + ": tokenizer.ggml.token_type", "no token is of type 2, the unknown one",
             "expected one", kGiveIds);
    Message model;
    bool byteFallback = false;
    std::string_view unknown = "<unk>";
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
        const GgufTokenKind kind = vocabulary.kinds[id];
        byteFallback |= kind == GgufTokenKind::Byte;
        if (kind == GgufTokenKind::Unknown) unknown = vocabulary.tokens[id];
        Message piece;
        piece.bytes(1, vocabulary.tokens[id]);
        piece.real(2, vocabulary.scores[id]);
        piece.number(3, static_cast<std::uint64_t>(kind));
        model.bytes(1, piece.text());
    }
    Message trainer;
    trainer.number(3, 2); // pairs are merged by score
    trainer.number(35, byteFallback ? 1 : 0);
    trainer.bytes(45, unknown);
    model.bytes(2, trainer.text());
    return model.text();
}

/// vocab.txt: the format marks beginnings of words where the file marks continuations.
std::string wordPieceContent(const GgufVocabulary& vocabulary) {
    if (vocabulary.pre != "bert-bge") refuse(vocabulary, "pre", "\"bert-bge\"");
    std::string lines;
    for (std::size_t id = 0; id < vocabulary.tokens.size(); ++id) {
        const std::string_view token = vocabulary.tokens[id];
        // One line for each: a break inside of one would move the ids of all that follow.
        if (token.find_first_of("\r\n") != std::string_view::npos)
            fail(vocabulary.subject + ": tokenizer.ggml.tokens",
                 fmt::format("entry {} is {}", id, quotedName(token)), "expected a piece of one line",
                 kGiveIds);
        if (vocabulary.kinds[id] == GgufTokenKind::Normal)
            lines.append(token.starts_with(kSpace) ? token.substr(kSpace.size())
                                                   : fmt::format("##{}", token));
        else
            lines.append(token);
        lines.push_back('\n');
    }
    return lines;
}

/// tokenizer_config.json with what the keys say.
Json settings(const GgufVocabulary& vocabulary, std::string_view className) {
    Json json = Json::object();
    json.members().emplace_back("tokenizer_class", jsonText(className));
    for (const auto& [key, name] : {std::pair{"bos_token_id", "bos_token"}, {"eos_token_id", "eos_token"}})
        if (const auto id = vocabulary.id(key); id && className != "BertTokenizer")
            json.members().emplace_back(name, jsonText(vocabulary.tokens[static_cast<std::size_t>(*id)]));
    const auto copy = [&](std::string_view from, std::string_view to) {
        if (const auto value = vocabulary.flag(from)) json.members().emplace_back(to, Json(*value));
    };
    if (className == "BertTokenizer") return json;
    copy("add_bos_token", "add_bos_token");
    copy("add_eos_token", "add_eos_token");
    if (className == "LlamaTokenizer") copy("add_space_prefix", "add_prefix_space");
    return json;
}

} // namespace

GgufTokenizerPlan planGgufTokenizer(const GgufVocabulary& vocabulary, const Json& modelConfig) {
    GgufTokenizerPlan plan;
    plan.inputs.modelConfig = modelConfig;
    plan.inputs.isBuilt = true;
    if (vocabulary.model == "gpt2") {
        plan.document = byteLevelDocument(vocabulary);
        return plan;
    }
    std::string_view className;
    if (vocabulary.model == "llama") {
        const Json* type = modelConfig.find("model_type");
        const bool isGemma = type != nullptr && type->isString() && type->asString().starts_with("gemma");
        className = isGemma ? "GemmaTokenizer" : "LlamaTokenizer";
        plan.content = sentencePieceContent(vocabulary);
    } else if (vocabulary.model == "bert") {
        className = "BertTokenizer";
        plan.content = wordPieceContent(vocabulary);
    } else {
        refuse(vocabulary, "model", "\"llama\", \"gpt2\" or \"bert\"");
    }
    plan.inputs.tokenizerConfig = settings(vocabulary, className);
    return plan;
}

} // namespace headscope
