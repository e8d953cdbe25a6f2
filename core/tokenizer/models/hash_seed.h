// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace headscope {

/// A number that differs from run to run and stays the same within one: no file can be made whose keys all
/// meet in one place of a hash table.
std::uint64_t hashSeed();

} // namespace headscope
