// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/byte_text.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace headscope {
namespace {

TEST(ByteText, HasThreeDigits) {
    EXPECT_EQ(byteText(0), "0 bytes");
    EXPECT_EQ(byteText(1), "1 byte");
    EXPECT_EQ(byteText(999), "999 bytes");
    EXPECT_EQ(byteText(1000), "1.00 kB");
    EXPECT_EQ(byteText(65'536), "65.5 kB");
    EXPECT_EQ(byteText(999'499), "999 kB");
    EXPECT_EQ(byteText(999'500), "1.00 MB");
    EXPECT_EQ(byteText(38'654'705'664), "38.7 GB");
    EXPECT_EQ(byteText(UINT64_MAX), "18.4 EB");
}

} // namespace
} // namespace headscope
