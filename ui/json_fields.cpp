// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/json_fields.h"

#include "core/base/error.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headscope::ui {
namespace {

constexpr std::size_t kShown = 40; ///< code points of a name or a value in a sentence

/// What stands there, short enough for a sentence.
std::string shown(const Json& value) {
    if (value.isString()) return fmt::format("\"{}\"", escapeForMessage(value.asString(), kShown));
    if (value.isBool()) return value.asBool() ? "true" : "false";
    if (value.isInteger()) return fmt::format("{}", value.asInteger());
    if (value.isNumber()) return fmt::format("{}", value.asReal());
    return value.typeName();
}

} // namespace

QString wellFormed(const QString& text) {
    return text.isValidUtf16() ? text : QString::fromUtf8(text.toUtf8());
}

JsonFields::JsonFields(const Json& value, std::string subject, std::string place)
    : m_object(value), m_subject(std::move(subject)), m_place(std::move(place)) {
    if (!m_object.isObject()) {
        const std::string name = m_place.empty() ? "the file" : m_place.substr(0, m_place.size() - 1);
        fail(m_subject, fmt::format("{} is {}", name, m_object.typeName()), "expected a JSON object");
    }
    std::set<std::string_view> seen;
    for (const auto& [name, content] : m_object.members()) {
        if (!seen.insert(name).second)
            fail(
                m_subject,
                fmt::format("the field \"{}{}\" stands there twice", m_place, escapeForMessage(name, kShown)),
                "expected it once");
    }
}

const Json* JsonFields::find(const char* key) const {
    m_known.insert(key);
    const Json* value = m_object.find(key);
    return value == nullptr || value->isNull() ? nullptr : value;
}

bool JsonFields::has(const char* key) const {
    return find(key) != nullptr;
}

void JsonFields::read(const char* key, QString& out) const {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (!value->isString()) wrong(key, "a string");
    out = QString::fromStdString(value->asString());
}

void JsonFields::read(const char* key, bool& out) const {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (!value->isBool()) wrong(key, "true or false");
    out = value->asBool();
}

void JsonFields::read(const char* key, double& out) const {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (!value->isNumber()) wrong(key, "a number");
    const double number = value->isInteger() ? static_cast<double>(value->asInteger()) : value->asReal();
    if (!std::isfinite(number)) wrong(key, "a finite number");
    out = number;
}

void JsonFields::read(const char* key, std::int64_t& out) const {
    if (!has(key)) return;
    double number = -1.0;
    if (find(key)->isNumber()) read(key, number);
    if (number < 0.0 || number > std::numeric_limits<std::int32_t>::max() || number != std::floor(number))
        wrong(key, "a whole number from 0 to 2147483647");
    out = static_cast<std::int64_t>(number);
}

void JsonFields::read(const char* key, int& out) const {
    std::int64_t number = out;
    read(key, number);
    out = static_cast<int>(number);
}

void JsonFields::read(const char* key, std::optional<std::int64_t>& out) const {
    if (!has(key)) return;
    std::int64_t number = 0;
    read(key, number);
    out = number;
}

void JsonFields::refuseOthers() const {
    for (const auto& [name, content] : m_object.members()) {
        if (m_known.contains(name)) continue;
        fail(m_subject,
             fmt::format("the field \"{}{}\" is not known", m_place, escapeForMessage(name, kShown)),
             "expected only fields of this version", "it may come from a newer HeadScope");
    }
}

void JsonFields::wrong(const char* key, const char* expected) const {
    const Json* value = find(key);
    fail(m_subject,
         value == nullptr ? fmt::format("the field \"{}{}\" is missing", m_place, key)
                          : fmt::format("the field \"{}{}\" is {}", m_place, key, shown(*value)),
         fmt::format("expected {}", expected));
}

} // namespace headscope::ui
