// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/checkpoint/tensor_source.h"

#include <map>
#include <string>
#include <vector>

namespace headscope {

/// Longest header that is read or written, the limit of the format's reference implementation.
inline constexpr std::uint64_t kSafetensorsHeaderLimit = 100'000'000;

/// What stands before the data of a .safetensors file, checked against the file's size.
struct SafetensorsHeader {
    std::vector<TensorInfo> tensors; ///< in the header's order; offsets count from the start of the file
    std::map<std::string, std::string> metadata;
};

/// Reads and checks the whole header; see openSafetensors for what is refused.
SafetensorsHeader readSafetensorsHeader(const InputFile& file);

} // namespace headscope
