// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// One place of a template that a class writes: "$A" or "$B" for a text, else a special token.
struct TemplatePlace {
    std::string token;
    std::int64_t typeId = 0;
};

using TemplateIds = std::function<std::int64_t(const std::string& token)>;

/// How a class hands the library its template: as one text, in which a space ends a place, or as a list.
enum class TemplateForm { Text, List };

/// The TemplateProcessing stage of these places; `idOf` gives the ids of the special tokens. Throws Error for
/// tokens that the library would read as something else.
Json templateStage(const std::vector<TemplatePlace>& single, const std::vector<TemplatePlace>& pair,
                   const TemplateIds& idOf, TemplateForm form = TemplateForm::Text);

/// The places of a text like "[CLS] $A [SEP] $B:1 [SEP]:1".
std::vector<TemplatePlace> templatePlaces(std::string_view text);

} // namespace headscope
