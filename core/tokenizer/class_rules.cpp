// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_rules.h"

#include "core/base/error.h"
#include "core/tokenizer/class_rules_settings.h"
#include "core/tokenizer/class_rules_stages.h"
#include "core/tokenizer/class_special_tokens.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kGiveIds = "give the text as token ids with --ids";

/// The string under `key`, or nullptr when it is absent or null.
const std::string* findString(const Json& object, std::string_view key, const std::string& subject) {
    const Json* value = object.find(key);
    if (value == nullptr || value->isNull()) return nullptr;
    return &StageFields(object, subject).string(key);
}

/// The model_type that decides; of a pair of models that of the encoder.
const std::string* modelType(const Json& config) {
    const std::string* type = findString(config, "model_type", "config.json");
    const Json* encoder = config.find("encoder");
    const bool isPair = type != nullptr && *type == "encoder-decoder" && encoder != nullptr;
    return isPair ? findString(*encoder, "model_type", "config.json: encoder") : type;
}

std::string className(const ClassInputs& inputs) {
    const std::string* name = nullptr;
    if (inputs.tokenizerConfig)
        name = findString(*inputs.tokenizerConfig, "tokenizer_class", "tokenizer_config.json");
    if (name == nullptr) name = findString(inputs.modelConfig, "tokenizer_class", "config.json");
    if (name != nullptr) return *name;
    const std::string* type = modelType(inputs.modelConfig);
    if (type != nullptr)
        if (const std::string_view found = classOfModelType(*type); !found.empty()) return std::string(found);
    fail("tokenizer_config.json",
         type == nullptr ? std::string("no tokenizer_class, and no model_type in config.json")
                         : fmt::format("no tokenizer_class, and none is known for model_type \"{}\"",
                                       escapeForMessage(*type, 60)),
         {}, kGiveIds);
}

/// What some classes refuse.
void requireSettings(const ClassRule& rule, const ClassInputs& inputs, const Json& file) {
    const ClassSettings settings(inputs);
    if (rule.name == "CodeGenTokenizer" && settings.loose("add_bos_token", false))
        fail(ClassSettings::subjectOf("add_bos_token"), "true", "expected false, as CodeGenTokenizer does");
    const Json* preTokenizer = file.find("pre_tokenizer");
    if (rule.name == "CLIPTokenizer" && (preTokenizer == nullptr || typeOf(*preTokenizer) != "Sequence"))
        fail("tokenizer.json: pre_tokenizer", "not a Sequence", "expected one, as CLIPTokenizer does",
             "save the tokenizer anew with a newer release of transformers");
}

void noteTokens(const ClassChange& change, const std::map<std::int64_t, AddedToken>& before) {
    constexpr int kShown = 10;
    int count = 0;
    for (const auto& [id, token] : change.stages.added.byId()) {
        const auto old = before.find(id);
        if (old != before.end() && old->second == token) continue;
        if (++count > kShown) continue;
        const std::string name = escapeForMessage(token.content, 40);
        change.notes(old == before.end()
                         ? fmt::format("tokenizer.json: {} adds the token \"{}\" with id {}",
                                       change.rule.name, name, id)
                         : fmt::format("tokenizer.json: {} changes the flags of the added token \"{}\"",
                                       change.rule.name, name));
    }
    if (count > kShown)
        change.notes(fmt::format("tokenizer.json: {} adds or changes {} tokens more", change.rule.name,
                                 count - kShown));
}

/// Where the settings and the class name no padding token, that of the file's padding is one.
void addPaddingToken(const Json& file, SpecialTokens& special) {
    const Json* padding = file.find("padding");
    if (padding == nullptr || !padding->isObject() || special.byKey.contains("pad_token")) return;
    special.byKey["pad_token"] = {
        bareToken(StageFields(*padding, "tokenizer.json: padding").string("pad_token"))};
}

} // namespace

const ClassRule& findClassRule(const ClassInputs& inputs) {
    const std::string asWritten = className(inputs);
    std::string_view name = asWritten;
    const bool isFast = name.ends_with("Fast");
    if (isFast) name.remove_suffix(4);
    std::string known;
    std::string slow;
    for (const ClassRule& rule : classRules()) {
        if (rule.name == name && !(isFast && rule.isSlowOnly())) return rule;
        std::string& list = rule.isSlowOnly() ? slow : known;
        list += fmt::format("{}{}", list.empty() ? "" : ", ", rule.name);
    }
    fail("tokenizer_config.json: tokenizer_class", fmt::format("\"{}\"", escapeForMessage(asWritten, 60)),
         fmt::format("expected one of the classes whose rules are known ({}, all also with Fast; {})", known,
                     slow),
         kGiveIds);
}

bool isByteClass(const ClassInputs& inputs) {
    const auto classIn = [](const Json* config) {
        const Json* name = config == nullptr ? nullptr : config->find("tokenizer_class");
        return name == nullptr || name->isNull() ? nullptr : name;
    };
    const Json* name = classIn(inputs.tokenizerConfig ? &*inputs.tokenizerConfig : nullptr);
    if (name == nullptr) name = classIn(&inputs.modelConfig);
    // What is no string is said when the tokenizer is loaded.
    return name != nullptr && name->isString() &&
           std::ranges::any_of(classRules(), [&](const ClassRule& rule) {
               return rule.form == OlderForm::Bytes && rule.name == name->asString();
           });
}

bool rebuildsFromOlderFiles(const ClassRule& rule, const ClassInputs& inputs) {
    const ClassSettings settings(inputs);
    if (settings.find("tokenizer_file") != nullptr) { // it stands in for the file of the folder
        if (const std::optional<std::string> other = settings.text("tokenizer_file"))
            fail(ClassSettings::subjectOf("tokenizer_file"),
                 fmt::format("\"{}\"", escapeForMessage(*other, 60)),
                 "expected no other file than tokenizer.json", "take the setting out of the file");
        return true;
    }
    if (rule.prefixSpace == PrefixSpaceRule::Rebuilds && settings.has("add_prefix_space")) return true;
    if (rule.more != MoreTokens::Pegasus) return false;
    // Pegasus does so for tokens of other names.
    const SpecialTokens special = specialTokensOf(rule, inputs, readDeclaredTokens(inputs));
    return std::ranges::any_of(rule.tokens, [&](const DefaultToken& parameter) {
        const NamedToken* named = special.find(parameter.key);
        return parameter.key != "mask_token" &&
               (named == nullptr || named->token.content != parameter.content);
    });
}

void applyClassRules(const ClassRule& rule, const ClassInputs& inputs, const Json& file,
                     PipelineStages& stages, const NoteSink& notes) {
    requireSettings(rule, inputs, file);
    const bool split = ClassSettings(inputs).flag("split_special_tokens", false);
    stages.added.setSplitSpecial(split);
    if (split && notes)
        notes("tokenizer_config.json: split_special_tokens is true, special tokens in the text are read "
              "as text");

    DeclaredTokens declared = readDeclaredTokens(inputs);
    SpecialTokens special = specialTokensOf(rule, inputs, declared);
    if (rule.more == MoreTokens::Pegasus) declared.byId = {}; // it drops them
    addPaddingToken(file, special);

    const NoteSink none;
    const ClassChange change = {rule, inputs, special, file, stages, inputs.isBuilt ? none : notes};
    // In this order: the added tokens are searched for as the file's own normalizer spells them.
    const std::map<std::int64_t, AddedToken> before = stages.added.byId();
    const std::vector<AddedToken> tokens = tokensToAdd(special, declared.byId, stages.added);
    if (!tokens.empty()) stages.added.add(tokens, *stages.model, stages.normalizer.get());
    if (change.notes) noteTokens(change, before);
    changePreTokenizer(change);
    changeNormalizer(change);
    changePostProcessor(change);
}

} // namespace headscope
