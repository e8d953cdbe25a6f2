// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// Most bytes of one entry that is held in memory because it cannot be read in place.
inline constexpr std::uint64_t kUnpackedArrayLimit = std::uint64_t{4} << 30U;

/// An array of strings, its elements in the order of the file.
struct NpzTexts {
    std::vector<std::int64_t> shape;
    std::vector<std::string> texts; ///< UTF-8
};

struct NpzContents {
    std::shared_ptr<const TensorSource> numbers; ///< arrays of numbers and truth values, row-major
    std::map<std::string, NpzTexts> texts;
};

/// Opens an .npz archive, whoever wrote it: stored entries in C order are read in place; compressed ones and
/// those in Fortran order are held in memory while they are read, one at a time. Names lose their ".npy";
/// entries that are no arrays are left out. Nothing in it is executed. Throws Error, one sentence each, for
/// what stands in the file's place, for what ZipDirectory and readNumpyHeader() refuse, for more than 10,000
/// entries, for an array that would take more than kUnpackedArrayLimit, and for texts that take more than 64
/// MB together, are more than a million, or are no text.
NpzContents openNpz(const std::filesystem::path& path);

} // namespace headscope
