// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel for AVX-512: 16 lanes are one register, a tile of 6 queries x 64 keys takes 24 of the 32.

// g++ 12 takes the deliberately undefined registers inside its own AVX-512 intrinsics for a mistake of ours.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"

#include "core/maps/score_kernel_body.h"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#include <immintrin.h>
#endif

namespace headscope::kernel {

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)

namespace {

struct Lanes {
    __m512 all;

    static Lanes load(const float* at) { return {_mm512_loadu_ps(at)}; }
    static void store(float* at, Lanes a) { _mm512_storeu_ps(at, a.all); }
    static Lanes broadcast(float value) { return {_mm512_set1_ps(value)}; }
    static Lanes fma(Lanes a, Lanes b, Lanes c) { return {_mm512_fmadd_ps(a.all, b.all, c.all)}; }
    static Lanes add(Lanes a, Lanes b) { return {_mm512_add_ps(a.all, b.all)}; }
    static Lanes sub(Lanes a, Lanes b) { return {_mm512_sub_ps(a.all, b.all)}; }
    static Lanes mul(Lanes a, Lanes b) { return {_mm512_mul_ps(a.all, b.all)}; }
    static Lanes div(Lanes a, Lanes b) { return {_mm512_div_ps(a.all, b.all)}; }
    static Lanes max(Lanes a, Lanes b) { return {_mm512_max_ps(a.all, b.all)}; }
    static Lanes min(Lanes a, Lanes b) { return {_mm512_min_ps(a.all, b.all)}; }
    static Lanes magnitude(Lanes a) { return {_mm512_andnot_ps(_mm512_set1_ps(-0.0F), a.all)}; }
    static Lanes withSignOf(Lanes sign, Lanes a) {
        return {_mm512_or_ps(_mm512_and_ps(_mm512_set1_ps(-0.0F), sign.all), a.all)};
    }
    static Lanes zeroWhereLess(Lanes a, Lanes limit, Lanes value) {
        return {_mm512_maskz_mov_ps(_mm512_cmp_ps_mask(a.all, limit.all, _CMP_NLT_UQ), value.all)};
    }
    static Lanes powerOfTwo(Lanes shifted) {
        return {_mm512_castsi512_ps(_mm512_add_epi32(_mm512_slli_epi32(_mm512_castps_si512(shifted.all), 23),
                                                     _mm512_set1_epi32(0x3f800000)))};
    }
    template <int kBit>
    static Lanes pick(Lanes without, Lanes with) {
        constexpr __mmask16 kMask = kBit == 1 ? 0xaaaa : kBit == 2 ? 0xcccc : kBit == 4 ? 0xf0f0 : 0xff00;
        return {_mm512_mask_blend_ps(kMask, without.all, with.all)};
    }
    static Lanes lookUp(const float* from, const std::int32_t* index, std::int32_t base) {
        const std::int32_t lowest = index[0] < index[15] ? index[0] : index[15];
        const __m512i offset = _mm512_sub_epi32(_mm512_loadu_si512(index), _mm512_set1_epi32(lowest));
        return {_mm512_permutexvar_ps(offset, _mm512_loadu_ps(from + (lowest - base)))};
    }
    static Lanes whereEqual(const std::uint8_t* at, std::uint8_t value, Lanes equal, Lanes other) {
        const __m128i numbers = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const __mmask16 mask = _mm_cmpeq_epi8_mask(numbers, _mm_set1_epi8(static_cast<char>(value)));
        return {_mm512_mask_blend_ps(mask, other.all, equal.all)};
    }
};

struct DoubleLanes {
    __m512d low;
    __m512d high;

    static DoubleLanes zero() { return {_mm512_setzero_pd(), _mm512_setzero_pd()}; }
    static DoubleLanes add(DoubleLanes a, Lanes b) {
        return {_mm512_add_pd(a.low, _mm512_cvtps_pd(_mm512_castps512_ps256(b.all))),
                _mm512_add_pd(a.high, _mm512_cvtps_pd(_mm512_extractf32x8_ps(b.all, 1)))};
    }
    static void store(double* at, DoubleLanes a) {
        _mm512_storeu_pd(at, a.low);
        _mm512_storeu_pd(at + 8, a.high);
    }
};

constexpr KernelTable kTable = tableOf<Lanes, DoubleLanes, 6, 4, 8>();

} // namespace

const KernelTable* avx512Kernel() {
    return &kTable;
}

#else

const KernelTable* avx512Kernel() {
    return nullptr;
}

#endif

} // namespace headscope::kernel
