// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/row_maximum.h"

#include "core/maps/score_kernel.h"

#include <limits>

namespace headscope::detail {

namespace {

#define HS_INLINE static inline __attribute__((always_inline))

/// Running maxima side by side, so that the compiler can keep them in vector registers.
HS_INLINE float largestBody(const float* values, std::int64_t count) {
    constexpr std::int64_t kLanes = 32;
    float best[kLanes];
    for (float& lane : best) lane = -std::numeric_limits<float>::infinity();
    std::int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::int64_t lane = 0; lane < kLanes; ++lane)
            best[lane] = values[i + lane] > best[lane] ? values[i + lane] : best[lane];
    for (; i < count; ++i) best[0] = values[i] > best[0] ? values[i] : best[0];
    float result = best[0];
    for (const float lane : best) result = lane > result ? lane : result;
    return result;
}

HS_INLINE void keepLargerBody(float* into, const float* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) into[i] = values[i] > into[i] ? values[i] : into[i];
}

float largestPlain(const float* values, std::int64_t count) {
    return largestBody(values, count);
}
void keepLargerPlain(float* into, const float* values, std::int64_t count) {
    keepLargerBody(into, values, count);
}
constexpr RowMaxima kPlain{largestPlain, keepLargerPlain};

#if defined(__x86_64__)
__attribute__((target("avx2"))) float largestAvx2(const float* values, std::int64_t count) {
    return largestBody(values, count);
}
__attribute__((target("avx2"))) void keepLargerAvx2(float* into, const float* values, std::int64_t count) {
    keepLargerBody(into, values, count);
}
constexpr RowMaxima kAvx2{largestAvx2, keepLargerAvx2};
#endif

} // namespace

const RowMaxima& rowMaxima() {
#if defined(__x86_64__)
    static const bool wide = bestIsa() != Isa::Scalar;
    return wide ? kAvx2 : kPlain;
#else
    return kPlain;
#endif
}

} // namespace headscope::detail
