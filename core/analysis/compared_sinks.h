// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "core/base/cancel.h"

#include <cstdint>
#include <vector>

namespace headscope {

/// The tokens on which what is shown rests, ascending: those that get 0.30 or more of the weight of the rows
/// that see them, by the rules of a diagnosis (ColumnTable::sinks()). Of one head those of its metrics; of
/// anything else by the rows of `tokens`, each divided by its sum. Throws Error when cancelled.
std::vector<std::int64_t> comparedSinks(const ViewRequest& request, const HeadMap& tokens,
                                        const CancelToken& cancel);

} // namespace headscope
