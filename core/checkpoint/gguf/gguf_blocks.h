// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace headscope {

// The blocks of GGUF's quantised types to float32, with the operations and their order of the reference
// (gguf.quants), so that the results are the same to the bit. d and m are half-precision scales, q the stored
// integers. Each block holds 32 numbers (Q4_0 to Q8_0) or 256 (K): out.size() is a multiple of that.

void decodeQ4_0(const std::byte* blocks, std::span<float> out); ///< d (q - 8), q of 4 bits
void decodeQ4_1(const std::byte* blocks, std::span<float> out); ///< d q + m, q of 4 bits
void decodeQ5_0(const std::byte* blocks, std::span<float> out); ///< d (q - 16), q of 5 bits
void decodeQ5_1(const std::byte* blocks, std::span<float> out); ///< d q + m, q of 5 bits
void decodeQ8_0(const std::byte* blocks, std::span<float> out); ///< d q, q of 8 bits with sign
// K: a scale, and for some a minimum, for each 16 or 32 numbers, themselves integers times d and m.
void decodeQ2_K(const std::byte* blocks, std::span<float> out);
void decodeQ3_K(const std::byte* blocks, std::span<float> out);
void decodeQ4_K(const std::byte* blocks, std::span<float> out);
void decodeQ5_K(const std::byte* blocks, std::span<float> out);
void decodeQ6_K(const std::byte* blocks, std::span<float> out);

} // namespace headscope
