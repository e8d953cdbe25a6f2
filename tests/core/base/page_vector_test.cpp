// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/page_vector.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <utility>

namespace headscope {
namespace {

TEST(PageVector, IsAlignedAndZeroAtEverySize) {
    for (const std::size_t count : {1U, 15U, 16U, 2047U, 2048U, 2049U, 100'000U}) {
        PageVector<float> numbers(count);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64, 0U) << count;
        for (const float number : numbers) ASSERT_EQ(number, 0.0F) << count;
        numbers.front() = 1.0F;
        numbers.back() = 2.0F;
        const PageVector<float> copy = numbers;
        EXPECT_EQ(copy, numbers);
        const float* place = numbers.data();
        const PageVector<float> moved = std::move(numbers);
        EXPECT_EQ(moved.data(), place);
    }
    EXPECT_TRUE(PageVector<float>().empty());
}

TEST(PageVector, GrowsFromTheHeapToPages) {
    PageVector<int> numbers;
    for (int i = 0; i < 5000; ++i) numbers.push_back(i);
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(numbers[static_cast<std::size_t>(i)], i);
    numbers.resize(3);
    numbers.shrink_to_fit();
    EXPECT_EQ(numbers, (PageVector<int>{0, 1, 2}));
}

TEST(PageVector, MoreThanThereIsThrows) {
    EXPECT_THROW(pageMemory(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
    EXPECT_THROW(PageAllocator<double>().allocate(std::numeric_limits<std::size_t>::max() / 2),
                 std::bad_alloc);
}

} // namespace
} // namespace headscope
