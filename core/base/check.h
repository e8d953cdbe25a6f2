// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>
#include <string>

/// Programmer errors: prints the condition with both values and aborts. Users' data never reaches one of
/// these; what a file or a command line can cause is an Error (error.h).
namespace headscope::detail {
[[noreturn]] void checkFailed(const char* file, int line, const std::string& message);
} // namespace headscope::detail

#define HS_CHECK(condition)                                                                                  \
    do {                                                                                                     \
        if (!(condition)) ::headscope::detail::checkFailed(__FILE__, __LINE__, #condition);                  \
    } while (false)

#define HS_CHECK_OP(left, op, right)                                                                         \
    do {                                                                                                     \
        const auto& hsLeft = (left);                                                                         \
        const auto& hsRight = (right);                                                                       \
        if (!(hsLeft op hsRight))                                                                            \
            ::headscope::detail::checkFailed(                                                                \
                __FILE__, __LINE__,                                                                          \
                fmt::format("{} {} {} ({} against {})", #left, #op, #right, hsLeft, hsRight));               \
    } while (false)

#define HS_CHECK_EQ(left, right) HS_CHECK_OP(left, ==, right)
#define HS_CHECK_LE(left, right) HS_CHECK_OP(left, <=, right)
#define HS_CHECK_LT(left, right) HS_CHECK_OP(left, <, right)
