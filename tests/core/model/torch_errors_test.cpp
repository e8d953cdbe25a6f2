// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/torch_errors.h"
#include "tests/support/sentence_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(TorchErrors, BecomePlainSentences) {
    const std::string mismatch = sentenceOf([] {
        translatingTorchErrors([] { at::mm(at::ones({2, 3}), at::ones({2, 3})); });
    });
    EXPECT_THAT(mismatch, HasSubstr("LibTorch: "));
    EXPECT_THAT(mismatch, Not(HasSubstr("mat1")));
    const std::string memory = sentenceOf([] {
        // More than any machine has: the allocator refuses.
        translatingTorchErrors([] { at::empty({std::int64_t{1} << 50}, at::kByte); });
    });
    EXPECT_THAT(memory, HasSubstr("memory: "));
}

} // namespace
} // namespace headscope
