// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headscope {

/// With padding, without line breaks.
std::string toBase64(std::string_view bytes);
/// Standard base64 with its padding; nullopt for anything else.
std::optional<std::string> decodeBase64(std::string_view text);

} // namespace headscope
