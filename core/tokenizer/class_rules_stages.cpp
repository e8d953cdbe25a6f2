// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_rules_stages.h"

#include "core/base/error.h"
#include "core/tokenizer/stage_fields.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::string_view kPrefixSpace = "add_prefix_space";

constexpr StageSwitch kBertSwitches[] = {{"lowercase", "do_lower_case", true},
                                         {"strip_accents", "strip_accents", std::nullopt},
                                         {"handle_chinese_chars", "tokenize_chinese_chars", true}};

/// Sets every ByteLevel, inside of Sequences too; the parser of JSON has limited how deep they go.
bool setPrefixSpace(Json& stage) {
    const std::string type = typeOf(stage);
    const Json* value = stage.find(kPrefixSpace);
    if (type == "ByteLevel" && value != nullptr && value->isBool() && !value->asBool()) {
        stage = withField(std::move(stage), kPrefixSpace, Json(true));
        return true;
    }
    bool isChanged = false;
    if (type == "Sequence")
        for (auto& [key, inner] : stage.members())
            if (key == "pretokenizers" && inner.isArray())
                for (Json& one : inner.items()) isChanged = setPrefixSpace(one) || isChanged;
    return isChanged;
}

} // namespace

Json withSwitches(const ClassChange& change, Json stage, std::span<const StageSwitch> switches,
                  bool& isChanged) {
    const ClassSettings settings = change.settings();
    for (const StageSwitch& one : switches) {
        const bool takesNull = !one.fallback || one.ofNull;
        std::optional<bool> value = one.fallback;
        if (takesNull)
            value = settings.optional(one.key, one.fallback);
        else
            value = settings.flag(one.key, *one.fallback);
        if (!value) value = one.ofNull;
        const std::optional<bool> old = StageFields(stage, "tokenizer.json").optionalBoolean(one.field);
        if (value == old) continue;
        isChanged = true;
        stage = withField(std::move(stage), one.field, value ? Json(*value) : Json());
        if (change.notes)
            change.notes(fmt::format(
                "tokenizer.json: {} {} is replaced by {}, {}", one.field, asText(old), asText(value),
                settings.find(one.key) != nullptr ? fmt::format("{} in tokenizer_config.json", one.key)
                                                  : fmt::format("the default of {}", change.rule.name)));
    }
    return stage;
}

std::string asText(const std::optional<bool>& value) {
    return !value ? "null" : (*value ? "true" : "false");
}

std::string typeOf(const Json& stage) {
    const Json* type = stage.find("type");
    return type == nullptr || !type->isString() ? "" : type->asString();
}

Json withField(Json object, std::string_view key, Json value) {
    object.members().emplace_back(key, std::move(value)); // the last of a name counts
    return object;
}

/// Only a BertNormalizer at the top is set; one inside a Sequence keeps what the file says.
void changeNormalizer(const ClassChange& change) {
    if (change.rule.normalizer == NormalizerRule::None) return;
    const Json* stage = change.file.find("normalizer");
    if (stage == nullptr || (typeOf(*stage) != "BertNormalizer" && typeOf(*stage) != "Bert")) return;
    const std::span<const StageSwitch> switches(kBertSwitches);
    const bool all = change.rule.normalizer == NormalizerRule::BertNormalizer;
    bool isChanged = false;
    const Json changed = withSwitches(change, *stage, all ? switches : switches.first(2), isChanged);
    if (isChanged) change.stages.normalizer = parseNormalizer(changed, "tokenizer.json: normalizer");
}

void changePreTokenizer(const ClassChange& change) {
    // Where it has the tokenizer rebuilt, that is done by now.
    if (change.rule.prefixSpace == PrefixSpaceRule::Rebuilds) return;
    const std::optional<bool> wanted = change.settings().optional(kPrefixSpace, false);
    const Json* stage = change.file.find("pre_tokenizer");
    if (stage == nullptr || !wanted) return; // a null changes nothing
    Json changed = *stage;
    bool isChanged = false;
    if (typeOf(*stage) == "ByteLevel" &&
        StageFields(*stage, "tokenizer.json: pre_tokenizer").boolean(kPrefixSpace) != *wanted) {
        changed = withField(std::move(changed), kPrefixSpace, Json(*wanted));
        isChanged = true;
    } else if (change.rule.prefixSpace == PrefixSpaceRule::EveryByteLevel && *wanted) {
        isChanged = setPrefixSpace(changed);
    }
    if (!isChanged) return;
    change.stages.preTokenizer = parsePreTokenizer(changed, "tokenizer.json: pre_tokenizer");
    if (change.notes)
        change.notes(fmt::format("tokenizer.json: {} of the pre_tokenizer is replaced by {}, {}",
                                 kPrefixSpace, *wanted,
                                 change.settings().find(kPrefixSpace) != nullptr
                                     ? "as in tokenizer_config.json"
                                     : fmt::format("the default of {}", change.rule.name)));
}

} // namespace headscope
