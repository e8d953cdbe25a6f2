// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headscope {

/// "940 bytes", "38.6 GB": powers of 1000, three digits.
std::string byteText(std::uint64_t bytes);

} // namespace headscope
