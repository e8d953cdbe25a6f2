// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/config_reader.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// The value itself where it is short, its type where it is not; strings carry their type, because "12" where
/// 12 is expected is the usual mistake.
std::string describe(const Json& value) {
    switch (value.type()) {
    case Json::Type::Bool:
        return value.asBool() ? "true" : "false";
    case Json::Type::Integer:
        return fmt::format("{}", value.asInteger());
    case Json::Type::Real:
        if (std::isnan(value.asReal())) return "NaN";
        if (std::isinf(value.asReal())) return value.asReal() > 0 ? "Infinity" : "-Infinity";
        // A whole number written as 12.0 must not read like the integer 12.
        return value.asReal() == std::trunc(value.asReal()) && std::abs(value.asReal()) < 1e15
                   ? fmt::format("{:.1f}", value.asReal())
                   : fmt::format("{}", value.asReal());
    case Json::Type::String:
        return "the string " + quotedName(value.asString());
    default:
        return value.typeName();
    }
}

} // namespace

ConfigReader::ConfigReader(const Json& object, std::string subject)
    : m_object(object), m_subject(std::move(subject)) {
    if (!object.isObject())
        fail(m_subject, "this is " + std::string(object.typeName()), "expected an object");
}

const Json* ConfigReader::find(std::string_view key) const {
    const Json* value = m_object.find(key);
    return value == nullptr || value->isNull() ? nullptr : value;
}

void ConfigReader::refuse(std::string_view key, const Json& found, const std::string& expected) const {
    fail(m_subject + ": " + escapeForMessage(key), "found " + describe(found), "expected " + expected);
}

bool ConfigReader::has(std::string_view key) const {
    return find(key) != nullptr;
}

std::int64_t ConfigReader::integer(std::string_view key, std::int64_t fallback, std::int64_t minimum,
                                   std::int64_t maximum) const {
    const Json* value = find(key);
    if (value == nullptr) return fallback;
    if (!value->isInteger() || value->asInteger() < minimum || value->asInteger() > maximum)
        refuse(key, *value, fmt::format("a whole number from {} to {}", minimum, maximum));
    return value->asInteger();
}

double ConfigReader::real(std::string_view key, double fallback, double minimum, double maximum) const {
    const Json* value = find(key);
    if (value == nullptr) return fallback;
    // Written so that NaN, which compares false with everything, is refused.
    const bool inside = value->isNumber() && std::isfinite(value->asReal()) && value->asReal() >= minimum &&
                        value->asReal() <= maximum;
    if (!inside) refuse(key, *value, fmt::format("a number from {} to {}", minimum, maximum));
    return value->asReal();
}

bool ConfigReader::boolean(std::string_view key, bool fallback) const {
    const Json* value = find(key);
    if (value == nullptr) return fallback;
    if (!value->isBool()) refuse(key, *value, "true or false");
    return value->asBool();
}

std::string ConfigReader::string(std::string_view key, std::string_view fallback) const {
    const Json* value = find(key);
    if (value == nullptr) return std::string(fallback);
    if (!value->isString()) refuse(key, *value, "a string");
    return value->asString();
}

void ConfigReader::requireString(std::string_view key, std::string_view supported) const {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (!value->isString() || value->asString() != supported)
        refuse(key, *value, fmt::format("\"{}\", the only value that is supported", supported));
}

void ConfigReader::requireFalse(std::string_view key) const {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (!value->isBool() || value->asBool()) refuse(key, *value, "false, the only value that is supported");
}

} // namespace headscope
