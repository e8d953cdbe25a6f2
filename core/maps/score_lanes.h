// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/score_kernel_isa.h"

/// What the bodies of the score kernel share: vectors of 16 lanes, whole or in part. See
/// score_kernel_body.h for what the including file defines.
namespace headscope::kernel {
namespace {

constexpr int kLanes = 16;

/// Lanes [begin, end) of memory that starts at `at` for lane `begin`; the others get `fill`.
template <typename V>
inline V loadPart(const float* at, int begin, int end, float fill) {
    alignas(64) float buffer[kLanes];
    for (int i = 0; i < kLanes; ++i) buffer[i] = i >= begin && i < end ? at[i - begin] : fill;
    return V::load(buffer);
}

template <typename V>
inline void storePart(float* at, int begin, int end, V lanes) {
    alignas(64) float buffer[kLanes];
    V::store(buffer, lanes);
    for (int i = begin; i < end; ++i) at[i - begin] = buffer[i];
}

template <typename V>
inline V zeroOutside(V lanes, int begin, int end) {
    alignas(64) float buffer[kLanes];
    V::store(buffer, lanes);
    for (int i = 0; i < kLanes; ++i)
        if (i < begin || i >= end) buffer[i] = 0.0F;
    return V::load(buffer);
}

} // namespace
} // namespace headscope::kernel
