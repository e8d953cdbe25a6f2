// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/pytorch/state_dict.h"
#include "core/checkpoint/pytorch/zip_directory.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace headscope {

/// Where the bytes of a storage stand in the file.
struct StoragePlace {
    std::uint64_t bytes = 0;
    std::uint64_t offset = 0;       ///< of the first byte, unless packed
    std::optional<ZipEntry> packed; ///< a compressed entry, which is unpacked whole to be read
};

/// What a file of torch.save holds: the tensors and, by key, the storages that they lie in. Every storage has
/// as many bytes as the pickle says.
struct PytorchContents {
    StateDict dict;
    std::map<std::string, StoragePlace> places;
};

/// A file of PyTorch 1.6 and later: a zip archive with the pickle in `data.pkl` and every storage in an entry
/// of its own. Throws Error.
PytorchContents readPytorchArchive(const InputFile& file, PytorchLayout layout);

/// A file of PyTorch before 1.6: five pickles, then the storages. Throws Error.
PytorchContents readLegacyPytorch(const InputFile& file, PytorchLayout layout);

/// Whether the first bytes of a file are those of the form before 1.6.
bool isLegacyPytorch(std::string_view head);

} // namespace headscope
