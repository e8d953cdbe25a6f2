// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Element types that checkpoints hold. Reading as float32 is defined for F16, BF16, F32 and F64.
enum class DType { Bool, U8, I8, I16, U16, I32, U32, I64, U64, F16, BF16, F32, F64 };

std::int64_t sizeOf(DType type);     ///< bytes per element
bool isFloating(DType type);         ///< F16, BF16, F32 or F64: what can be read as float32
std::string_view nameOf(DType type); ///< the safetensors spelling: "F32"
std::optional<DType> dtypeOf(std::string_view name);

/// "[384, 30522]"
std::string shapeText(std::span<const std::int64_t> shape);

struct TensorInfo {
    std::string name;
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape; ///< row-major; rank 0 and zero extents are legal
    std::int64_t elements = 0;       ///< product of shape
    std::size_t file = 0;            ///< which of the source's files
    std::uint64_t offset = 0;        ///< first byte inside that file
};

/// Named tensors from any file format. Knows shapes before any data is read; reads copy into memory the
/// caller owns. All methods are const and safe from several threads.
class TensorSource {
  public:
    virtual ~TensorSource() = default;

    /// In file order.
    virtual const std::vector<TensorInfo>& tensors() const = 0;
    /// nullptr when there is none of that name.
    virtual const TensorInfo* find(std::string_view name) const = 0;
    /// File name for messages: where the tensor stands.
    virtual std::string fileName(const TensorInfo& tensor) const = 0;
    /// Bytes as they stand on disk, elements [first, first + count). `out` must be count * sizeOf(dtype)
    /// bytes. Throws Error when the file changed or shrank.
    virtual void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                         std::span<std::byte> out) const = 0;
    /// Tells the system that the tensor will not be read again soon, so that its pages need not stay in
    /// memory: a file larger than that is read layer by layer. Advice only; reading again is right.
    virtual void dropPages(const TensorInfo& /*tensor*/) const {}

    /// Elements [first, first + out.size()) as float32, widened from F16/BF16, rounded from F64. Throws Error
    /// naming the tensor for other types, and for NaN or infinity in the weights.
    void readFloats(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const;

  protected:
    /// CHECKs what readRaw() asks of its caller.
    static void checkRead(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                          std::span<const std::byte> out);
};

/// Tensors given in memory (tests, embedded demos). Data are float32.
class MemoryTensorSource final : public TensorSource {
  public:
    void add(std::string name, std::vector<std::int64_t> shape, std::vector<float> data);

    const std::vector<TensorInfo>& tensors() const override { return m_tensors; }
    const TensorInfo* find(std::string_view name) const override;
    std::string fileName(const TensorInfo&) const override { return "memory"; }
    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override;

  private:
    std::vector<TensorInfo> m_tensors;
    std::vector<std::vector<float>> m_data;
};

} // namespace headscope
