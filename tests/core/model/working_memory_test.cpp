// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/working_memory.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace headscope {
namespace {

constexpr std::int64_t kLarge = 1 << 20; ///< numbers, 4 MiB

class WorkingMemory : public ::testing::Test {
  protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
        GTEST_SKIP() << "under AddressSanitizer its own heap is used, which finds overruns";
#endif
        useWorkingMemory();
        releaseWorkingMemory();
    }
};

const void* placeOf(const at::Tensor& tensor) {
    return tensor.const_data_ptr();
}

TEST_F(WorkingMemory, LargeTensorsTakeThePlacesOfFreedOnes) {
    at::Tensor first = at::zeros({kLarge});
    const at::Tensor kept = at::ones({kLarge});
    const void* place = placeOf(first);
    first = at::Tensor();
    const at::Tensor smaller = at::empty({kLarge / 2}); // half of it would be wasted
    EXPECT_NE(placeOf(smaller), place);
    const at::Tensor second = at::full({kLarge - 100}, 3.0F);
    EXPECT_EQ(placeOf(second), place);
    EXPECT_EQ(second.sum().item<float>(), 3.0F * (kLarge - 100));
    EXPECT_EQ(kept.min().item<float>(), 1.0F);
    EXPECT_NE(placeOf(at::empty({kLarge})), placeOf(kept));
}

TEST_F(WorkingMemory, EverySizeIsAligned) {
    for (const std::int64_t count : {0, 1, 7, 1000, 16'383, 16'384, 16'385, 1'000'000}) {
        const at::Tensor tensor = at::empty({count}, at::kFloat);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(placeOf(tensor)) % 64, 0U) << count;
        EXPECT_EQ(tensor.clone().numel(), count);
    }
}

TEST_F(WorkingMemory, WhatWasFreedLastWaits) {
    std::vector<at::Tensor> tensors;
    for (int i = 0; i < 40; ++i) tensors.push_back(at::zeros({kLarge})); // 160 MiB
    const void* last = placeOf(tensors.back());
    tensors.clear(); // in order: the first of them go back to the system
    std::vector<at::Tensor> again;
    bool foundLast = false;
    for (int i = 0; i < 16; ++i) {
        again.push_back(at::empty({kLarge}));
        foundLast = foundLast || placeOf(again.back()) == last;
    }
    EXPECT_TRUE(foundLast);
}

} // namespace
} // namespace headscope
