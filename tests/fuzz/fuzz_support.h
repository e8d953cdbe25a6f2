// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/checkpoint/tensor_source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace headscope::test {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Runs what may refuse its input. A refusal must be one line of UTF-8 that ends like a sentence; whatever
/// else is thrown, and every sanitizer's finding, ends the program.
template <typename Action>
void readOrRefuse(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        const std::string& sentence = error.sentence();
        HS_CHECK(!firstInvalidUtf8(sentence));
        HS_CHECK(sentence.ends_with('.'));
        HS_CHECK(std::none_of(sentence.begin(), sentence.end(), [](unsigned char c) { return c < 0x20; }));
    }
}

/// A file that exists in memory only, for readers that take a path.
class MemoryFile {
  public:
    explicit MemoryFile(std::string_view content) : m_descriptor(::memfd_create("input", MFD_CLOEXEC)) {
        HS_CHECK(m_descriptor >= 0);
        HS_CHECK_EQ(::write(m_descriptor, content.data(), content.size()),
                    static_cast<ssize_t>(content.size()));
    }
    ~MemoryFile() { ::close(m_descriptor); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(m_descriptor); }

  private:
    int m_descriptor;
};

/// Reads the two ends of up to 100 tensors: a file may promise more elements than there is time for.
inline void readTensors(const TensorSource& source) {
    constexpr std::int64_t kElements = 1000;
    std::size_t count = 0;
    for (const TensorInfo& tensor : source.tensors()) {
        if (++count > 100) return;
        const std::int64_t piece = std::min(tensor.elements, kElements);
        std::vector<std::byte> raw(static_cast<std::size_t>(piece * sizeOf(tensor.dtype)));
        for (const std::int64_t first : {std::int64_t{0}, tensor.elements - piece})
            readOrRefuse([&] { source.readRaw(tensor, first, piece, raw); });
        std::vector<float> floats(static_cast<std::size_t>(piece));
        readOrRefuse([&] { source.readFloats(tensor, 0, floats); });
        source.dropPages(tensor);
        HS_CHECK(source.find(tensor.name) == &tensor);
    }
}

} // namespace headscope::test
