// SPDX-License-Identifier: GPL-3.0-or-later
// *.model: a sentencepiece model as the classes convert it.
#include "core/base/error.h"
#include "core/tokenizer/base64.h"
#include "core/tokenizer/class_templates.h"
#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/forms/sentence_piece_vocabulary.h"
#include "core/tokenizer/stage_json.h"

namespace headscope {

namespace {

enum class Family { Plain, Albert, XlNet, DebertaV2, Pegasus, T5, Llama, Gemma, Roberta, Languages };

Family familyOf(const ClassRule& rule) {
    switch (rule.more) {
    case MoreTokens::XlNet:
        return Family::XlNet;
    case MoreTokens::Pegasus:
        return Family::Pegasus;
    case MoreTokens::T5:
        return Family::T5;
    case MoreTokens::CodeLlama:
        return Family::Llama;
    case MoreTokens::Camembert:
        return Family::Roberta;
    case MoreTokens::MBart:
    case MoreTokens::MBart50:
    case MoreTokens::Nllb:
        return Family::Languages;
    case MoreTokens::ByT5: // has no sentencepiece model
    case MoreTokens::Listed:
        break;
    }
    if (rule.name == "AlbertTokenizer") return Family::Albert;
    if (rule.name == "DebertaV2Tokenizer") return Family::DebertaV2;
    if (rule.name == "LlamaTokenizer") return Family::Llama;
    if (rule.name == "GemmaTokenizer") return Family::Gemma;
    if (rule.name == "XLMRobertaTokenizer" || rule.name == "BarthezTokenizer") return Family::Roberta;
    return Family::Plain;
}

/// T5 and Llama have two settings that the other classes lack.
struct PrefixSettings {
    bool addsSpace = true;
    bool isLegacy = true;
};

PrefixSettings prefixSettings(const FormInputs& form) {
    if (form.rule.prefixSpace != PrefixSpaceRule::Rebuilds) return {};
    const ClassSettings settings = form.settings();
    // A class that rebuilds hands an unset prefix on as null, which is no prefix.
    return {settings.loose("add_prefix_space", !form.inputs.isRebuilt),
            settings.optional("legacy", std::nullopt).value_or(true)};
}

Json sequence(std::string_view key, std::vector<Json> stages) {
    return JsonObject().add("type", jsonText("Sequence")).add(key, jsonArray(std::move(stages))).take();
}

Json replace(std::string_view kind, std::string_view pattern, std::string_view content) {
    return JsonObject()
        .add("type", jsonText("Replace"))
        .add("pattern", JsonObject().add(kind, jsonText(pattern)).take())
        .add("content", jsonText(content))
        .take();
}

void addRules(std::vector<Json>& stages, const SentencePieceModel& model) {
    if (!model.charsmap.empty())
        stages.push_back(JsonObject()
                             .add("type", jsonText("Precompiled"))
                             .add("precompiled_charsmap", jsonText(toBase64(model.charsmap)))
                             .take());
}

/// ALBERT and XLNet tidy the text up before the model's own rules.
Json tidyNormalizer(const FormInputs& form, const SentencePieceModel& model, bool lowerByDefault) {
    const ClassSettings settings = form.settings();
    std::vector<Json> stages = {replace("String", "``", "\""), replace("String", "''", "\"")};
    if (!settings.loose("keep_accents", false)) {
        stages.push_back(constantStage(R"({"type":"NFKD"})"));
        stages.push_back(constantStage(R"({"type":"StripAccents"})"));
    }
    if (settings.loose("do_lower_case", lowerByDefault))
        stages.push_back(constantStage(R"({"type":"Lowercase"})"));
    addRules(stages, model);
    stages.push_back(replace("Regex", " {2,}", " "));
    return sequence("normalizers", std::move(stages));
}

Json normalizer(const FormInputs& form, const SentencePieceModel& model) {
    std::vector<Json> stages;
    switch (familyOf(form.rule)) {
    case Family::Albert:
        return tidyNormalizer(form, model, true);
    case Family::XlNet:
        return tidyNormalizer(form, model, false);
    case Family::Gemma:
        return replace("String", " ", "▁");
    case Family::Llama: {
        const PrefixSettings prefix = prefixSettings(form);
        if (!prefix.isLegacy) return {};
        if (prefix.addsSpace) stages.push_back(constantStage(R"({"type":"Prepend","prepend":"▁"})"));
        stages.push_back(replace("String", " ", "▁"));
        return sequence("normalizers", std::move(stages));
    }
    case Family::DebertaV2:
        if (form.settings().loose("do_lower_case", false))
            stages.push_back(constantStage(R"({"type":"Lowercase"})"));
        stages.push_back(constantStage(R"({"type":"Strip","strip_left":true,"strip_right":true})"));
        addRules(stages, model);
        stages.push_back(replace("Regex", " {2,}", " "));
        return sequence("normalizers", std::move(stages));
    default:
        addRules(stages, model);
        stages.push_back(constantStage(R"({"type":"Strip","strip_left":false,"strip_right":true})"));
        stages.push_back(replace("Regex", " {2,}", "▁"));
        return sequence("normalizers", std::move(stages));
    }
}

Json metaspace(const PrefixSettings& prefix, bool splits) {
    const char* scheme = !prefix.addsSpace ? "never" : prefix.isLegacy ? "always" : "first";
    return JsonObject()
        .add("type", jsonText("Metaspace"))
        .add("replacement", jsonText("▁"))
        .add("prepend_scheme", jsonText(scheme))
        .add("split", Json(splits))
        .take();
}

Json preTokenizer(const FormInputs& form) {
    const PrefixSettings prefix = prefixSettings(form);
    switch (familyOf(form.rule)) {
    case Family::Llama:
        return prefix.isLegacy ? Json() : metaspace(prefix, false);
    case Family::Gemma:
        return constantStage(
            R"({"type":"Split","pattern":{"String":" "},"behavior":"MergedWithPrevious","invert":false})");
    case Family::Pegasus:
        return sequence("pretokenizers",
                        {constantStage(R"({"type":"WhitespaceSplit"})"), metaspace(prefix, true)});
    case Family::DebertaV2: {
        std::vector<Json> stages;
        if (form.settings().loose("split_by_punct", false))
            stages.push_back(constantStage(R"({"type":"Punctuation","behavior":"Isolated"})"));
        stages.push_back(metaspace(prefix, true));
        return sequence("pretokenizers", std::move(stages));
    }
    default:
        return metaspace(prefix, true);
    }
}

/// Llama, Gemma and the classes with languages write a template of their own afterwards.
Json postProcessor(const FormInputs& form, const TemplateIds& idOf) {
    const auto placed = [&](const char* single, const char* pair) {
        return templateStage(templatePlaces(single), templatePlaces(pair), idOf);
    };
    switch (familyOf(form.rule)) {
    case Family::Albert:
    case Family::DebertaV2:
        return placed("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1");
    case Family::XlNet:
        return placed("$A <sep> <cls>:2", "$A <sep> $B:1 <sep>:1 <cls>:2");
    case Family::Roberta:
        return placed("<s> $A </s>", "<s> $A </s> </s> $B </s>");
    case Family::T5:
        return placed("$A </s>", "$A </s> $B </s>");
    case Family::Pegasus: {
        const TemplatePlace end = {form.special.content("eos_token")};
        return templateStage({{"$A"}, end}, {{"$A"}, {"$B"}, end}, idOf, TemplateForm::List);
    }
    default:
        return {};
    }
}

Json modelStage(const FormInputs& form, const SentencePieceModel& model,
                const SentencePieceVocabulary& vocabulary) {
    const Family family = familyOf(form.rule);
    const bool byteFallback = family == Family::Llama || family == Family::Gemma;
    std::vector<Json> scored;
    std::vector<Json::Member> numbered;
    for (const ScoredPiece& piece : vocabulary.pieces) {
        if (model.type == PieceModelType::Unigram)
            scored.push_back(jsonPair(jsonText(piece.text), Json(piece.score)));
        else
            numbered.emplace_back(piece.text, Json(static_cast<std::int64_t>(numbered.size())));
    }
    if (model.type == PieceModelType::Unigram)
        return JsonObject()
            .add("type", jsonText("Unigram"))
            .add("unk_id", Json(vocabulary.unkId))
            .add("byte_fallback", Json(byteFallback))
            .add("vocab", jsonArray(std::move(scored)))
            .take();
    Json merges = mergesFromScores(vocabulary.pieces, model, family == Family::Gemma, form.vocabularyFile);
    return JsonObject()
        .add("type", jsonText("BPE"))
        .add("unk_token", jsonText(model.unkPiece))
        .add("fuse_unk", Json(true))
        .add("byte_fallback", Json(byteFallback))
        .add("vocab", jsonObject(std::move(numbered)))
        .add("merges", std::move(merges))
        .take();
}

/// Control and user-defined pieces are cut out of the text.
Json addedTokens(const FormInputs& form, const SentencePieceModel& model) {
    const bool isGemma = familyOf(form.rule) == Family::Gemma;
    std::vector<Json> tokens;
    for (std::size_t i = 0; i < model.pieces.size(); ++i) {
        const SentencePiece& piece = model.pieces[i];
        const bool isControl = piece.kind == PieceKind::Control;
        if (!isControl && piece.kind != PieceKind::UserDefined) continue;
        const bool isTurn = isGemma && (piece.text == "<start_of_turn>" || piece.text == "<end_of_turn>");
        tokens.push_back(JsonObject()
                             .add("id", Json(static_cast<std::int64_t>(i)))
                             .add("content", jsonText(piece.text))
                             .add("single_word", Json(false))
                             .add("lstrip", Json(false))
                             .add("rstrip", Json(false))
                             .add("normalized", Json(false))
                             .add("special", Json(isControl || isTurn))
                             .take());
    }
    return jsonArray(std::move(tokens));
}

} // namespace

Json buildSentencePiece(const FormInputs& form) {
    const SentencePieceModel model(form.read(form.vocabularyFile), form.vocabularyFile);
    const SentencePieceVocabulary vocabulary = sentencePieceVocabulary(form, model);
    Json added = addedTokens(form, model);
    Json normalizing = normalizer(form, model);
    Json splitting = preTokenizer(form);
    Json framing = postProcessor(form, vocabulary.idOf);
    Json encoding = modelStage(form, model, vocabulary);
    return JsonObject()
        .add("added_tokens", std::move(added))
        .add("normalizer", std::move(normalizing))
        .add("pre_tokenizer", std::move(splitting))
        .add("post_processor", std::move(framing))
        .add("model", std::move(encoding))
        .take();
}

} // namespace headscope
