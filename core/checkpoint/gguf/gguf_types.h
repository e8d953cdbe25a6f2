// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headscope {

/// How the numbers of a tensor are stored in a GGUF file. Plain types are blocks of one element.
struct GgufType {
    std::uint32_t number; ///< in the file
    std::string_view name;
    std::int64_t blockElements;
    std::int64_t blockBytes; ///< 0: known by name only, not read
    DType dtype;             ///< as which the elements are delivered
    /// Whole blocks to float32: out.size() is a multiple of blockElements. Null for plain types. Scales may
    /// be NaN or infinite in a damaged file, and so then are the results.
    void (*decode)(const std::byte* blocks, std::span<float> out);

    bool isQuantised() const { return decode != nullptr; }
};

/// nullptr for a number that no release of the format has used.
const GgufType* ggufType(std::uint32_t number);
/// "F32, F16, ...": those that are read, for messages.
std::string readableGgufTypes();

} // namespace headscope
