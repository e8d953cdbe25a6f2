// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/config_reader.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// Whether two spellings of one field say the same. Lists and objects are compared whole.
bool isSame(const Json& a, const Json& b) {
    if (a.isArray() && b.isArray())
        return std::equal(a.items().begin(), a.items().end(), b.items().begin(), b.items().end(), isSame);
    if (a.isObject() && b.isObject())
        return std::equal(a.members().begin(), a.members().end(), b.members().begin(), b.members().end(),
                          [](const auto& left, const auto& right) {
                              return left.first == right.first && isSame(left.second, right.second);
                          });
    return describe(a) == describe(b);
}

} // namespace

ConfigReader::ConfigReader(const Json& object, std::string subject)
    : ConfigReader(object, std::move(subject), {}, std::make_shared<std::set<std::string>>()) {}

ConfigReader::ConfigReader(const Json& object, std::string subject, std::string path,
                           std::shared_ptr<std::set<std::string>> read)
    : m_object(object), m_subject(std::move(subject)), m_path(std::move(path)), m_read(std::move(read)) {
    if (!object.isObject())
        fail(m_subject, "this is " + std::string(object.typeName()), "expected an object");
}

ConfigReader::Found ConfigReader::find(const FieldName& field) const {
    Found found{field.names().front(), nullptr};
    for (const std::string_view name : field.names()) {
        m_read->insert(m_path + std::string(name));
        const Json* value = m_object.find(name);
        if (value == nullptr || value->isNull()) continue;
        if (found.value == nullptr)
            found = {name, value};
        else if (!isSame(*found.value, *value))
            fail(m_subject,
                 fmt::format("{} is {} but {}, another name for it, is {}", escapeForMessage(found.name),
                             describe(*found.value), escapeForMessage(name), describe(*value)),
                 "expected one of them, or both the same");
    }
    return found;
}

void ConfigReader::refuseValue(std::string_view key, const Json& found, const std::string& expected) const {
    fail(m_subject + ": " + escapeForMessage(key), "found " + describe(found), "expected " + expected);
}

bool ConfigReader::has(const FieldName& field) const {
    return find(field).value != nullptr;
}

bool ConfigReader::isNull(const FieldName& field) const {
    if (has(field)) return false;
    const auto isThere = [&](std::string_view name) { return m_object.find(name) != nullptr; };
    return std::any_of(field.names().begin(), field.names().end(), isThere);
}

const Json* ConfigReader::value(const FieldName& field) const {
    return find(field).value;
}

std::optional<std::int64_t> ConfigReader::optionalInteger(const FieldName& field, std::int64_t minimum,
                                                          std::int64_t maximum) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return std::nullopt;
    if (!value->isInteger() || value->asInteger() < minimum || value->asInteger() > maximum)
        refuseValue(name, *value, fmt::format("a whole number from {} to {}", minimum, maximum));
    return value->asInteger();
}

std::int64_t ConfigReader::integer(const FieldName& field, std::int64_t fallback, std::int64_t minimum,
                                   std::int64_t maximum) const {
    return optionalInteger(field, minimum, maximum).value_or(fallback);
}

std::optional<double> ConfigReader::optionalReal(const FieldName& field, double minimum,
                                                 double maximum) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return std::nullopt;
    // Written so that NaN, which compares false with everything, is refused.
    const bool inside = value->isNumber() && std::isfinite(value->asReal()) && value->asReal() >= minimum &&
                        value->asReal() <= maximum;
    if (!inside) refuseValue(name, *value, fmt::format("a number from {} to {}", minimum, maximum));
    return value->asReal();
}

double ConfigReader::real(const FieldName& field, double fallback, double minimum, double maximum) const {
    return optionalReal(field, minimum, maximum).value_or(fallback);
}

std::optional<bool> ConfigReader::optionalBoolean(const FieldName& field) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return std::nullopt;
    if (!value->isBool()) refuseValue(name, *value, "true or false");
    return value->asBool();
}

bool ConfigReader::boolean(const FieldName& field, bool fallback) const {
    return optionalBoolean(field).value_or(fallback);
}

std::optional<std::string> ConfigReader::optionalString(const FieldName& field) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return std::nullopt;
    if (!value->isString()) refuseValue(name, *value, "a string");
    return value->asString();
}

std::string ConfigReader::string(const FieldName& field, std::string_view fallback) const {
    return optionalString(field).value_or(std::string(fallback));
}

const std::vector<Json>* ConfigReader::items(const FieldName& field, const std::string& expected) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return nullptr;
    if (!value->isArray()) refuseValue(name, *value, expected);
    return &value->items();
}

std::optional<std::vector<std::int64_t>> ConfigReader::integers(const FieldName& field, std::int64_t minimum,
                                                                std::int64_t maximum) const {
    const std::string expected = fmt::format("a list of whole numbers from {} to {}", minimum, maximum);
    const std::vector<Json>* list = items(field, expected);
    if (list == nullptr) return std::nullopt;
    std::vector<std::int64_t> numbers;
    for (const Json& item : *list) {
        if (!item.isInteger() || item.asInteger() < minimum || item.asInteger() > maximum)
            refuseValue(find(field).name, item, expected);
        numbers.push_back(item.asInteger());
    }
    return numbers;
}

std::optional<std::vector<std::int64_t>>
ConfigReader::integersOrOne(const FieldName& field, std::int64_t minimum, std::int64_t maximum) const {
    const Json* lone = value(field);
    if (lone == nullptr || lone->isArray()) return integers(field, minimum, maximum);
    return std::vector{integer(field, minimum, minimum, maximum)};
}

std::optional<std::vector<double>> ConfigReader::reals(const FieldName& field, double minimum,
                                                       double maximum) const {
    const std::string expected = fmt::format("a list of numbers from {} to {}", minimum, maximum);
    const std::vector<Json>* list = items(field, expected);
    if (list == nullptr) return std::nullopt;
    std::vector<double> numbers;
    for (const Json& item : *list) {
        if (!(item.isNumber() && std::isfinite(item.asReal()) && item.asReal() >= minimum &&
              item.asReal() <= maximum))
            refuseValue(find(field).name, item, expected);
        numbers.push_back(item.asReal());
    }
    return numbers;
}

std::optional<std::vector<std::string>> ConfigReader::strings(const FieldName& field) const {
    const std::vector<Json>* list = items(field, "a list of strings");
    if (list == nullptr) return std::nullopt;
    std::vector<std::string> strings;
    for (const Json& item : *list) {
        if (!item.isString()) refuseValue(find(field).name, item, "a list of strings");
        strings.push_back(item.asString());
    }
    return strings;
}

std::optional<ConfigReader> ConfigReader::object(const FieldName& field) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return std::nullopt;
    if (!value->isObject()) refuseValue(name, *value, "an object");
    const std::string path = m_path + std::string(name) + ".";
    m_read->insert(path);
    return ConfigReader(*value, m_subject + ": " + escapeForMessage(name), path, m_read);
}

std::string ConfigReader::oneOf(const FieldName& field, std::string_view fallback,
                                std::initializer_list<std::string_view> allowed) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return std::string(fallback);
    if (!value->isString() || std::find(allowed.begin(), allowed.end(), value->asString()) == allowed.end())
        refuseValue(name, *value, fmt::format("one of \"{}\"", fmt::join(allowed, "\", \"")));
    return value->asString();
}

std::optional<std::string> ConfigReader::weightsType() const {
    std::optional<std::string> type = optionalString("dtype");
    if (const auto older = optionalString("torch_dtype"); !type) type = older;
    constexpr std::string_view kModule = "torch.";
    if (type && type->starts_with(kModule)) type->erase(0, kModule.size());
    return type;
}

void ConfigReader::requireString(const FieldName& field, std::string_view supported) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return;
    if (!value->isString() || value->asString() != supported)
        refuseValue(name, *value, fmt::format("\"{}\", the only value that is supported", supported));
}

void ConfigReader::requireFalse(const FieldName& field) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return;
    if (!value->isBool() || value->asBool())
        refuseValue(name, *value, "false, the only value that is supported");
}

void ConfigReader::requireTrue(const FieldName& field) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return;
    if (!value->isBool() || !value->asBool())
        refuseValue(name, *value, "true, the only value that is supported");
}

void ConfigReader::requireInteger(const FieldName& field, std::int64_t supported) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return;
    if (!value->isInteger() || value->asInteger() != supported)
        refuseValue(name, *value, fmt::format("{}, the only value that is supported", supported));
}

void ConfigReader::requireReal(const FieldName& field, double supported) const {
    const auto [name, value] = find(field);
    if (value == nullptr) return;
    if (!value->isNumber() || value->asReal() != supported)
        refuseValue(name, *value, fmt::format("{}, the only value that is supported", supported));
}

void ConfigReader::requireAbsent(const FieldName& field) const {
    const auto [name, value] = find(field);
    if (value != nullptr) refuseValue(name, *value, "none, since it is not supported");
}

void ConfigReader::refuse(const FieldName& field, const std::string& expected) const {
    const auto [name, value] = find(field);
    HS_CHECK(value != nullptr);
    refuseValue(name, *value, expected);
}

void ConfigReader::collectUnread(const Json& object, const std::string& path,
                                 std::vector<std::string>& unread) const {
    for (const auto& [name, value] : object.members()) {
        const std::string inside = path + name + ".";
        if (!m_read->contains(path + name))
            unread.push_back(path + name);
        else if (value.isObject() && m_read->contains(inside)) // it was opened by a reader of its own
            collectUnread(value, inside, unread);
    }
}

std::vector<std::string> ConfigReader::unreadFields() const {
    std::vector<std::string> unread;
    collectUnread(m_object, m_path, unread);
    return unread;
}

} // namespace headscope
