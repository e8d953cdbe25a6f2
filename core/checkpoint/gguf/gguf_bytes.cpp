// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_bytes.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/gguf/gguf_header.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::uint64_t kPiece = std::uint64_t{1} << 18U;

} // namespace

void GgufBytes::require(std::uint64_t bytes) const {
    if (bytes > m_file.size() - m_position)
        fail(m_subject, fmt::format("the file ends inside its header after {} bytes", m_file.size()), {},
             kIncompleteHint);
    if (bytes > gguf_limits::kHeaderBytes - m_position)
        fail(m_subject, fmt::format("the header is larger than {} bytes", gguf_limits::kHeaderBytes),
             "that is the most that is read");
}

void GgufBytes::read(std::span<std::byte> out) {
    require(out.size());
    while (!out.empty()) {
        if (m_position < m_pieceStart || m_position >= m_pieceStart + m_piece.size()) {
            m_pieceStart = m_position;
            m_piece.resize(static_cast<std::size_t>(std::min(kPiece, m_file.size() - m_position)));
            m_file.readAt(m_pieceStart, m_piece);
        }
        const std::span<const std::byte> ready =
            std::span(m_piece).subspan(static_cast<std::size_t>(m_position - m_pieceStart));
        const std::size_t count = std::min(ready.size(), out.size());
        std::copy_n(ready.begin(), count, out.begin());
        out = out.subspan(count);
        m_position += count;
    }
}

void GgufBytes::skip(std::uint64_t bytes) {
    require(bytes);
    m_position += bytes;
}

std::string GgufBytes::string(const std::string& what, std::uint64_t limit) {
    const auto length = integer<std::uint64_t>();
    if (length > limit)
        fail(what, fmt::format("a text of {} bytes", length), fmt::format("at most {} are read", limit));
    require(length);
    std::string text(static_cast<std::size_t>(length), '\0');
    read(std::as_writable_bytes(std::span(text)));
    return text;
}

} // namespace headscope
