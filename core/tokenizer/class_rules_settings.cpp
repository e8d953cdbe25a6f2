// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_rules_settings.h"

#include "core/tokenizer/stage_fields.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr const char* kFile = "tokenizer_config.json";

} // namespace

std::string ClassSettings::subjectOf(std::string_view key) {
    return fmt::format("{}: {}", kFile, key);
}

bool ClassSettings::has(std::string_view key) const {
    const Json* value = find(key);
    return value != nullptr && !value->isNull();
}

bool ClassSettings::flag(std::string_view key, bool fallback) const {
    return find(key) == nullptr ? fallback : StageFields(*m_config, kFile).boolean(key);
}

bool ClassSettings::loose(std::string_view key, bool fallback) const {
    return optional(key, fallback).value_or(false);
}

std::optional<bool> ClassSettings::optional(std::string_view key, std::optional<bool> fallback) const {
    return find(key) == nullptr ? fallback : StageFields(*m_config, kFile).optionalBoolean(key);
}

std::int64_t ClassSettings::integer(std::string_view key, std::int64_t fallback, std::int64_t maximum) const {
    return find(key) == nullptr ? fallback : StageFields(*m_config, kFile).integer(key, 0, maximum);
}

std::optional<std::string> ClassSettings::text(std::string_view key) const {
    if (!has(key)) return std::nullopt;
    return StageFields(*m_config, kFile).string(key);
}

} // namespace headscope
