// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/resident_memory.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <unistd.h>
#include <vector>

namespace headscope::test {
namespace {

constexpr std::size_t kMuch = std::size_t{64} << 20U;

/// What was resident while `kMuch` bytes were.
std::uint64_t touchMuch() {
    const std::vector<std::byte> pages(kMuch, std::byte{1});
    const std::uint64_t now = residentBytes();
    EXPECT_GT(now, pages.size());
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
