// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/app/command_line.h"

#include <gtest/gtest.h>

namespace headscope::test {

/// Exit code 1, one sentence that names what is wrong, nothing on standard output.
inline void expectRefused(const ProcessResult& result, const std::vector<std::string>& parts) {
    EXPECT_EQ(result.code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_TRUE(result.err.ends_with(".\n")) << result.err;
    for (const std::string& part : parts)
        EXPECT_NE(result.err.find(part), std::string::npos) << "\"" << part << "\" in: " << result.err;
}

} // namespace headscope::test
