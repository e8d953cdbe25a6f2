// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// The bytes of an .npy header: format version 1.0, C order, little-endian, padded so that the data begin at
/// a multiple of 64. Every DType but BF16, which numpy lacks, is allowed (CHECKed).
std::string npyHeader(DType dtype, std::span<const std::int64_t> shape);
/// The same for `count` strings of type '<U': `width` (at least 1) code points of 4 bytes each, padded with
/// zeros.
std::string npyUnicodeHeader(std::int64_t count, std::int64_t width);

/// Streams one float32 array into an .npy file, atomically. `produce` emits the elements in row-major order,
/// in pieces of any size; CHECKs that their number is that of the shape. Throws Error naming the target.
void writeNpy(const std::filesystem::path& target, std::span<const std::int64_t> shape,
              const std::function<void(const std::function<void(std::span<const float>)>& emit)>& produce);

/// One member of an .npz archive. `produce` is called once, when its turn comes, and emits its bytes after
/// the header in pieces; their sum must be `bytes`.
struct NpzEntry {
    std::string name;   ///< without ".npy"
    std::string header; ///< from npyHeader
    std::uint64_t bytes = 0;
    std::function<void(const std::function<void(std::span<const std::byte>)>& emit)> produce;
};

/// Writes an .npz (stored, not compressed, zip64 where needed) atomically, streaming every entry: memory does
/// not grow with the data. The entries are produced in order, on the calling thread; what `produce` throws
/// comes out and leaves no file. The same entries give the same bytes. Throws Error naming the target.
void writeNpz(const std::filesystem::path& target, const std::vector<NpzEntry>& entries);

} // namespace headscope
