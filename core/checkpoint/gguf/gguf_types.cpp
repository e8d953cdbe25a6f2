// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_types.h"

#include "core/checkpoint/gguf/gguf_blocks.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr GgufType plain(std::uint32_t number, std::string_view name, std::int64_t bytes, DType dtype) {
    return {number, name, 1, bytes, dtype, nullptr};
}

constexpr GgufType unread(std::uint32_t number, std::string_view name) {
    return {number, name, 1, 0, DType::F32, nullptr};
}

constexpr std::array kTypes{
    plain(0, "F32", 4, DType::F32),
    plain(1, "F16", 2, DType::F16),
    GgufType{2, "Q4_0", 32, 18, DType::F32, decodeQ4_0},
    GgufType{3, "Q4_1", 32, 20, DType::F32, decodeQ4_1},
    unread(4, "Q4_2"),
    unread(5, "Q4_3"),
    GgufType{6, "Q5_0", 32, 22, DType::F32, decodeQ5_0},
    GgufType{7, "Q5_1", 32, 24, DType::F32, decodeQ5_1},
    GgufType{8, "Q8_0", 32, 34, DType::F32, decodeQ8_0},
    unread(9, "Q8_1"),
    GgufType{10, "Q2_K", 256, 84, DType::F32, decodeQ2_K},
    GgufType{11, "Q3_K", 256, 110, DType::F32, decodeQ3_K},
    GgufType{12, "Q4_K", 256, 144, DType::F32, decodeQ4_K},
    GgufType{13, "Q5_K", 256, 176, DType::F32, decodeQ5_K},
    GgufType{14, "Q6_K", 256, 210, DType::F32, decodeQ6_K},
    unread(15, "Q8_K"),
    unread(16, "IQ2_XXS"),
    unread(17, "IQ2_XS"),
    unread(18, "IQ3_XXS"),
    unread(19, "IQ1_S"),
    unread(20, "IQ4_NL"),
    unread(21, "IQ3_S"),
    unread(22, "IQ2_S"),
    unread(23, "IQ4_XS"),
    plain(24, "I8", 1, DType::I8),
    plain(25, "I16", 2, DType::I16),
    plain(26, "I32", 4, DType::I32),
    plain(27, "I64", 8, DType::I64),
    plain(28, "F64", 8, DType::F64),
    unread(29, "IQ1_M"),
    plain(30, "BF16", 2, DType::BF16),
    unread(31, "Q4_0_4_4"),
    unread(32, "Q4_0_4_8"),
    unread(33, "Q4_0_8_8"),
    unread(34, "TQ1_0"),
    unread(35, "TQ2_0"),
    unread(36, "IQ4_NL_4_4"),
    unread(37, "IQ4_NL_4_8"),
    unread(38, "IQ4_NL_8_8"),
    unread(39, "MXFP4"),
    unread(40, "NVFP4"),
    unread(41, "Q1_0"),
};

} // namespace

const GgufType* ggufType(std::uint32_t number) {
    const auto found = std::ranges::find(kTypes, number, &GgufType::number);
    return found == kTypes.end() ? nullptr : &*found;
}

std::string readableGgufTypes() {
    std::string list;
    for (const GgufType& type : kTypes) {
        const bool holdsWeights = type.blockBytes > 0 && (type.isQuantised() || type.name.starts_with("F") ||
                                                          type.name.starts_with("BF"));
        if (!holdsWeights) continue;
        list = list.empty() ? std::string(type.name) : fmt::format("{}, {}", list, type.name);
    }
    return list;
}

} // namespace headscope
