// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_rules.h"

#include "core/base/error.h"
#include "core/tokenizer/class_special_tokens.h"
#include "core/tokenizer/stage_fields.h"

#include <fmt/format.h>

namespace headscope {

namespace {

struct ClassRule {
    std::string_view name; ///< without "Fast"
    bool setsBertNormalizer;
    std::vector<DefaultToken> defaults;
};

const std::vector<ClassRule>& classRules() {
    static const std::vector<DefaultToken> bert = {{"unk_token", "[UNK]"},
                                                   {"sep_token", "[SEP]"},
                                                   {"pad_token", "[PAD]"},
                                                   {"cls_token", "[CLS]"},
                                                   {"mask_token", "[MASK]"}};
    static const std::vector<ClassRule> rules = {{"BertTokenizer", true, bert},
                                                 {"DistilBertTokenizer", true, bert},
                                                 {"ElectraTokenizer", true, bert},
                                                 {"PreTrainedTokenizer", false, {}}};
    return rules;
}

struct ModelClass {
    std::string_view modelType;
    std::string_view tokenizerClass;
};

/// The class where no file names one.
constexpr ModelClass kModelClasses[] = {
    {"bert", "BertTokenizer"}, {"distilbert", "DistilBertTokenizer"}, {"electra", "ElectraTokenizer"}};

/// The string under `key`, or nullptr when it is absent or null.
const std::string* findString(const Json& object, std::string_view key, const std::string& subject) {
    const Json* value = object.find(key);
    if (value == nullptr || value->isNull()) return nullptr;
    return &StageFields(object, subject).string(key);
}

std::string tokenizerClass(const ClassInputs& inputs) {
    const std::string* name = nullptr;
    if (inputs.tokenizerConfig)
        name = findString(*inputs.tokenizerConfig, "tokenizer_class", "tokenizer_config.json");
    if (name == nullptr) name = findString(inputs.modelConfig, "tokenizer_class", "config.json");
    if (name != nullptr) return *name;
    const std::string* type = findString(inputs.modelConfig, "model_type", "config.json");
    for (const ModelClass& entry : kModelClasses)
        if (type != nullptr && *type == entry.modelType) return std::string(entry.tokenizerClass);
    fail("tokenizer_config.json",
         type == nullptr ? std::string("no tokenizer_class, and no model_type in config.json")
                         : fmt::format("no tokenizer_class, and none is known for model_type \"{}\"",
                                       escapeForMessage(*type, 60)),
         {}, "give the text as token ids with --ids");
}

const ClassRule& findRule(const std::string& asWritten) {
    std::string name = asWritten;
    if (name.ends_with("Fast")) name.resize(name.size() - 4);
    std::string known;
    for (const ClassRule& rule : classRules()) {
        if (rule.name == name) return rule;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", rule.name);
    }
    fail("tokenizer_config.json: tokenizer_class", fmt::format("\"{}\"", escapeForMessage(asWritten, 60)),
         fmt::format(
             "expected one of the classes whose changes to tokenizer.json are known ({}, also with Fast)",
             known),
         "give the text as token ids with --ids");
}

std::string asText(const std::optional<bool>& value) {
    return !value ? "null" : (*value ? "true" : "false");
}

/// One setting of BertNormalizer that the class sets to what tokenizer_config.json says, or to its own
/// default.
struct NormalizerSetting {
    std::string_view field;     ///< in tokenizer.json
    std::string_view configKey; ///< in tokenizer_config.json
    std::optional<bool> fallback;
};

constexpr NormalizerSetting kNormalizerSettings[] = {
    {"lowercase", "do_lower_case", true},
    {"strip_accents", "strip_accents", std::nullopt},
    {"handle_chinese_chars", "tokenize_chinese_chars", true}};

/// Only a BertNormalizer at the top is set; one inside a Sequence keeps what the file says.
void setBertNormalizer(const ClassInputs& inputs, const ClassRule& rule, const Json& file,
                       PipelineStages& stages, const NoteSink& notes) {
    const Json* normalizer = file.find("normalizer");
    const Json* type = normalizer == nullptr ? nullptr : normalizer->find("type");
    if (type == nullptr || !type->isString() ||
        (type->asString() != "BertNormalizer" && type->asString() != "Bert"))
        return;
    Json changed = *normalizer;
    const StageFields before(*normalizer, "tokenizer.json: normalizer");
    for (const NormalizerSetting& setting : kNormalizerSettings) {
        std::optional<bool> value = setting.fallback;
        const bool isWritten =
            inputs.tokenizerConfig && inputs.tokenizerConfig->find(setting.configKey) != nullptr;
        if (isWritten) {
            const StageFields config(*inputs.tokenizerConfig, "tokenizer_config.json");
            value = setting.fallback ? config.boolean(setting.configKey)
                                     : config.optionalBoolean(setting.configKey);
        }
        const std::optional<bool> old = before.optionalBoolean(setting.field);
        if (value == old) continue;
        changed.members().emplace_back(setting.field,
                                       value ? Json(*value) : Json()); // the last of a name counts
        if (notes)
            notes(fmt::format("tokenizer.json: {} {} is replaced by {}, {}", setting.field, asText(old),
                              asText(value),
                              isWritten ? fmt::format("{} in tokenizer_config.json", setting.configKey)
                                        : fmt::format("the default of {}", rule.name)));
    }
    stages.normalizer = parseNormalizer(changed, before.subject());
}

void addClassTokens(const ClassInputs& inputs, const ClassRule& rule, const Json& file,
                    PipelineStages& stages, const NoteSink& notes) {
    std::vector<DefaultToken> defaults = rule.defaults;
    // The base class takes over the padding token of the file, where its own settings have none.
    const Json* padding = file.find("padding");
    if (defaults.empty() && padding != nullptr && padding->isObject())
        defaults.push_back(
            {"pad_token", StageFields(*padding, "tokenizer.json: padding").string("pad_token")});

    const std::map<std::int64_t, AddedToken> before = stages.added.byId();
    const std::vector<AddedToken> tokens = classTokens(inputs, file, defaults, stages.added);
    if (!tokens.empty()) stages.added.add(tokens, *stages.model, stages.normalizer.get());
    if (!notes) return;
    for (const auto& [id, token] : stages.added.byId()) {
        const auto old = before.find(id);
        const std::string name = escapeForMessage(token.content, 40);
        if (old == before.end())
            notes(fmt::format("tokenizer.json: {} adds the token \"{}\" with id {}", rule.name, name, id));
        else if (old->second != token)
            notes(fmt::format("tokenizer.json: {} changes the flags of the added token \"{}\"", rule.name,
                              name));
    }
}

} // namespace

void applyClassRules(const ClassInputs& inputs, const Json& file, PipelineStages& stages,
                     const NoteSink& notes) {
    const std::string name = tokenizerClass(inputs);
    const ClassRule& rule = findRule(name);
    if (inputs.tokenizerConfig) {
        const StageFields config(*inputs.tokenizerConfig, "tokenizer_config.json");
        const bool split = config.boolean("split_special_tokens", false);
        stages.added.setSplitSpecial(split);
        if (split && notes)
            notes("tokenizer_config.json: split_special_tokens is true, special tokens in the text are read "
                  "as text");
    }
    // In this order: the added tokens are searched for as the file's own normalizer spells them.
    addClassTokens(inputs, rule, file, stages, notes);
    if (rule.setsBertNormalizer) setBertNormalizer(inputs, rule, file, stages, notes);
}

} // namespace headscope
