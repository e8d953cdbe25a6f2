// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/tensor_source.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/widen.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace headscope {

static_assert(std::endian::native == std::endian::little,
              "checkpoints are little-endian and are read as they stand");

namespace {

struct DTypeFacts {
    DType type;
    std::int64_t bytes;
    std::string_view name;
};

constexpr std::array<DTypeFacts, 13> kDTypes{{
    {DType::Bool, 1, "BOOL"},
    {DType::U8, 1, "U8"},
    {DType::I8, 1, "I8"},
    {DType::I16, 2, "I16"},
    {DType::U16, 2, "U16"},
    {DType::I32, 4, "I32"},
    {DType::U32, 4, "U32"},
    {DType::I64, 8, "I64"},
    {DType::U64, 8, "U64"},
    {DType::F16, 2, "F16"},
    {DType::BF16, 2, "BF16"},
    {DType::F32, 4, "F32"},
    {DType::F64, 8, "F64"},
}};

const DTypeFacts& factsOf(DType type) {
    const auto facts =
        std::find_if(kDTypes.begin(), kDTypes.end(), [&](const auto& f) { return f.type == type; });
    HS_CHECK(facts != kDTypes.end());
    return *facts;
}

} // namespace

std::int64_t sizeOf(DType type) {
    return factsOf(type).bytes;
}

std::string_view nameOf(DType type) {
    return factsOf(type).name;
}

bool isFloating(DType type) {
    return type == DType::F16 || type == DType::BF16 || type == DType::F32 || type == DType::F64;
}

std::optional<DType> dtypeOf(std::string_view name) {
    const auto facts =
        std::find_if(kDTypes.begin(), kDTypes.end(), [&](const auto& f) { return f.name == name; });
    if (facts == kDTypes.end()) return std::nullopt;
    return facts->type;
}

std::string shapeText(std::span<const std::int64_t> shape) {
    // A hostile file may declare a million extents; a message shows the first few.
    constexpr std::size_t kShown = 16;
    std::string text = "[";
    for (std::size_t i = 0; i < std::min(shape.size(), kShown); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", shape[i]);
    return text + (shape.size() > kShown ? ", ...]" : "]");
}

namespace {

std::string describe(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
    return fmt::format("{}", value);
}

} // namespace

void TensorSource::checkRead(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                             std::span<const std::byte> out) {
    HS_CHECK(first >= 0 && count >= 0);
    HS_CHECK_LE(first, tensor.elements - count);
    HS_CHECK_EQ(out.size(), static_cast<std::uint64_t>(count * sizeOf(tensor.dtype)));
}

void TensorSource::readFloats(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const {
    const std::string subject = messageName(fileName(tensor)) + ": tensor " + quotedName(tensor.name);
    const DType type = tensor.dtype;
    if (!isFloating(type))
        fail(subject, fmt::format("its type is {}", nameOf(type)), "expected F16, BF16, F32 or F64");

    // Pieces that stay in the processor's cache between being read and being widened.
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    const auto size = static_cast<std::size_t>(sizeOf(type));
    std::vector<std::byte> raw(type == DType::F32 ? 0 : std::min(out.size(), kPiece) * size);
    for (std::size_t done = 0; done < out.size();) {
        const std::span<float> piece = out.subspan(done, std::min(kPiece, out.size() - done));
        const std::int64_t start = first + static_cast<std::int64_t>(done);
        const std::span<std::byte> bytes =
            type == DType::F32 ? std::as_writable_bytes(piece) : std::span(raw).first(piece.size() * size);
        readRaw(tensor, start, static_cast<std::int64_t>(piece.size()), bytes);
        if (!widenToFloat(type, bytes.data(), piece)) {
            std::size_t at = 0;
            while (std::isfinite(static_cast<float>(elementAsDouble(type, bytes.data() + at * size)))) ++at;
            const double value = elementAsDouble(type, bytes.data() + at * size);
            fail(subject,
                 fmt::format("element {} is {}", start + static_cast<std::int64_t>(at), describe(value)),
                 std::isfinite(value) ? "expected weights that fit float32" : "expected finite weights");
        }
        done += piece.size();
    }
}

void MemoryTensorSource::add(std::string name, std::vector<std::int64_t> shape, std::vector<float> data) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) elements *= extent;
    HS_CHECK_EQ(elements, static_cast<std::int64_t>(data.size()));
    HS_CHECK(find(name) == nullptr);
    m_tensors.push_back({.name = std::move(name),
                         .dtype = DType::F32,
                         .shape = std::move(shape),
                         .elements = elements,
                         .file = 0,
                         .offset = 0});
    m_data.push_back(std::move(data));
}

const TensorInfo* MemoryTensorSource::find(std::string_view name) const {
    const auto found = std::find_if(m_tensors.begin(), m_tensors.end(),
                                    [&](const auto& tensor) { return tensor.name == name; });
    return found == m_tensors.end() ? nullptr : &*found;
}

void MemoryTensorSource::readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                                 std::span<std::byte> out) const {
    const TensorInfo* own = find(tensor.name);
    HS_CHECK(own != nullptr);
    checkRead(*own, first, count, out);
    const std::vector<float>& data = m_data[static_cast<std::size_t>(own - m_tensors.data())];
    if (count > 0) std::memcpy(out.data(), data.data() + first, out.size());
}

} // namespace headscope
