// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/split_behavior.h"

#include "core/base/error.h"

#include <fmt/format.h>
#include <utility>

namespace headscope {

SplitBehavior readSplitBehavior(const StageFields& fields, std::string_view key) {
    static constexpr std::pair<std::string_view, SplitBehavior> kNames[] = {
        {"Removed", SplitBehavior::Removed},
        {"Isolated", SplitBehavior::Isolated},
        {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
        {"MergedWithNext", SplitBehavior::MergedWithNext},
        {"Contiguous", SplitBehavior::Contiguous},
    };
    const std::string& name = fields.string(key);
    for (const auto& [known, behavior] : kNames)
        if (known == name) return behavior;
    fail(fields.subjectOf(key), fmt::format("found \"{}\"", escapeForMessage(name, 40)),
         "expected Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

} // namespace headscope
