// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope {

/// Memory of this process that lies in pages now, bytes; 0 where the system does not say.
std::uint64_t residentBytes();

} // namespace headscope
