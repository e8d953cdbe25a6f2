// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/class_rules.h"
#include "core/tokenizer/class_rules_settings.h"
#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/gguf/gguf_tokenizer.h"
#include "core/tokenizer/infilling.h"
#include "core/tokenizer/tokenizer.h"
#include "core/tokenizer/tokenizer_file.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kTokenizerJson = "tokenizer.json";
constexpr const char* kGiveIds = "give the text as token ids with --ids";

std::optional<Json> readOptional(const Checkpoint& checkpoint, const std::string& name) {
    if (!checkpoint.has(name)) return std::nullopt;
    Json json = parseJson(readTokenizerFile(checkpoint.open(name)), name);
    if (!json.isObject()) fail(name, fmt::format("found {}", json.typeName()), "expected an object");
    return json;
}

ClassInputs readInputs(const Checkpoint& checkpoint) {
    ClassInputs inputs;
    inputs.modelConfig = checkpoint.config;
    inputs.tokenizerConfig = checkpoint.tokenizerConfig;
    // Folders of the time before added_tokens_decoder keep their special tokens here.
    inputs.specialTokensMap = readOptional(checkpoint, "special_tokens_map.json");
    inputs.addedTokens = readOptional(checkpoint, "added_tokens.json");
    return inputs;
}

/// tokenizer_config.json can name files for older releases that are read instead of tokenizer.json.
void refuseOtherFiles(const ClassInputs& inputs) {
    const Json* files = ClassSettings(inputs).find("fast_tokenizer_files");
    if (files == nullptr || !files->isArray()) return;
    for (const Json& file : files->items())
        if (file.isString() && file.asString() != kTokenizerJson)
            fail(ClassSettings::subjectOf("fast_tokenizer_files"),
                 fmt::format("\"{}\"", escapeForMessage(file.asString(), 60)),
                 "expected tokenizer.json alone, which is what is read", kGiveIds);
}

/// tokenizer_config.json can also name the older files, which then stand in for those of the folder.
void refuseOtherOlderFiles(const ClassInputs& inputs) {
    for (const char* key : {"vocab_file", "merges_file", "spm_file", "source_spm", "target_spm", "vocab"})
        if (ClassSettings(inputs).find(key) != nullptr)
            fail(ClassSettings::subjectOf(key), "a file of its own", "expected none, as that is not read",
                 "take the setting out of the file");
}

/// The file that the older form is read from. Whatever the class calls it, without tokenizer.json a
/// tokenizer.model goes first.
std::string olderFile(const ClassRule& rule, const std::filesystem::path& folder, bool hasJson) {
    if (rule.form == OlderForm::None)
        fail(escapeForMessage(folder.string()), "no tokenizer.json",
             fmt::format("expected it, since a {} is read from nothing else", rule.name), kGiveIds);
    const std::string model = "tokenizer.model";
    const bool isModel = rule.form == OlderForm::SentencePiece && !hasJson;
    return isModel && std::filesystem::exists(folder / model) ? model : std::string(rule.vocabularyFile);
}

std::shared_ptr<const Tokenizer> finished(const ClassRule& rule, const ClassInputs& inputs,
                                          PipelineStages stages) {
    auto pipeline = std::make_shared<Pipeline>(std::move(stages));
    return rule.more == MoreTokens::CodeLlama ? withoutInfilling(std::move(pipeline), inputs) : pipeline;
}

/// The document of a form that has a fast tokenizer.
Json documentOf(const FormInputs& form) {
    switch (form.rule.form) {
    case OlderForm::WordPiece:
        return buildWordPiece(form);
    case OlderForm::ByteLevelBpe:
        return buildByteLevelBpe(form);
    case OlderForm::SentencePiece:
        return buildSentencePiece(form);
    default:
        return {};
    }
}

std::shared_ptr<const Tokenizer> buildDocument(const FormInputs& form, const NoteSink& notes) {
    const Json file = documentOf(form);
    PipelineStages stages = readStages(file, form.vocabularyFile, {});
    applyClassRules(form.rule, form.inputs, file, stages, notes);
    return finished(form.rule, form.inputs, std::move(stages));
}

/// The tokenizer inside a GGUF file, as its class makes it of the file that it came from.
std::shared_ptr<const Tokenizer> loadGguf(const Checkpoint& checkpoint, const NoteSink& notes) {
    const GgufVocabulary vocabulary(*checkpoint.gguf);
    const GgufTokenizerPlan plan = planGgufTokenizer(vocabulary, checkpoint.config);
    if (!plan.document.isNull())
        return std::make_shared<Pipeline>(readStages(plan.document, vocabulary.subject, notes));
    const ClassRule& rule = findClassRule(plan.inputs);
    const DeclaredTokens declared = readDeclaredTokens(plan.inputs);
    const SpecialTokens special = specialTokensOf(rule, plan.inputs, declared);
    const FormInputs form = {
        rule, plan.inputs, declared, special, checkpoint.folder, vocabulary.subject, plan.content};
    return buildDocument(form, notes);
}

std::shared_ptr<const Tokenizer> build(const ClassRule& rule, const ClassInputs& inputs,
                                       const Checkpoint& checkpoint, const NoteSink& notes) {
    refuseOtherOlderFiles(inputs);
    const DeclaredTokens declared = readDeclaredTokens(inputs);
    const SpecialTokens special = specialTokensOf(rule, inputs, declared);
    const std::string vocabulary = olderFile(rule, checkpoint.folder, inputs.isRebuilt);
    const FormInputs form = {rule, inputs, declared, special, checkpoint.folder, vocabulary};
    if (notes && !vocabulary.empty())
        notes(fmt::format("{}: the tokenizer is built from it, as {} does {}", form.vocabularyFile, rule.name,
                          inputs.isRebuilt ? "for these settings, although there is a tokenizer.json"
                                           : "without tokenizer.json"));
    switch (rule.form) {
    case OlderForm::Marian:
        return buildMarian(form);
    case OlderForm::M2m100:
        return buildM2m100(form);
    case OlderForm::Bytes:
        return buildBytes(form);
    default:
        return buildDocument(form, notes);
    }
}

} // namespace

bool holdsTokenizer(const Checkpoint& checkpoint) {
    if (checkpoint.gguf) return checkpoint.gguf->header().fields.find("tokenizer.ggml.model") != nullptr;
    if (checkpoint.tokenizerFile) return true;
    ClassInputs inputs;
    inputs.modelConfig = checkpoint.config;
    inputs.tokenizerConfig = checkpoint.tokenizerConfig;
    return isByteClass(inputs);
}

std::shared_ptr<const Tokenizer> loadTokenizer(const Checkpoint& checkpoint, const NoteSink& notes) {
    if (!holdsTokenizer(checkpoint))
        fail(escapeForMessage(checkpoint.folder.string()), "no tokenizer.json, and no older vocabulary file",
             {}, kGiveIds);
    if (checkpoint.gguf) return loadGguf(checkpoint, notes);
    ClassInputs inputs = readInputs(checkpoint);
    const ClassRule& rule = findClassRule(inputs);
    refuseOtherFiles(inputs);
    std::optional<Json> file;
    if (checkpoint.tokenizerFile && checkpoint.tokenizerFile->filename() == kTokenizerJson) {
        file = parseJson(readTokenizerFile(checkpoint.open(kTokenizerJson)), kTokenizerJson);
        inputs.listed = readListedTokens(*file, kTokenizerJson);
        inputs.isRebuilt = !rule.isSlowOnly() && rebuildsFromOlderFiles(rule, inputs);
    }
    inputs.isBuilt = !file || inputs.isRebuilt || rule.isSlowOnly();
    if (inputs.isBuilt) return build(rule, inputs, checkpoint, notes);
    PipelineStages stages = readStages(*file, kTokenizerJson, notes);
    applyClassRules(rule, inputs, *file, stages, notes);
    return finished(rule, inputs, std::move(stages));
}

std::shared_ptr<const Tokenizer> parseTokenizer(std::string_view json, const std::string& subject,
                                                const NoteSink& notes) {
    return std::make_shared<Pipeline>(readStages(parseJson(json, subject), subject, notes));
}

} // namespace headscope
