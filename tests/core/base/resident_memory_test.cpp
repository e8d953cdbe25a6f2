// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/resident_memory.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

namespace headscope::test {
namespace {

constexpr std::size_t kMuch = std::size_t{64} << 20U;

/// What was resident while `kMuch` bytes were. Mapped, not allocated: an allocator may keep what is freed.
std::uint64_t touchMuch() {
    void* pages = ::mmap(nullptr, kMuch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) {
        ADD_FAILURE() << "no memory";
        return 0;
    }
    std::memset(pages, 1, kMuch);
    const std::uint64_t now = residentBytes();
    ::munmap(pages, kMuch);
    EXPECT_GT(now, kMuch);
    return now;
}

TEST(ResidentMemory, PeakRemembersWhatIsGone) {
    const std::uint64_t then = touchMuch();
    EXPECT_GE(peakResidentBytes() + kMuch / 8, then);
    EXPECT_GE(peakResidentBytes() + kMuch / 8, residentBytes());
}

TEST(ResidentMemory, PeakBeginsAnew) {
    if (::access("/proc/self/clear_refs", W_OK) != 0) GTEST_SKIP() << "skipped: this system keeps the peak";
    const std::uint64_t then = touchMuch();
    forgetPeakResident();
    EXPECT_LT(peakResidentBytes(), then - kMuch / 2);
    touchMuch();
    EXPECT_GE(peakResidentBytes(), kMuch);
}

} // namespace
} // namespace headscope::test
