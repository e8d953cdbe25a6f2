// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::test::pickle {

// Pieces of a pickle: each pushes one value. Put together they are programs that torch.save does not write.

template <typename T>
std::string raw(T value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

/// Bytes one after the other.
inline std::string joined(std::initializer_list<std::string_view> parts) {
    std::string bytes;
    for (const std::string_view part : parts) bytes += part;
    return bytes;
}

inline std::string text(std::string_view content) {
    return joined({"X", raw(static_cast<std::uint32_t>(content.size())), content});
}

/// LONG1 of eight bytes, whatever the value.
inline std::string integer(std::int64_t value) {
    return joined({"\x8a\x08", raw(value)});
}

inline std::string global(std::string_view module, std::string_view name) {
    return joined({"c", module, "\n", name, "\n"});
}

inline std::string tuple(std::initializer_list<std::string> values) {
    std::string bytes = "(";
    for (const std::string& value : values) bytes += value;
    return bytes + "t";
}

inline std::string counts(std::initializer_list<std::int64_t> values) {
    std::string bytes = "(";
    for (const std::int64_t value : values) bytes += integer(value);
    return bytes + "t";
}

inline std::string dict(std::initializer_list<std::pair<std::string, std::string>> entries) {
    std::string bytes = "}(";
    for (const auto& [key, value] : entries) bytes += text(key) + value;
    return bytes + "u";
}

inline std::string call(const std::string& function, const std::string& arguments) {
    return joined({function, arguments, "R"});
}

inline std::string storage(std::string_view key, std::int64_t elements,
                           std::string_view type = "FloatStorage") {
    return tuple({text("storage"), global("torch", type), text(key), text("cpu"), integer(elements)}) + "Q";
}

inline std::string tensor(const std::string& storage, std::int64_t offset, const std::string& size,
                          const std::string& strides) {
    return call(global("torch._utils", "_rebuild_tensor_v2"),
                tuple({storage, integer(offset), size, strides, "\x89", "}"}));
}

/// A float tensor of two elements that fills the storage `key`.
inline std::string pair(std::string_view key = "0") {
    return tensor(storage(key, 2), 0, counts({2}), counts({1}));
}

inline std::string program(const std::string& body) {
    return joined({"\x80\x02", body, "."});
}

/// A state dictionary with one tensor, "w".
inline std::string oneTensor(const std::string& description) {
    return program(dict({{"w", description}}));
}

} // namespace headscope::test::pickle
