// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/gguf/gguf_header.h"
#include "core/checkpoint/gguf/gguf_parts.h"
#include "core/checkpoint/tensor_source.h"

#include <filesystem>
#include <memory>

namespace headscope {

/// The tensors of a GGUF file, or of all the parts of one, under its own names and in its own layout.
/// Quantised ones present themselves as F32 and are decoded as they are read, in pieces; a NaN that comes of
/// a damaged scale is refused by readFloats like any other. Throws Error as openGgufParts does.
class GgufSource final : public TensorSource {
  public:
    explicit GgufSource(const std::filesystem::path& path);
    ~GgufSource() override;

    /// With the keys of the first part and the tensors of all, whose offsets count in their own files.
    const GgufHeader& header() const;
    const std::vector<GgufPart>& parts() const; ///< at least one, in order
    /// As the file has it, quantisation included. The tensor must be of this source (CHECKed).
    const GgufTensor& stored(const TensorInfo& tensor) const;

    const std::vector<TensorInfo>& tensors() const override;
    const TensorInfo* find(std::string_view name) const override;
    std::string fileName(const TensorInfo& tensor) const override;
    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override;
    void dropPages(const TensorInfo& tensor) const override;

  private:
    struct Opened;
    std::unique_ptr<const Opened> m_opened;
};

} // namespace headscope
