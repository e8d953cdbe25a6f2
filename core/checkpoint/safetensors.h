// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/checkpoint/tensor_source.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

/// Opens one .safetensors file. Format: u64 little-endian header length n (at most 100,000,000), n bytes of
/// JSON, data. Throws Error with a sentence of its own for: a Git LFS pointer, HTML, a truncated file, a
/// header that is too large, malformed or no object, an unknown dtype, a repeated name, a shape whose product
/// overflows, data_offsets that do not match the shape, overlap, leave a hole or do not end with the file.
std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path& path);
/// The same of a file inside the program.
std::shared_ptr<const TensorSource> openSafetensors(InputFile embedded);

/// `__metadata__` of a .safetensors file (empty when absent, null or {}).
std::map<std::string, std::string> readSafetensorsMetadata(const std::filesystem::path& path);

/// Streams tensors into a .safetensors file. Names, types and shapes are declared first, because they stand
/// in the header; then the data follow in the declared order, in pieces of any size.
class SafetensorsWriter {
  public:
    struct Entry {
        std::string name;
        DType dtype;
        std::vector<std::int64_t> shape;
    };
    SafetensorsWriter(const std::filesystem::path& target, const std::vector<Entry>& entries,
                      const std::vector<std::pair<std::string, std::string>>& metadata);
    void write(std::span<const std::byte> bytes);
    /// CHECKs that exactly the declared bytes were written, then renames into place.
    void commit();

  private:
    AtomicFile m_file;
    std::uint64_t m_expected = 0;
};

} // namespace headscope
