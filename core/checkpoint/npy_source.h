// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/tensor_source.h"

#include <filesystem>
#include <memory>

namespace headscope {

/// Opens an .npy file: one array of numbers, called by the file's name without its ending. C order is read in
/// place; Fortran order is held in memory while it is read. Nothing in it is executed. Throws Error, one
/// sentence each, for what stands in the file's place, for what readNumpyHeader() refuses, for texts, and for
/// an array in Fortran order of more than kUnpackedArrayLimit (npz_source.h).
std::shared_ptr<const TensorSource> openNpy(const std::filesystem::path& path);

} // namespace headscope
