// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/resident_memory.h"

#include <fstream>
#include <limits>
#include <string>
#include <unistd.h>

namespace headscope {

std::uint64_t residentBytes() {
    std::ifstream in("/proc/self/statm");
    std::uint64_t addressed = 0;
    std::uint64_t resident = 0;
    if (!(in >> addressed >> resident)) return 0;
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t peakResidentBytes() {
    // Not getrusage(): its peak outlives exec, and so is that of a larger program which started this one.
    std::ifstream in("/proc/self/status");
    std::string key;
    while (in >> key) {
        std::uint64_t kibibytes = 0;
        if (key == "VmHWM:" && in >> kibibytes) return kibibytes * 1024;
        in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    }
    return 0;
}

void forgetPeakResident() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

} // namespace headscope
