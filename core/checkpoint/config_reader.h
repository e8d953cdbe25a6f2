// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope {

/// Typed, checked access to the fields of a JSON object (config.json, a tokenizer stage). Nothing is
/// converted: a number written as a string, a boolean written as 0 or 1, an integer written as 12.0 and a NaN
/// are refused with what was found. Every failure is an Error whose subject is "config.json: field". The
/// object must outlive the reader.
class ConfigReader {
  public:
    /// Throws Error when `object` is no JSON object.
    ConfigReader(const Json& object, std::string subject);
    ConfigReader(Json&& object, std::string subject) = delete;

    bool has(std::string_view key) const; ///< present and not null
    /// Integer within [minimum, maximum]; `fallback` when absent or null. Throws Error for other types and
    /// values.
    std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t minimum,
                         std::int64_t maximum) const;
    double real(std::string_view key, double fallback, double minimum, double maximum) const;
    bool boolean(std::string_view key, bool fallback) const;
    std::string string(std::string_view key, std::string_view fallback) const;
    /// Refuses, by name, a field that changes the maths unless it is absent, null or has the one value that
    /// is computed.
    void requireString(std::string_view key, std::string_view supported) const;
    void requireFalse(std::string_view key) const;
    const std::string& subject() const { return m_subject; }

  private:
    const Json* find(std::string_view key) const; ///< nullptr when absent or null
    [[noreturn]] void refuse(std::string_view key, const Json& found, const std::string& expected) const;

    const Json& m_object;
    std::string m_subject;
};

} // namespace headscope
