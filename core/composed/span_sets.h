// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <vector>

namespace headscope {

/// Sets of keys as ascending disjoint ranges that do not touch.

std::vector<Span> united(const std::vector<Span>& first, const std::vector<Span>& second);
std::vector<Span> without(const std::vector<Span>& spans, const std::vector<Span>& removed);

} // namespace headscope
