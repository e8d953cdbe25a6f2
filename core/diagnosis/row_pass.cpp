// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/row_pass.h"

#include "core/maps/score_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace headscope {

namespace {

// GCC and Clang vector types: the same source becomes SSE2 or AVX2 code. A plain float reduction would stay
// scalar, since the compiler may not reorder its additions.
constexpr std::int64_t kLanes = 8;
using Floats = float __attribute__((vector_size(32)));
using Ints = std::int32_t __attribute__((vector_size(32)));

/// Neighbouring vectors handled together, so that additions do not wait for one another.
constexpr std::int64_t kUnroll = 2;
constexpr std::int64_t kStep = kUnroll * kLanes;
/// Keys whose deviations are added in float before they go on in double: sixteen a lane, which costs at most
/// 1e-6 of them.
constexpr std::int64_t kBlock = 16 * kStep;

#define HS_INLINE static inline __attribute__((always_inline))

HS_INLINE StretchSums sumsBody(const float* weights, std::int64_t count, float even) {
    Floats evens{};
    evens += even;
    Ints withoutSign{};
    withoutSign += 0x7fffffff;
    Floats maxima[kUnroll] = {};
    StretchSums sums;
    std::int64_t j = 0;
    while (j + kStep <= count) {
        const std::int64_t end = std::min(count, j + kBlock);
        Floats totals[kUnroll] = {};
        for (; j + kStep <= end; j += kStep) {
            for (std::int64_t u = 0; u < kUnroll; ++u) {
                Floats w;
                std::memcpy(&w, weights + j + u * kLanes, sizeof w);
                const Floats difference = w - evens;
                Ints bits;
                std::memcpy(&bits, &difference, sizeof bits);
                bits &= withoutSign;
                Floats absolute;
                std::memcpy(&absolute, &bits, sizeof absolute);
                totals[u] += absolute;
                maxima[u] = w > maxima[u] ? w : maxima[u];
            }
        }
        for (std::int64_t u = 0; u < kUnroll; ++u)
            for (std::int64_t lane = 0; lane < kLanes; ++lane)
                sums.deviation += static_cast<double>(totals[u][lane]);
    }
    for (std::int64_t u = 0; u < kUnroll; ++u)
        for (std::int64_t lane = 0; lane < kLanes; ++lane)
            sums.maximum = std::max(sums.maximum, maxima[u][lane]);
    for (; j < count; ++j) {
        sums.deviation += static_cast<double>(std::fabs(weights[j] - even));
        sums.maximum = std::max(sums.maximum, weights[j]);
    }
    return sums;
}

HS_INLINE StretchMoments momentsBody(const float* weights, std::int64_t count) {
    StretchMoments moments;
    std::int64_t j = 0;
    Floats places{};
    for (std::int64_t lane = 0; lane < kLanes; ++lane) places[lane] = static_cast<float>(lane);
    while (j + kStep <= count) {
        const std::int64_t begin = j;
        const std::int64_t end = std::min(count, j + kBlock);
        Floats masses[kUnroll] = {};
        Floats firsts[kUnroll] = {};
        Floats at[kUnroll]; // places within the block: small, so that float holds them
        for (std::int64_t u = 0; u < kUnroll; ++u) at[u] = places + static_cast<float>(u * kLanes);
        for (; j + kStep <= end; j += kStep)
            for (std::int64_t u = 0; u < kUnroll; ++u) {
                Floats w;
                std::memcpy(&w, weights + j + u * kLanes, sizeof w);
                masses[u] += w;
                firsts[u] += w * at[u];
                at[u] += static_cast<float>(kStep);
            }
        double mass = 0.0;
        double first = 0.0;
        for (std::int64_t u = 0; u < kUnroll; ++u)
            for (std::int64_t lane = 0; lane < kLanes; ++lane) {
                mass += static_cast<double>(masses[u][lane]);
                first += static_cast<double>(firsts[u][lane]);
            }
        moments.mass += mass;
        moments.first += first + static_cast<double>(begin) * mass;
    }
    for (; j < count; ++j) {
        moments.mass += static_cast<double>(weights[j]);
        moments.first += static_cast<double>(weights[j]) * static_cast<double>(j);
    }
    return moments;
}

HS_INLINE void addToBody(double* totals, const float* weights, std::int64_t count) {
    for (std::int64_t j = 0; j < count; ++j) totals[j] += static_cast<double>(weights[j]);
}

HS_INLINE std::int64_t firstAtLeastBody(const float* weights, std::int64_t count, float threshold) {
    std::int64_t j = 0;
    for (; j + kStep <= count; j += kStep) {
        Ints found{};
        for (std::int64_t u = 0; u < kUnroll; ++u) {
            Floats w;
            std::memcpy(&w, weights + j + u * kLanes, sizeof w);
            found |= w >= threshold;
        }
        std::uint64_t words[4];
        std::memcpy(words, &found, sizeof words);
        if ((words[0] | words[1] | words[2] | words[3]) != 0) break;
    }
    while (j < count && !(weights[j] >= threshold)) ++j;
    return j;
}

StretchSums sumsPlain(const float* weights, std::int64_t count, float even) {
    return sumsBody(weights, count, even);
}
StretchMoments momentsPlain(const float* weights, std::int64_t count) {
    return momentsBody(weights, count);
}
void addToPlain(double* totals, const float* weights, std::int64_t count) {
    addToBody(totals, weights, count);
}
std::int64_t firstAtLeastPlain(const float* weights, std::int64_t count, float threshold) {
    return firstAtLeastBody(weights, count, threshold);
}
constexpr RowPass kPlain{sumsPlain, momentsPlain, addToPlain, firstAtLeastPlain};

#if defined(__x86_64__)
__attribute__((target("avx2"))) StretchSums sumsAvx2(const float* weights, std::int64_t count, float even) {
    return sumsBody(weights, count, even);
}
__attribute__((target("avx2"))) StretchMoments momentsAvx2(const float* weights, std::int64_t count) {
    return momentsBody(weights, count);
}
__attribute__((target("avx2"))) void addToAvx2(double* totals, const float* weights, std::int64_t count) {
    addToBody(totals, weights, count);
}
__attribute__((target("avx2"))) std::int64_t firstAtLeastAvx2(const float* weights, std::int64_t count,
                                                              float threshold) {
    return firstAtLeastBody(weights, count, threshold);
}
constexpr RowPass kAvx2{sumsAvx2, momentsAvx2, addToAvx2, firstAtLeastAvx2};
#endif

} // namespace

const RowPass& rowPass() {
#if defined(__x86_64__)
    static const bool wide = bestIsa() != Isa::Scalar;
    return wide ? kAvx2 : kPlain;
#else
    return kPlain;
#endif
}

} // namespace headscope
