// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/resident_memory.h"

#include <fstream>
#include <unistd.h>

namespace headscope {

std::uint64_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    std::uint64_t addressed = 0;
    std::uint64_t resident = 0;
    if (!(in >> addressed >> resident)) return 0;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace headscope
