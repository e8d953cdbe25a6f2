// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/models/hash_seed.h"

#include <random>

namespace headscope {

std::uint64_t hashSeed() {
    static const std::uint64_t seed = [] {
        std::random_device source;
        return std::uint64_t{source()} << 32 | source();
    }();
    return seed;
}

} // namespace headscope
