// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/thread_team.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace headscope {
namespace {

class ThreadTeam : public ::testing::Test {
  protected:
    ThreadTeam() : m_threads(at::get_num_threads()) {}
    ~ThreadTeam() override { at::set_num_threads(m_threads); }

    /// Threads that were handed something of `count`, of which each must have come once.
    static std::size_t threadsOf(std::int64_t count, std::int64_t grain) {
        std::vector<int> seen(static_cast<std::size_t>(count));
        std::set<std::thread::id> threads;
        std::mutex mutex;
        onThreads(count, grain, [&](std::int64_t begin, std::int64_t end) {
            const std::lock_guard lock(mutex);
            threads.insert(std::this_thread::get_id());
            for (std::int64_t i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
        });
        EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
        return threads.size();
    }

  private:
    int m_threads;
};

TEST_F(ThreadTeam, IsAsLargeAsLibTorchs) {
    for (const int threads : {1, 2, 3}) {
        at::set_num_threads(threads);
        EXPECT_EQ(threadsOf(threads, 1), static_cast<std::size_t>(threads));
        EXPECT_EQ(threadsOf(100, 1), static_cast<std::size_t>(threads));
    }
}

TEST_F(ThreadTeam, IsNoLargerThanTheWork) {
    at::set_num_threads(3);
    EXPECT_EQ(threadsOf(2, 1), 2U);
    EXPECT_EQ(threadsOf(16, 16), 1U);
    EXPECT_EQ(threadsOf(0, 1), 0U);
}

TEST_F(ThreadTeam, ThrowsWhatAThreadThrew) {
    at::set_num_threads(2);
    EXPECT_THROW(onThreads(2, 1,
                           [](std::int64_t begin, std::int64_t) {
                               if (begin == 1) throw std::runtime_error("broken");
                           }),
                 std::runtime_error);
}

} // namespace
} // namespace headscope
