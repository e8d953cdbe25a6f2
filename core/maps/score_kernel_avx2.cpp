// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel for AVX2 with FMA: 16 lanes are two registers, a tile of 6 queries x 16 keys takes 12 of the 16.
#include "core/maps/score_kernel_body.h"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace headscope::kernel {

#if defined(__AVX2__) && defined(__FMA__)

namespace {

struct Lanes {
    __m256 low;
    __m256 high;

    static Lanes load(const float* at) { return {_mm256_loadu_ps(at), _mm256_loadu_ps(at + 8)}; }
    static void store(float* at, Lanes a) {
        _mm256_storeu_ps(at, a.low);
        _mm256_storeu_ps(at + 8, a.high);
    }
    static Lanes broadcast(float value) { return {_mm256_set1_ps(value), _mm256_set1_ps(value)}; }
    static Lanes fma(Lanes a, Lanes b, Lanes c) {
        return {_mm256_fmadd_ps(a.low, b.low, c.low), _mm256_fmadd_ps(a.high, b.high, c.high)};
    }
    static Lanes add(Lanes a, Lanes b) {
        return {_mm256_add_ps(a.low, b.low), _mm256_add_ps(a.high, b.high)};
    }
    static Lanes sub(Lanes a, Lanes b) {
        return {_mm256_sub_ps(a.low, b.low), _mm256_sub_ps(a.high, b.high)};
    }
    static Lanes mul(Lanes a, Lanes b) {
        return {_mm256_mul_ps(a.low, b.low), _mm256_mul_ps(a.high, b.high)};
    }
    static Lanes div(Lanes a, Lanes b) {
        return {_mm256_div_ps(a.low, b.low), _mm256_div_ps(a.high, b.high)};
    }
    static Lanes max(Lanes a, Lanes b) {
        return {_mm256_max_ps(a.low, b.low), _mm256_max_ps(a.high, b.high)};
    }
    static Lanes min(Lanes a, Lanes b) {
        return {_mm256_min_ps(a.low, b.low), _mm256_min_ps(a.high, b.high)};
    }
    static Lanes magnitude(Lanes a) {
        const __m256 sign = _mm256_set1_ps(-0.0F);
        return {_mm256_andnot_ps(sign, a.low), _mm256_andnot_ps(sign, a.high)};
    }
    static Lanes withSignOf(Lanes sign, Lanes a) {
        const __m256 bit = _mm256_set1_ps(-0.0F);
        return {_mm256_or_ps(_mm256_and_ps(bit, sign.low), a.low),
                _mm256_or_ps(_mm256_and_ps(bit, sign.high), a.high)};
    }
    static Lanes zeroWhereLess(Lanes a, Lanes limit, Lanes value) {
        return {_mm256_and_ps(_mm256_cmp_ps(a.low, limit.low, _CMP_NLT_UQ), value.low),
                _mm256_and_ps(_mm256_cmp_ps(a.high, limit.high, _CMP_NLT_UQ), value.high)};
    }
    static Lanes powerOfTwo(Lanes shifted) { return {powerOfTwo(shifted.low), powerOfTwo(shifted.high)}; }
    static __m256 powerOfTwo(__m256 shifted) {
        return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_slli_epi32(_mm256_castps_si256(shifted), 23),
                                                    _mm256_set1_epi32(0x3f800000)));
    }
    template <int kBit>
    static Lanes pick(Lanes without, Lanes with) {
        if constexpr (kBit == 8) {
            return {without.low, with.high};
        } else {
            constexpr int kMask = kBit == 1 ? 0xaa : kBit == 2 ? 0xcc : 0xf0;
            return {_mm256_blend_ps(without.low, with.low, kMask),
                    _mm256_blend_ps(without.high, with.high, kMask)};
        }
    }
    static Lanes lookUp(const float* from, const std::int32_t* index, std::int32_t base) {
        return {lookUpHalf(from, index, base), lookUpHalf(from, index + 8, base)};
    }
    static __m256 lookUpHalf(const float* from, const std::int32_t* index, std::int32_t base) {
        const std::int32_t lowest = index[0] < index[7] ? index[0] : index[7];
        const __m256i indices = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(index));
        return _mm256_permutevar8x32_ps(_mm256_loadu_ps(from + (lowest - base)),
                                        _mm256_sub_epi32(indices, _mm256_set1_epi32(lowest)));
    }
    static Lanes whereEqual(const std::uint8_t* at, std::uint8_t value, const Lanes& equal,
                            const Lanes& other) {
        return {whereEqual(at, value, equal.low, other.low),
                whereEqual(at + 8, value, equal.high, other.high)};
    }
    static __m256 whereEqual(const std::uint8_t* at, std::uint8_t value, __m256 equal, __m256 other) {
        const __m256i numbers = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(at)));
        const __m256i mask = _mm256_cmpeq_epi32(numbers, _mm256_set1_epi32(value));
        return _mm256_blendv_ps(other, equal, _mm256_castsi256_ps(mask));
    }
};

struct DoubleLanes {
    __m256d part[4];

    static DoubleLanes zero() {
        return {{_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd()}};
    }
    static DoubleLanes add(const DoubleLanes& a, Lanes b) {
        return {{_mm256_add_pd(a.part[0], _mm256_cvtps_pd(_mm256_castps256_ps128(b.low))),
                 _mm256_add_pd(a.part[1], _mm256_cvtps_pd(_mm256_extractf128_ps(b.low, 1))),
                 _mm256_add_pd(a.part[2], _mm256_cvtps_pd(_mm256_castps256_ps128(b.high))),
                 _mm256_add_pd(a.part[3], _mm256_cvtps_pd(_mm256_extractf128_ps(b.high, 1)))}};
    }
    static void store(double* at, const DoubleLanes& a) {
        for (int i = 0; i < 4; ++i) _mm256_storeu_pd(at + 4 * i, a.part[i]);
    }
};

constexpr KernelTable kTable = tableOf<Lanes, DoubleLanes, 6, 1, 4>();

} // namespace

const KernelTable* avx2Kernel() {
    return &kTable;
}

#else

const KernelTable* avx2Kernel() {
    return nullptr;
}

#endif

} // namespace headscope::kernel
