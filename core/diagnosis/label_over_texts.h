// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/over_texts.h"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// One label of single texts, over those that tested it, with the rules about what these must have in common;
/// none where no text did.
std::optional<HeadLabel> labelOverTexts(std::span<const HeadOnText> texts, Label label);

/// How often the commonest value occurs; `which`: set to it.
template <typename Value>
int commonest(const std::vector<Value>& values, Value* which = nullptr) {
    std::map<Value, int> counts;
    for (const Value& value : values) ++counts[value];
    int most = 0;
    for (const auto& [value, count] : counts) {
        if (count <= most) continue;
        most = count;
        if (which != nullptr) *which = value;
    }
    return most;
}

} // namespace headscope
