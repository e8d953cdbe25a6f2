// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headscope {

/// With padding, without line breaks.
std::string toBase64(std::string_view bytes);

} // namespace headscope
