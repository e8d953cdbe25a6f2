// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel without vector instructions: the reference that the others must equal to the bit.
#include "core/maps/score_kernel_body.h"

#include <bit>
#include <cmath>

namespace headscope::kernel {
namespace {

struct Lanes {
    float lane[kLanes];

    template <typename Function>
    static Lanes each(Function function) {
        Lanes result;
        for (int i = 0; i < kLanes; ++i) result.lane[i] = function(i);
        return result;
    }
    static Lanes load(const float* at) {
        return each([=](int i) { return at[i]; });
    }
    static void store(float* at, const Lanes& a) {
        for (int i = 0; i < kLanes; ++i) at[i] = a.lane[i];
    }
    static Lanes broadcast(float value) {
        return each([=](int) { return value; });
    }
    static Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
        return each([&](int i) { return std::fma(a.lane[i], b.lane[i], c.lane[i]); });
    }
    static Lanes add(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] + b.lane[i]; });
    }
    static Lanes sub(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] - b.lane[i]; });
    }
    static Lanes mul(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] * b.lane[i]; });
    }
    static Lanes div(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] / b.lane[i]; });
    }
    /// max and min: the second operand where they are equal or one is NaN, as the vector instructions do.
    static Lanes max(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
    }
    static Lanes min(const Lanes& a, const Lanes& b) {
        return each([&](int i) { return a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]; });
    }
    static Lanes magnitude(const Lanes& a) {
        return each([&](int i) { return std::fabs(a.lane[i]); });
    }
    /// `a`, which has no sign, with the sign of the first operand.
    static Lanes withSignOf(const Lanes& sign, const Lanes& a) {
        return each([&](int i) { return std::copysign(a.lane[i], sign.lane[i]); });
    }
    static Lanes zeroWhereLess(const Lanes& a, const Lanes& limit, const Lanes& value) {
        return each([&](int i) { return a.lane[i] < limit.lane[i] ? 0.0F : value.lane[i]; });
    }
    /// 2^n for n in the low bits of 1.5 * 2^23 + n.
    static Lanes powerOfTwo(const Lanes& shifted) {
        return each([&](int i) {
            return std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted.lane[i]) << 23) + 0x3f800000U);
        });
    }
    /// The lanes whose number has the bit from the second operand, the others from the first.
    template <int kBit>
    static Lanes pick(const Lanes& without, const Lanes& with) {
        return each([&](int i) { return (i & kBit) != 0 ? with.lane[i] : without.lane[i]; });
    }
    /// from[index[i] - base] for 16 indices in steps of at most one, always up or always down.
    static Lanes lookUp(const float* from, const std::int32_t* index, std::int32_t base) {
        return each([=](int i) { return from[index[i] - base]; });
    }
    static Lanes whereEqual(const std::uint8_t* at, std::uint8_t value, const Lanes& equal,
                            const Lanes& other) {
        return each([&](int i) { return at[i] == value ? equal.lane[i] : other.lane[i]; });
    }
};

struct DoubleLanes {
    double lane[kLanes];

    static DoubleLanes zero() { return {}; }
    static DoubleLanes add(const DoubleLanes& a, const Lanes& b) {
        DoubleLanes result;
        for (int i = 0; i < kLanes; ++i) result.lane[i] = a.lane[i] + static_cast<double>(b.lane[i]);
        return result;
    }
    static void store(double* at, const DoubleLanes& a) {
        for (int i = 0; i < kLanes; ++i) at[i] = a.lane[i];
    }
};

constexpr KernelTable kTable = tableOf<Lanes, DoubleLanes, 4, 1, 4>();

} // namespace

const KernelTable* scalarKernel() {
    return &kTable;
}

} // namespace headscope::kernel
