// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/imported/attention_facts.h"
#include "core/maps/axis.h"

#include <memory>
#include <string>

namespace headscope {

/// What the facts of a side are called in messages.
struct SideNames {
    std::string file;
    std::string prefix; ///< "" or "source_"
    std::string ids;    ///< "input_ids"
};

/// Labels for `count` positions; null where neither tokens nor ids are given. Without `special` tokens are so
/// by well-known names ("[CLS]", "<s>", "<|...|>"). Throws Error for counts that differ and positions that do
/// not exist.
std::shared_ptr<const Axis> importedAxis(const SideFacts& side, std::int64_t count, const SideNames& names);

} // namespace headscope
