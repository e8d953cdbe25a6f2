// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <optional>

namespace headscope {

/// A piece's score as the library reads it: the digits as one integer, times or divided by a power of ten.
/// For every tenth score of 17 digits that is not the nearest double, and sums of scores decide between paths
/// by their last bit. nullopt for what is no number, is too large or has too many digits before the point.
std::optional<double> readScore(const Json& value);

} // namespace headscope
