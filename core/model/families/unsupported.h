// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace headscope {

/// What a model_type that is known but not computed is, "a vision model" and the like; empty for all others.
std::string_view unsupportedKind(std::string_view modelType);

/// The name of `known` that is written most like `name`, whatever the case of letters; empty where none is
/// near enough to be meant.
std::string_view nearestName(std::string_view name, std::span<const std::string_view> known);

} // namespace headscope
