// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// Reads the header of a GGUF file from front to back, in pieces, little-endian. Every method throws Error,
/// naming the file, where it ends too early or the header is larger than the limit.
class GgufBytes {
  public:
    GgufBytes(const InputFile& file, std::string subject) : m_file(file), m_subject(std::move(subject)) {}

    template <typename T>
    T integer() {
        T value;
        read(std::as_writable_bytes(std::span(&value, 1)));
        return value;
    }
    /// A length of 64 bits and as many bytes. Throws Error with `what` as the subject where they are more
    /// than `limit`.
    std::string string(const std::string& what, std::uint64_t limit);
    void skip(std::uint64_t bytes);
    std::uint64_t position() const { return m_position; }

  private:
    void read(std::span<std::byte> out);
    void require(std::uint64_t bytes) const;

    const InputFile& m_file;
    std::string m_subject;
    std::uint64_t m_position = 0;
    std::vector<std::byte> m_piece; ///< of the file, from m_pieceStart on
    std::uint64_t m_pieceStart = 0;
};

} // namespace headscope
