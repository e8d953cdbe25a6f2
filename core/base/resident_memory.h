// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope {

/// Memory of this process that lies in pages now, bytes; 0 where the system does not say.
std::uint64_t residentBytes();

/// The most there have been since the program began, or since forgetPeakResident(). 0 where unknown.
std::uint64_t peakResidentBytes();
/// Begins anew, where the system allows it.
void forgetPeakResident();

} // namespace headscope
