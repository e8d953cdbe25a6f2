// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::test {

/// Numbers and texts as the format has them.
template <typename T>
std::string raw(T value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
}

inline std::string ggufText(std::string_view text) {
    std::string bytes = raw<std::uint64_t>(text.size());
    bytes.append(text);
    return bytes;
}

/// Keys with their values, type number first.
inline std::string ggufKey(std::string_view key, std::uint32_t type, const std::string& value) {
    std::string bytes = ggufText(key);
    bytes.append(raw(type)).append(value);
    return bytes;
}

/// A GGUF file, each part of which a test may spoil.
struct GgufBuilder {
    struct Tensor {
        std::string name;
        std::vector<std::uint64_t> extents; ///< innermost first, as the file has them
        std::uint32_t type = 0;
        std::uint64_t offset = 0;
    };

    std::string magic = "GGUF";
    std::uint32_t version = 3;
    std::vector<std::string> keys;
    std::vector<Tensor> tensors;
    std::string data;
    std::uint64_t alignment = 32;

    void text(std::string_view key, std::string_view value) {
        keys.push_back(ggufKey(key, 8, ggufText(value)));
    }
    void number(std::string_view key, std::uint32_t value) { keys.push_back(ggufKey(key, 4, raw(value))); }
    void real(std::string_view key, float value) { keys.push_back(ggufKey(key, 6, raw(value))); }
    /// At the next multiple of the alignment.
    void tensor(std::string_view name, std::vector<std::uint64_t> extents, std::uint32_t type,
                const std::string& bytes) {
        data.resize((data.size() + alignment - 1) / alignment * alignment);
        tensors.push_back({std::string(name), std::move(extents), type, data.size()});
        data.append(bytes);
    }

    std::string header() const {
        std::string bytes = magic;
        bytes.append(raw(version)).append(raw<std::uint64_t>(tensors.size()));
        bytes.append(raw<std::uint64_t>(keys.size()));
        for (const std::string& key : keys) bytes.append(key);
        for (const Tensor& tensor : tensors) {
            bytes.append(ggufText(tensor.name))
                .append(raw(static_cast<std::uint32_t>(tensor.extents.size())));
            for (const std::uint64_t extent : tensor.extents) bytes.append(raw(extent));
            bytes.append(raw(tensor.type)).append(raw(tensor.offset));
        }
        return bytes;
    }
    std::string bytes() const {
        std::string all = header();
        all.resize((all.size() + alignment - 1) / alignment * alignment);
        return all.append(data);
    }
};

} // namespace headscope::test
