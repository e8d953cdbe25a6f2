// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <QString>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace headscope::ui {

/// What JSON can hold of a text: half a surrogate pair becomes the replacement character.
QString wellFormed(const QString& text);

/// Reads the fields of one JSON object that nobody vouches for. All that is wrong throws Error with the file
/// and the whole name of the field ("pins[1].layer"). Absent fields, and null ones, leave their values as
/// they are.
class JsonFields {
  public:
    /// `place` stands before the names in sentences: "", or "pins[1].". Throws Error where `value` is no
    /// object or a field stands in it twice. `value` outlives this.
    JsonFields(const Json& value, std::string subject, std::string place = {});

    bool has(const char* key) const;
    /// nullptr: absent or null.
    const Json* find(const char* key) const;

    void read(const char* key, QString& out) const;
    void read(const char* key, bool& out) const;
    void read(const char* key, double& out) const;       ///< finite
    void read(const char* key, std::int64_t& out) const; ///< 0 to 2^31 - 1
    void read(const char* key, int& out) const;          ///< likewise
    void read(const char* key, std::optional<std::int64_t>& out) const;

    template <typename Enum, std::size_t N>
    void read(const char* key, const std::array<std::pair<Enum, const char*>, N>& words, Enum& out) const {
        if (!has(key)) return;
        QString word;
        read(key, word);
        for (const auto& [entry, name] : words) {
            if (word == QLatin1String(name)) {
                out = entry;
                return;
            }
        }
        wrong(key, "one of its known words");
    }

    /// Throws Error where there is a field that none of the above was asked for: what is not understood is
    /// not left out in silence.
    void refuseOthers() const;
    [[noreturn]] void wrong(const char* key, const char* expected) const;

    const std::string& subject() const { return m_subject; }
    std::string placeOf(const char* key) const { return m_place + key; }

  private:
    const Json& m_object;
    std::string m_subject;
    std::string m_place;
    mutable std::set<std::string> m_known;
};

} // namespace headscope::ui
