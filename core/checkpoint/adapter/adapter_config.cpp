// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/adapter/adapter_config.h"

#include "core/base/error.h"
#include "core/checkpoint/config_reader.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kSubject = "adapter_config.json";
constexpr std::int64_t kMostRank = 65536;
constexpr double kMostAlpha = 1e9;

/// Fields that say how the adapter was trained or to what it belongs, not what it computes. What
/// target_modules says the tensors say too.
constexpr std::array<std::string_view, 22> kBesideThePoint{
    "auto_mapping",   "revision",           "inference_mode",  "task_type",      "peft_version",
    "lora_dropout",   "target_modules",     "exclude_modules", "loftq_config",   "layers_to_transform",
    "layers_pattern", "eva_config",         "corda_config",    "lora_ga_config", "megatron_core",
    "runtime_config", "qalora_group_size",  "velora_config",   "layer_pattern",  "use_cache",
    "train_dtype",    "ensure_weight_tying"};

bool isEmpty(const Json& value) {
    if (value.isNull()) return true;
    if (value.isBool()) return !value.asBool();
    if (value.isArray()) return value.items().empty();
    return value.isObject() && value.members().empty();
}

/// Ways to start that take the first product out of the base weights.
void refuseChangedBase(const ConfigReader& config) {
    const Json* start = config.value("init_lora_weights");
    if (start == nullptr || start->isBool()) return;
    config.oneOf("init_lora_weights", "", {"gaussian", "eva", "orthogonal"});
}

void refuseUnknown(const ConfigReader& config, const Json& json) {
    for (const std::string& field : config.unreadFields()) {
        if (std::ranges::find(kBesideThePoint, field) != kBesideThePoint.end()) continue;
        const Json* value = json.find(field);
        if (value != nullptr && !isEmpty(*value))
            fail(fmt::format("{}: {}", kSubject, escapeForMessage(field)), "the field is set",
                 "expected a plain LoRA adapter, without it", "merge the adapter into its base model first");
    }
}

/// Kinds that put learned tokens in front of a text leave the weights as they are.
std::string kindHint(std::string_view kind) {
    if (kind.ends_with("_TUNING") || kind == "ADAPTION_PROMPT" || kind == "CPT")
        return "it adds no weights but learned tokens, which are not read";
    return "merge the adapter into its base model first";
}

/// A rank is a whole number, and like an alpha above 0.
double patternValue(const Json& value, const std::string& subject, const std::string& key, bool isRank) {
    const double most = isRank ? static_cast<double>(kMostRank) : kMostAlpha;
    const double number = value.isNumber() ? value.asReal() : NAN;
    if (number > 0.0 && number <= most && (!isRank || number == std::floor(number))) return number;
    const std::string found = value.isNumber() ? fmt::format("{}", number) : std::string(value.typeName());
    fail(subject, fmt::format("found {} for {}", found, quotedName(key)),
         isRank ? fmt::format("expected a whole number from 1 to {}", kMostRank)
                : fmt::format("expected a number above 0, at most {}", kMostAlpha));
}

} // namespace

AdapterConfig::Pattern AdapterConfig::patternOf(const Json& config, std::string_view field) {
    Pattern pattern;
    const Json* values = config.find(field);
    if (values == nullptr || values->isNull()) return pattern;
    const std::string subject = fmt::format("{}: {}", kSubject, field);
    if (!values->isObject()) fail(subject, fmt::format("found {}", values->typeName()), "expected an object");
    for (const auto& [key, value] : values->members()) {
        // Keys are regular expressions; a dot is nearly always meant as one.
        const bool isPlain = std::ranges::all_of(
            key, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-'; });
        if (!isPlain || key.empty())
            fail(subject, fmt::format("the key {}", quotedName(key)), "expected the name of a module",
                 "merge the adapter into its base model first");
        if (std::ranges::find(pattern, key, &Pattern::value_type::first) != pattern.end())
            fail(subject, fmt::format("the key {} stands twice", quotedName(key)), "expected it once");
        pattern.emplace_back(key, patternValue(value, subject, key, field == "rank_pattern"));
    }
    return pattern;
}

AdapterConfig::AdapterConfig(const Json& json) {
    const ConfigReader config(json, kSubject);
    if (config.string("peft_type", "") != "LORA")
        fail(fmt::format("{}: peft_type", kSubject),
             config.has("peft_type")
                 ? fmt::format("{} is not supported", quotedName(config.string("peft_type", "")))
                 : std::string("it is missing"),
             "expected \"LORA\"", kindHint(config.string("peft_type", "")));
    m_rank = config.integer("r", 8, 1, kMostRank);
    m_alpha = config.real("lora_alpha", 8.0, -kMostAlpha, kMostAlpha);
    m_rootScale = config.boolean("use_rslora", false);
    m_fanInFanOut = config.boolean("fan_in_fan_out", false);
    m_ranks = patternOf(json, "rank_pattern");
    m_alphas = patternOf(json, "alpha_pattern");
    m_baseModel = config.string("base_model_name_or_path", "");
    config.requireString("bias", "none");
    refuseChangedBase(config);
    for (const char* field : {"rank_pattern", "alpha_pattern"}) static_cast<void>(config.has(field));
    refuseUnknown(config, json);
}

double AdapterConfig::valueOf(const Pattern& pattern, std::string_view module, double fallback) {
    for (const auto& [key, value] : pattern) {
        if (!module.ends_with(key)) continue;
        if (module.size() == key.size() || module[module.size() - key.size() - 1] == '.') return value;
    }
    return fallback;
}

std::int64_t AdapterConfig::rankOf(std::string_view module) const {
    return static_cast<std::int64_t>(valueOf(m_ranks, module, static_cast<double>(m_rank)));
}

double AdapterConfig::scaleOf(std::string_view module) const {
    const auto rank = static_cast<double>(rankOf(module));
    const double alpha = valueOf(m_alphas, module, m_alpha);
    return m_rootScale ? alpha / std::sqrt(rank) : alpha / rank;
}

} // namespace headscope
