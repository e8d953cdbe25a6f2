// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/text_limit.h"

#include "core/base/error.h"

#include <fmt/format.h>

namespace headscope {

void refuseTokens() {
    fail("the text", fmt::format("more than {} tokens", kMaxTokens), "expected at most that",
         "use a shorter text");
}

void requireNormalizedSize(std::size_t bytes) {
    if (bytes > kMaxNormalizedBytes)
        fail("the text", fmt::format("more than {} MB after normalisation", kMaxNormalizedBytes / 1'000'000),
             "expected at most that", "use a shorter text");
}

} // namespace headscope
