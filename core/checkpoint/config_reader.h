// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One field by its name, or by the names that it goes under. Where several are present they must agree.
class FieldName {
  public:
    FieldName(const char* name) : m_names{name} {}      // NOLINT(google-explicit-constructor)
    FieldName(std::string_view name) : m_names{name} {} // NOLINT(google-explicit-constructor)
    FieldName(std::initializer_list<std::string_view> names) : m_names(names) {}
    const std::vector<std::string_view>& names() const { return m_names; }

  private:
    std::vector<std::string_view> m_names;
};

/// Typed, checked access to the fields of a JSON object (config.json, a tokenizer stage). Nothing is
/// converted: a number written as a string, a boolean written as 0 or 1, an integer written as 12.0 and a NaN
/// are refused with what was found. Every failure is an Error whose subject is "config.json: field". The
/// object must outlive the reader.
class ConfigReader {
  public:
    /// Throws Error when `object` is no JSON object.
    ConfigReader(const Json& object, std::string subject);
    ConfigReader(Json&& object, std::string subject) = delete;

    bool has(const FieldName& field) const;    ///< present and not null
    bool isNull(const FieldName& field) const; ///< present but null: for some fields not the same as absent
    /// Integer within [minimum, maximum]; `fallback` when absent or null. Throws Error for other types and
    /// values.
    std::int64_t integer(const FieldName& field, std::int64_t fallback, std::int64_t minimum,
                         std::int64_t maximum) const;
    double real(const FieldName& field, double fallback, double minimum, double maximum) const;
    bool boolean(const FieldName& field, bool fallback) const;
    std::string string(const FieldName& field, std::string_view fallback) const;
    /// The same, nullopt when absent or null.
    std::optional<std::int64_t> optionalInteger(const FieldName& field, std::int64_t minimum,
                                                std::int64_t maximum) const;
    std::optional<double> optionalReal(const FieldName& field, double minimum, double maximum) const;
    std::optional<bool> optionalBoolean(const FieldName& field) const;
    std::optional<std::string> optionalString(const FieldName& field) const;
    std::optional<std::vector<std::int64_t>> integers(const FieldName& field, std::int64_t minimum,
                                                      std::int64_t maximum) const;
    /// The same for a field that may also hold one number alone, as eos_token_id does.
    std::optional<std::vector<std::int64_t>> integersOrOne(const FieldName& field, std::int64_t minimum,
                                                           std::int64_t maximum) const;
    std::optional<std::vector<double>> reals(const FieldName& field, double minimum, double maximum) const;
    std::optional<std::vector<std::string>> strings(const FieldName& field) const;
    /// A reader of the object under `field`, whose subject is "config.json: field".
    std::optional<ConfigReader> object(const FieldName& field) const;
    /// A string that is one of `allowed`; `fallback` when absent or null.
    std::string oneOf(const FieldName& field, std::string_view fallback,
                      std::initializer_list<std::string_view> allowed) const;
    /// The type that the weights are meant to be loaded in, "bfloat16": dtype, else torch_dtype, without the
    /// "torch." that some files put before it.
    std::optional<std::string> weightsType() const;
    /// The value itself, nullptr when absent or null.
    const Json* value(const FieldName& field) const;

    /// Refuses, by name, a field that changes the maths unless it is absent, null or has the one value that
    /// is computed.
    void requireString(const FieldName& field, std::string_view supported) const;
    void requireFalse(const FieldName& field) const;
    void requireTrue(const FieldName& field) const;
    void requireInteger(const FieldName& field, std::int64_t supported) const;
    void requireReal(const FieldName& field, double supported) const;
    void requireAbsent(const FieldName& field) const;
    /// Refuses the value of a field that is present, in the words of all others: "found ..., expected ...".
    [[noreturn]] void refuse(const FieldName& field, const std::string& expected) const;

    const std::string& subject() const { return m_subject; }
    /// Fields that were never asked for, in file order; those of objects that were opened as
    /// "text_config.hidden_size". Not for several threads at once.
    std::vector<std::string> unreadFields() const;

  private:
    struct Found {
        std::string_view name;
        const Json* value = nullptr; ///< nullptr: absent or null
    };
    ConfigReader(const Json& object, std::string subject, std::string path,
                 std::shared_ptr<std::set<std::string>> read);
    Found find(const FieldName& field) const;
    [[noreturn]] void refuseValue(std::string_view key, const Json& found, const std::string& expected) const;
    void collectUnread(const Json& object, const std::string& path, std::vector<std::string>& unread) const;
    const std::vector<Json>* items(const FieldName& field, const std::string& expected) const;

    const Json& m_object;
    std::string m_subject;
    std::string m_path;                            ///< of this object in the file: "" or "text_config."
    std::shared_ptr<std::set<std::string>> m_read; ///< paths asked for, by this reader and those inside it
};

} // namespace headscope
