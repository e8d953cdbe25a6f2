// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// The fields of one JSON object of a tokenizer file, as the library reads them: a field without a fallback
/// is required, unknown fields are ignored. Every failure is an Error with the subject "file: stage: field".
/// Holds references only.
class StageFields {
  public:
    /// Throws Error unless `object` is an object.
    StageFields(const Json& object, std::string subject);

    const std::string& subject() const { return m_subject; }
    const Json* find(std::string_view key) const { return m_object.find(key); }

    bool boolean(std::string_view key) const;
    bool boolean(std::string_view key, bool fallback) const;         ///< fallback when absent, not when null
    std::optional<bool> optionalBoolean(std::string_view key) const; ///< nullopt when absent or null
    std::int64_t integer(std::string_view key, std::int64_t minimum, std::int64_t maximum) const;
    const std::string& string(std::string_view key) const;
    char32_t character(std::string_view key) const; ///< a string of one code point
    const std::vector<Json>& array(std::string_view key) const;
    const Json& required(std::string_view key) const;

    /// "subject: key".
    std::string subjectOf(std::string_view key) const;

  private:
    const Json& m_object;
    std::string m_subject;
};

/// The largest id and type id the library can hold.
inline constexpr std::int64_t kMaxId = UINT32_MAX;
inline constexpr std::int64_t kMaxTypeId = INT32_MAX;

/// An id in a list or map: an integer within [0, kMaxId], else Error.
std::int64_t readId(const Json& value, const std::string& subject);

} // namespace headscope
