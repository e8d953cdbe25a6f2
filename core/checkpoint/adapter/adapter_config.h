// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// adapter_config.json of a plain LoRA adapter, as PEFT writes it.
class AdapterConfig {
  public:
    /// Throws Error, by the name of the field, for every other kind of adapter and for all that would make
    /// more of the weights than scale * B A: DoRA, biases, modules saved whole, layers used twice, base
    /// weights that were changed at the start (PiSSA and its like), fields that are not known and not empty.
    explicit AdapterConfig(const Json& config);

    std::int64_t rankOf(std::string_view module) const;
    /// lora_alpha / r, or lora_alpha / sqrt(r) with use_rslora.
    double scaleOf(std::string_view module) const;
    /// The weights stand as [in, out], as GPT-2's own do.
    bool fanInFanOut() const { return m_fanInFanOut; }
    const std::string& baseModel() const { return m_baseModel; } ///< base_model_name_or_path; may be empty

  private:
    /// Values for modules whose name ends with a key; the first that fits counts.
    using Pattern = std::vector<std::pair<std::string, double>>;
    static Pattern patternOf(const Json& config, std::string_view field);
    static double valueOf(const Pattern& pattern, std::string_view module, double fallback);

    std::int64_t m_rank = 8;
    double m_alpha = 8.0;
    bool m_rootScale = false;
    bool m_fanInFanOut = false;
    Pattern m_ranks;
    Pattern m_alphas;
    std::string m_baseModel;
};

} // namespace headscope
