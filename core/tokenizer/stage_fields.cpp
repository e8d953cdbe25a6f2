// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/stage_fields.h"

#include "core/base/error.h"
#include "core/base/utf8.h"

#include <fmt/format.h>

namespace headscope {

namespace {

std::string found(const Json& value) {
    if (value.isInteger()) return fmt::format("found {}", value.asInteger());
    if (value.isString()) return fmt::format("found \"{}\"", escapeForMessage(value.asString(), 60));
    return fmt::format("found {}", value.typeName());
}

std::int64_t readInteger(const Json& value, const std::string& subject, std::int64_t minimum,
                         std::int64_t maximum) {
    if (!value.isInteger() || value.asInteger() < minimum || value.asInteger() > maximum)
        fail(subject, found(value), fmt::format("expected an integer from {} to {}", minimum, maximum));
    return value.asInteger();
}

} // namespace

StageFields::StageFields(const Json& object, std::string subject)
    : m_object(object), m_subject(std::move(subject)) {
    if (!object.isObject()) fail(m_subject, found(object), "expected an object");
}

std::string StageFields::subjectOf(std::string_view key) const {
    return fmt::format("{}: {}", m_subject, key);
}

const Json& StageFields::required(std::string_view key) const {
    const Json* value = m_object.find(key);
    if (value == nullptr) fail(m_subject, fmt::format("\"{}\" is missing", key));
    return *value;
}

bool StageFields::boolean(std::string_view key) const {
    const Json& value = required(key);
    if (!value.isBool()) fail(subjectOf(key), found(value), "expected true or false");
    return value.asBool();
}

bool StageFields::boolean(std::string_view key, bool fallback) const {
    return find(key) == nullptr ? fallback : boolean(key);
}

std::optional<bool> StageFields::optionalBoolean(std::string_view key) const {
    const Json* value = find(key);
    if (value == nullptr || value->isNull()) return std::nullopt;
    return boolean(key);
}

std::int64_t StageFields::integer(std::string_view key, std::int64_t minimum, std::int64_t maximum) const {
    return readInteger(required(key), subjectOf(key), minimum, maximum);
}

const std::string& StageFields::string(std::string_view key) const {
    const Json& value = required(key);
    if (!value.isString()) fail(subjectOf(key), found(value), "expected a string");
    return value.asString();
}

char32_t StageFields::character(std::string_view key) const {
    const std::u32string codePoints = toCodePoints(string(key));
    if (codePoints.size() != 1)
        fail(subjectOf(key), fmt::format("{} characters", codePoints.size()), "expected exactly one");
    return codePoints[0];
}

const std::vector<Json>& StageFields::array(std::string_view key) const {
    const Json& value = required(key);
    if (!value.isArray()) fail(subjectOf(key), found(value), "expected an array");
    return value.items();
}

std::int64_t readId(const Json& value, const std::string& subject) {
    return readInteger(value, subject, 0, kMaxId);
}

} // namespace headscope
