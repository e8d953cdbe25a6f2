// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {

/// A .safetensors file from its two parts, whatever they hold.
inline std::string safetensorsBytes(std::string_view header, std::string_view data = {}) {
    const std::uint64_t length = header.size();
    std::string bytes(sizeof(length), '\0');
    std::memcpy(bytes.data(), &length, sizeof(length));
    bytes += header;
    bytes += data;
    return bytes;
}

/// The memory of a vector as file bytes.
template <typename T>
std::string bytesOf(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

} // namespace headscope::test
