// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_blocks.h"

#include "core/base/check.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

// Compiled without fused multiply-adds (CMakeLists.txt): the reference rounds the product and the sum.

namespace headscope {

namespace {

constexpr std::size_t kSmall = 32;
constexpr std::size_t kLarge = 256;

/// A half-precision number; NaN and the infinities stay what they are.
float halfAt(const std::uint8_t* bytes) {
    std::uint16_t half = 0;
    std::memcpy(&half, bytes, sizeof(half));
    const std::uint32_t sign = (half & 0x8000U) << 16U;
    const std::uint32_t magnitude = half & 0x7fffU;
    if (magnitude >= 0x7c00U) return std::bit_cast<float>(sign | 0x7f800000U | ((magnitude & 0x3ffU) << 13U));
    if (magnitude < 0x0400U) { // subnormal: as a normal float, so that no flush to zero can touch it
        const float small = static_cast<float>(magnitude) * 0x1p-24F;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(small));
    }
    return std::bit_cast<float>(sign | ((magnitude << 13U) + (112U << 23U)));
}

/// Calls decode(block, numbers) for each block.
template <std::size_t Elements, std::size_t Bytes, typename Decode>
void eachBlock(const std::byte* blocks, std::span<float> out, const Decode& decode) {
    HS_CHECK_EQ(out.size() % Elements, std::size_t{0});
    const auto* block = reinterpret_cast<const std::uint8_t*>(blocks);
    float* to = out.data();
    for (std::size_t n = out.size() / Elements; n > 0; --n) {
        decode(block, to);
        block += Bytes;
        to += Elements;
    }
}

/// The 16 bytes of a small block hold its first half in their low and its second in their high four bits.
/// `fifth` has one more bit for each number.
template <typename Number>
void eachNibble(const std::uint8_t* bytes, std::uint32_t fifth, const Number& number) {
    for (unsigned i = 0; i < 16; ++i) {
        number(i, static_cast<int>((bytes[i] & 15U) | (((fifth >> i) & 1U) << 4U)));
        number(i + 16, static_cast<int>((bytes[i] >> 4U) | (((fifth >> (i + 16)) & 1U) << 4U)));
    }
}

std::uint32_t wordAt(const std::uint8_t* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof(word));
    return word;
}

/// The eight scales and minima of six bits each of Q4_K and Q5_K, in twelve bytes.
struct SixBits {
    std::array<float, 8> scales;
    std::array<float, 8> minima;
};

SixBits sixBits(const std::uint8_t* bytes, float scale, float minimum) {
    SixBits result{};
    for (std::size_t i = 0; i < 4; ++i) {
        result.scales[i] = scale * static_cast<float>(bytes[i] & 63U);
        result.minima[i] = minimum * static_cast<float>(bytes[i + 4] & 63U);
        result.scales[i + 4] = scale * static_cast<float>((bytes[i + 8] & 15U) | ((bytes[i] >> 2U) & 48U));
        result.minima[i + 4] =
            minimum * static_cast<float>((bytes[i + 8] >> 4U) | ((bytes[i + 4] >> 2U) & 48U));
    }
    return result;
}

/// The sixteen scales of six bits each of Q3_K, less 32, in twelve bytes.
std::array<float, 16> q3Scales(const std::uint8_t* bytes, float scale) {
    std::array<float, 16> result{};
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned low = (bytes[i % 8] >> (i < 8 ? 0U : 4U)) & 15U;
        const unsigned high = (bytes[8 + i % 4] >> (2U * (i / 4U))) & 3U;
        result[i] = scale * static_cast<float>(static_cast<int>(low | (high << 4U)) - 32);
    }
    return result;
}

} // namespace

void decodeQ4_0(const std::byte* blocks, std::span<float> out) {
    eachBlock<kSmall, 18>(blocks, out, [](const std::uint8_t* block, float* to) {
        const float d = halfAt(block);
        eachNibble(block + 2, 0, [&](unsigned i, int q) { to[i] = d * static_cast<float>(q - 8); });
    });
}

void decodeQ4_1(const std::byte* blocks, std::span<float> out) {
    eachBlock<kSmall, 20>(blocks, out, [](const std::uint8_t* block, float* to) {
        const float d = halfAt(block);
        const float m = halfAt(block + 2);
        eachNibble(block + 4, 0, [&](unsigned i, int q) { to[i] = d * static_cast<float>(q) + m; });
    });
}

void decodeQ5_0(const std::byte* blocks, std::span<float> out) {
    eachBlock<kSmall, 22>(blocks, out, [](const std::uint8_t* block, float* to) {
        const float d = halfAt(block);
        eachNibble(block + 6, wordAt(block + 2),
                   [&](unsigned i, int q) { to[i] = d * static_cast<float>(q - 16); });
    });
}

void decodeQ5_1(const std::byte* blocks, std::span<float> out) {
    eachBlock<kSmall, 24>(blocks, out, [](const std::uint8_t* block, float* to) {
        const float d = halfAt(block);
        const float m = halfAt(block + 2);
        eachNibble(block + 8, wordAt(block + 4),
                   [&](unsigned i, int q) { to[i] = d * static_cast<float>(q) + m; });
    });
}

void decodeQ8_0(const std::byte* blocks, std::span<float> out) {
    eachBlock<kSmall, 34>(blocks, out, [](const std::uint8_t* block, float* to) {
        const float d = halfAt(block);
        for (std::size_t i = 0; i < kSmall; ++i)
            to[i] = d * static_cast<float>(static_cast<std::int8_t>(block[2 + i]));
    });
}

void decodeQ2_K(const std::byte* blocks, std::span<float> out) {
    eachBlock<kLarge, 84>(blocks, out, [](const std::uint8_t* block, float* to) {
        const std::uint8_t* quarters = block + 16;
        const float d = halfAt(block + 80);
        const float m = halfAt(block + 82);
        for (unsigned part = 0; part < 16; ++part) { // sixteen numbers each
            const float scale = d * static_cast<float>(block[part] & 15U);
            const float minimum = m * static_cast<float>(block[part] >> 4U);
            const std::uint8_t* from = quarters + 32 * (part / 8) + 16 * (part % 2);
            const unsigned shift = 2 * (part % 8 / 2);
            for (unsigned i = 0; i < 16; ++i)
                to[16 * part + i] = scale * static_cast<float>((from[i] >> shift) & 3U) - minimum;
        }
    });
}

void decodeQ3_K(const std::byte* blocks, std::span<float> out) {
    eachBlock<kLarge, 110>(blocks, out, [](const std::uint8_t* block, float* to) {
        const std::uint8_t* quarters = block + 32;
        const std::array<float, 16> scales = q3Scales(block + 96, halfAt(block + 108));
        for (unsigned part = 0; part < 16; ++part) {
            const std::uint8_t* from = quarters + 32 * (part / 8) + 16 * (part % 2);
            const std::uint8_t* mask = block + 16 * (part % 2);
            const unsigned shift = 2 * (part % 8 / 2);
            for (unsigned i = 0; i < 16; ++i) {
                const int q = static_cast<int>((from[i] >> shift) & 3U);
                const bool whole = ((mask[i] >> (part / 2)) & 1U) != 0; // the bit takes the offset away
                to[16 * part + i] = scales[part] * static_cast<float>(whole ? q : q - 4);
            }
        }
    });
}

void decodeQ4_K(const std::byte* blocks, std::span<float> out) {
    eachBlock<kLarge, 144>(blocks, out, [](const std::uint8_t* block, float* to) {
        const SixBits parts = sixBits(block + 4, halfAt(block), halfAt(block + 2));
        for (unsigned part = 0; part < 8; ++part) { // 32 numbers each
            const std::uint8_t* from = block + 16 + 32 * (part / 2);
            const unsigned shift = 4 * (part % 2);
            for (unsigned i = 0; i < 32; ++i)
                to[32 * part + i] =
                    parts.scales[part] * static_cast<float>((from[i] >> shift) & 15U) - parts.minima[part];
        }
    });
}

void decodeQ5_K(const std::byte* blocks, std::span<float> out) {
    eachBlock<kLarge, 176>(blocks, out, [](const std::uint8_t* block, float* to) {
        const SixBits parts = sixBits(block + 4, halfAt(block), halfAt(block + 2));
        const std::uint8_t* fifth = block + 16;
        for (unsigned part = 0; part < 8; ++part) {
            const std::uint8_t* from = block + 48 + 32 * (part / 2);
            const unsigned shift = 4 * (part % 2);
            for (unsigned i = 0; i < 32; ++i) {
                const unsigned q = ((from[i] >> shift) & 15U) | (((fifth[i] >> part) & 1U) << 4U);
                to[32 * part + i] = parts.scales[part] * static_cast<float>(q) - parts.minima[part];
            }
        }
    });
}

void decodeQ6_K(const std::byte* blocks, std::span<float> out) {
    eachBlock<kLarge, 210>(blocks, out, [](const std::uint8_t* block, float* to) {
        const std::uint8_t* high = block + 128;
        const auto* scales = reinterpret_cast<const std::int8_t*>(block + 192);
        const float d = halfAt(block + 208);
        for (unsigned part = 0; part < 16; ++part) {
            const unsigned run = part / 2; // of 32 numbers
            const std::uint8_t* from = block + 64 * (run / 4) + 32 * (run % 2) + 16 * (part % 2);
            const std::uint8_t* upper = high + 32 * (run / 4) + 16 * (part % 2);
            const unsigned shift = 4 * (run % 4 / 2);
            const unsigned upperShift = 2 * (run % 4);
            const float scale = d * static_cast<float>(scales[part]);
            for (unsigned i = 0; i < 16; ++i) {
                const unsigned q = ((from[i] >> shift) & 15U) | (((upper[i] >> upperShift) & 3U) << 4U);
                to[16 * part + i] = scale * static_cast<float>(static_cast<int>(q) - 32);
            }
        }
    });
}

} // namespace headscope
