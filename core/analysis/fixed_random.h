// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace headscope {

/// Random numbers that are the same with every compiler and library (the standard's distributions are not):
/// SplitMix64 of Steele, Lea and Flood, 2014.
class FixedRandom {
  public:
    explicit FixedRandom(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next() {
        std::uint64_t z = m_state += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31U);
    }
    /// 0 to count - 1, each as likely as the others.
    std::size_t below(std::size_t count) {
        HS_CHECK(count > 0);
        const std::uint64_t surplus = (0 - std::uint64_t{count}) % count; // 2^64 modulo count
        std::uint64_t drawn = next();
        while (drawn < surplus) drawn = next();
        return static_cast<std::size_t>(drawn % count);
    }
    /// Puts `count` values, drawn without putting back, at the front.
    template <typename T>
    void draw(std::vector<T>& values, std::size_t count) {
        HS_CHECK_LE(count, values.size());
        for (std::size_t i = 0; i < count; ++i) std::swap(values[i], values[i + below(values.size() - i)]);
    }

  private:
    std::uint64_t m_state;
};

} // namespace headscope
