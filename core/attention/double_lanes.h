// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>

// Four doubles side by side, as GCC's and Clang's vector types: the same source becomes SSE2 or AVX2 code,
// with the same bits as long as nothing is fused. For functions that are inlined into one of each.
#define HS_INLINE static inline __attribute__((always_inline))

namespace headscope {

inline constexpr int kDoubleLanes = 4;
using DoubleLanes = double __attribute__((vector_size(32)));

/// Four neighbouring floats, widened.
HS_INLINE void widen(const float* from, DoubleLanes& lanes) {
    float __attribute__((vector_size(16))) four;
    std::memcpy(&four, from, sizeof four);
    lanes = __builtin_convertvector(four, DoubleLanes);
}

} // namespace headscope
