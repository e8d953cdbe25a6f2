// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/gguf/gguf_header.h"

#include <string>
#include <vector>

namespace headscope {

/// Where the data of a GGUF file stand.
struct GgufData {
    std::uint64_t headerEnd = 0;
    std::uint64_t alignment = 32; ///< a power of two
    std::uint64_t fileBytes = 0;
};

/// Turns the tensors' offsets, which count from the start of the data, into places in the file. The data must
/// be one run of tensors, each at the next multiple of the alignment: anything else hides bytes or lets one
/// tensor read another's. Throws Error with `subject` first where they are not.
void placeGgufTensors(std::vector<GgufTensor>& tensors, const GgufData& data, const std::string& subject);

} // namespace headscope
