// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/pair_pass.h"

#include <algorithm>
#include <cstring>
#include <numbers>

namespace headscope {

namespace {

// GCC and Clang vector types: the same source becomes SSE2 or AVX2 code.
constexpr std::int64_t kDoubles = 4;
constexpr std::int64_t kFloats = 8;
using Doubles = double __attribute__((vector_size(32)));
using Words = std::uint64_t __attribute__((vector_size(32)));
using Floats = float __attribute__((vector_size(32)));

/// Keys whose products are added in float before they go on in double: 32 a lane.
constexpr std::int64_t kBlock = 32 * kFloats;

#define HS_INLINE static inline __attribute__((always_inline))

HS_INLINE void load(Doubles& out, const float* weights) {
    out = Doubles{weights[0], weights[1], weights[2], weights[3]};
}

/// The first `count` < kDoubles; the others are 0.
HS_INLINE void loadPart(Doubles& out, const float* weights, std::int64_t count) {
    float part[kDoubles] = {};
    for (std::int64_t lane = 0; lane < count; ++lane) part[lane] = weights[lane];
    load(out, part);
}

/// x ln x for x >= 0; 0 for 0 and exactly 0 for 1. With x = 2^e m and m within a factor sqrt 2 of 1,
/// ln m = 2 atanh(s) for s = (m - 1) / (m + 1): |s| < 0.1716, so that the series may end after s^19.
HS_INLINE void timesLog(Doubles& out, const Doubles& x) {
    constexpr std::uint64_t kRootHalf = 0x3fe6a09e667f3bcdULL;
    constexpr std::uint64_t kOne = 0x3ff0000000000000ULL;
    constexpr std::uint64_t kTwo52 = 0x4330000000000000ULL;
    Words bits;
    std::memcpy(&bits, &x, sizeof bits);
    // Biased by 1023, which the numbers near 0 fall short of: their logarithm is far off but finite, which
    // a product with them does not show.
    const Words exponent = (bits + (kOne - kRootHalf)) >> 52;
    const Words mantissa = bits - (exponent << 52) + kOne;
    // Integers below 2^52 become doubles by way of their bits: not every processor has the conversion.
    const Words biased = exponent | kTwo52;
    Doubles m;
    std::memcpy(&m, &mantissa, sizeof m);
    Doubles e;
    std::memcpy(&e, &biased, sizeof e);
    e -= 0x1p52 + 1023.0;
    const Doubles s = (m - 1.0) / (m + 1.0);
    const Doubles z = s * s;
    Doubles series = z * (1.0 / 19.0) + 1.0 / 17.0;
    series = series * z + 1.0 / 15.0;
    series = series * z + 1.0 / 13.0;
    series = series * z + 1.0 / 11.0;
    series = series * z + 1.0 / 9.0;
    series = series * z + 1.0 / 7.0;
    series = series * z + 1.0 / 5.0;
    series = series * z + 1.0 / 3.0;
    const Doubles twice = s + s;
    out = x * (e * std::numbers::ln2 + (twice + twice * z * series));
}

HS_INLINE double sumOf(const Doubles& lanes) {
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

HS_INLINE void addTotals(Doubles& sum, Doubles& weightedLog, const Doubles& w) {
    Doubles term;
    timesLog(term, w);
    sum += w;
    weightedLog += term;
}

HS_INLINE WeightTotals totalsBody(const float* weights, std::int64_t count) {
    Doubles sum{};
    Doubles weightedLog{};
    Doubles w;
    std::int64_t j = 0;
    for (; j + kDoubles <= count; j += kDoubles) {
        load(w, weights + j);
        addTotals(sum, weightedLog, w);
    }
    loadPart(w, weights + j, count - j);
    addTotals(sum, weightedLog, w);
    return {.sum = sumOf(sum), .weightedLog = sumOf(weightedLog)};
}

/// (1 + d) ln(1 + d) + (1 - d) ln(1 - d) for |d| <= 1/4: the sum over k of d^2k / (k (2k - 1)).
HS_INLINE void nearlyEven(Doubles& out, const Doubles& d) {
    const Doubles z = d * d;
    Doubles series = z * (1.0 / 276.0) + 1.0 / 231.0;
    series = series * z + 1.0 / 190.0;
    series = series * z + 1.0 / 153.0;
    series = series * z + 1.0 / 120.0;
    series = series * z + 1.0 / 91.0;
    series = series * z + 1.0 / 66.0;
    series = series * z + 1.0 / 45.0;
    series = series * z + 1.0 / 28.0;
    series = series * z + 1.0 / 15.0;
    series = series * z + 1.0 / 6.0;
    out = z + z * z * series;
}

/// Adds four times the divergence of p and q. With the mean m = (p + q) / 2 and d = (p - q) / (p + q) it is
/// m ((1 + d) ln(1 + d) + (1 - d) ln(1 - d)) / 2, of which no large parts cancel: p ln(p / m) and q ln(q / m)
/// are of opposite sign and nearly equal where p and q are.
HS_INLINE void addDivergence(Doubles& sum, const Doubles& p, const Doubles& q) {
    const Doubles total = p + q;
    const Doubles least = Doubles{} + 0x1p-1022;
    const Doubles d = (p - q) / (total > least ? total : least); // 0 / 0 where neither has weight
    const auto far = d * d > 0x1p-4;
    Doubles both;
    if ((far[0] | far[1] | far[2] | far[3]) == 0) {
        nearlyEven(both, d); // heads alike are compared most often, and this takes half the time
    } else {
        Doubles low;
        timesLog(both, 1.0 + d);
        timesLog(low, 1.0 - d);
        both += low;
    }
    sum += total * both;
}

HS_INLINE double divergenceBody(const ScaledWeights& first, const ScaledWeights& second, std::int64_t count) {
    Doubles sum{};
    Doubles p;
    Doubles q;
    std::int64_t j = 0;
    for (; j + kDoubles <= count; j += kDoubles) {
        load(p, first.weights + j);
        load(q, second.weights + j);
        addDivergence(sum, p * first.scale, q * second.scale);
    }
    if (j < count) {
        loadPart(p, first.weights + j, count - j);
        loadPart(q, second.weights + j, count - j);
        addDivergence(sum, p * first.scale, q * second.scale);
    }
    return 0.25 * sumOf(sum);
}

HS_INLINE void addProducts(const ProductTask& task, std::int64_t j, Floats* sums) {
    constexpr int kSeconds = ProductTask::kSeconds;
    for (int a = 0; a < ProductTask::kFirsts; ++a) {
        Floats first;
        std::memcpy(&first, task.firsts[a] + j, sizeof first);
        for (int b = 0; b < kSeconds; ++b) {
            Floats second;
            std::memcpy(&second, task.seconds[b] + j, sizeof second);
            sums[a * kSeconds + b] += first * second;
        }
    }
}

HS_INLINE void productsBody(const ProductTask& task, double* out) {
    constexpr int kPairs = ProductTask::kFirsts * ProductTask::kSeconds;
    std::fill_n(out, kPairs, 0.0);
    std::int64_t j = 0;
    while (j + kFloats <= task.count) {
        const std::int64_t end = std::min(task.count, j + kBlock);
        Floats sums[kPairs] = {};
        for (; j + kFloats <= end; j += kFloats) addProducts(task, j, sums);
        for (int pair = 0; pair < kPairs; ++pair)
            for (std::int64_t lane = 0; lane < kFloats; ++lane)
                out[pair] += static_cast<double>(sums[pair][lane]);
    }
    for (; j < task.count; ++j)
        for (int pair = 0; pair < kPairs; ++pair)
            out[pair] += static_cast<double>(task.firsts[pair / ProductTask::kSeconds][j]) *
                         static_cast<double>(task.seconds[pair % ProductTask::kSeconds][j]);
}

WeightTotals totalsPlain(const float* weights, std::int64_t count) {
    return totalsBody(weights, count);
}
double divergencePlain(const ScaledWeights& first, const ScaledWeights& second, std::int64_t count) {
    return divergenceBody(first, second, count);
}
void productsPlain(const ProductTask& task, double* out) {
    productsBody(task, out);
}
constexpr PairPass kPlain{totalsPlain, divergencePlain, productsPlain};

#if defined(__x86_64__)
__attribute__((target("avx2"))) WeightTotals totalsAvx2(const float* weights, std::int64_t count) {
    return totalsBody(weights, count);
}
__attribute__((target("avx2"))) double divergenceAvx2(const ScaledWeights& first, const ScaledWeights& second,
                                                      std::int64_t count) {
    return divergenceBody(first, second, count);
}
__attribute__((target("avx2"))) void productsAvx2(const ProductTask& task, double* out) {
    productsBody(task, out);
}
constexpr PairPass kAvx2{totalsAvx2, divergenceAvx2, productsAvx2};
#endif

} // namespace

const PairPass& pairPass(Isa isa) {
#if defined(__x86_64__)
    if (isa != Isa::Scalar) return kAvx2;
#endif
    static_cast<void>(isa);
    return kPlain;
}

} // namespace headscope
