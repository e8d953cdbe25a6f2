// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/class_rules.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headscope {

/// The settings of tokenizer_config.json, as the parameters of the class: an absent one has the class's
/// default. Holds a reference to the inputs only.
class ClassSettings {
  public:
    explicit ClassSettings(const ClassInputs& inputs) : m_config(inputs.tokenizerConfig) {}

    /// nullptr when it is not written; a null is a value.
    const Json* find(std::string_view key) const { return m_config ? m_config->find(key) : nullptr; }
    /// Written, and not null.
    bool has(std::string_view key) const;

    /// A switch. Throws Error for anything but true and false, null too.
    bool flag(std::string_view key, bool fallback) const;
    /// A switch that may be null, which is as good as false.
    bool loose(std::string_view key, bool fallback) const;
    /// nullopt when it is null; `fallback` when it is not written.
    std::optional<bool> optional(std::string_view key, std::optional<bool> fallback) const;
    std::int64_t integer(std::string_view key, std::int64_t fallback, std::int64_t maximum) const;
    /// nullopt when it is absent or null.
    std::optional<std::string> text(std::string_view key) const;

    /// "tokenizer_config.json: key".
    static std::string subjectOf(std::string_view key);

  private:
    const std::optional<Json>& m_config;
};

} // namespace headscope
