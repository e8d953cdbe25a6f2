// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/numpy.h"

#include "core/base/check.h"
#include "core/base/file.h"

#include <limits>

namespace headscope {

namespace {

/// numpy's letters for a type: byte order, kind, bytes.
std::string_view descriptorOf(DType type) {
    switch (type) {
    case DType::Bool:
        return "|b1";
    case DType::U8:
        return "|u1";
    case DType::I8:
        return "|i1";
    case DType::I16:
        return "<i2";
    case DType::U16:
        return "<u2";
    case DType::I32:
        return "<i4";
    case DType::U32:
        return "<u4";
    case DType::I64:
        return "<i8";
    case DType::U64:
        return "<u8";
    case DType::F16:
        return "<f2";
    case DType::F32:
        return "<f4";
    case DType::F64:
        return "<f8";
    case DType::BF16:
        break;
    }
    HS_CHECK(type != DType::BF16);
    return {};
}

std::string header(std::string_view descriptor, std::span<const std::int64_t> shape) {
    std::string tuple;
    for (const std::int64_t extent : shape) {
        HS_CHECK_LE(0, extent);
        tuple += fmt::format("{}{}", tuple.empty() ? "" : ", ", extent);
    }
    if (shape.size() == 1) tuple += ','; // a Python tuple of one
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descriptor, tuple);

    constexpr std::size_t kPrefixBytes = 10; // magic, version, length
    const std::size_t unpadded = kPrefixBytes + text.size() + 1;
    text.append((64 - unpadded % 64) % 64, ' ');
    text += '\n';
    HS_CHECK_LE(text.size(), std::size_t{std::numeric_limits<std::uint16_t>::max()});

    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(text.size() & 0xffU);
    bytes += static_cast<char>(text.size() >> 8U);
    return bytes + text;
}

} // namespace

std::string npyHeader(DType dtype, std::span<const std::int64_t> shape) {
    return header(descriptorOf(dtype), shape);
}

std::string npyUnicodeHeader(std::int64_t count, std::int64_t width) {
    HS_CHECK_LE(1, width);
    return header(fmt::format("<U{}", width), std::span(&count, 1));
}

void writeNpy(const std::filesystem::path& target, std::span<const std::int64_t> shape,
              const std::function<void(const std::function<void(std::span<const float>)>& emit)>& produce) {
    AtomicFile file(target);
    file.write(npyHeader(DType::F32, shape));
    std::int64_t expected = 1;
    for (const std::int64_t extent : shape) expected *= extent;
    std::int64_t emitted = 0;
    produce([&](std::span<const float> piece) {
        emitted += static_cast<std::int64_t>(piece.size());
        HS_CHECK_LE(emitted, expected);
        file.write(std::as_bytes(piece));
    });
    HS_CHECK_EQ(emitted, expected);
    file.commit();
}

} // namespace headscope
