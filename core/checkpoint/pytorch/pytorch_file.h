// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/pytorch/state_dict.h"
#include "core/checkpoint/tensor_source.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// Most bytes of one storage that is held in memory because it cannot be read in place.
inline constexpr std::uint64_t kUnpackedStorageLimit = std::uint64_t{4} << 30U;

struct PytorchFile {
    std::shared_ptr<const TensorSource> tensors;
    std::vector<std::string> notes; ///< one sentence each
};

/// Opens a file written by torch.save (pytorch_model.bin, .pt, .pth): the zip form and the form before
/// PyTorch 1.6. Nothing in it is executed: a pickle is read by a machine that can only build plain values.
/// Contiguous tensors are read in place. The storages of others, and compressed ones, are held in memory
/// while they are read, one at a time. Throws Error, one sentence each, for what stands in the file's place,
/// for TorchScript, tar archives and plain pickles, for a pickle of more than tensors, for storages that are
/// missing or have another size than the pickle says, and for tensors that reach beyond their storage.
PytorchFile openPytorch(const std::filesystem::path& path, PytorchLayout layout = PytorchLayout::StateDict);

} // namespace headscope
