// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include "core/base/cancel.h"
#include "core/base/check.h"
#include "core/base/utf8.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace headscope {

namespace {

std::string composeSentence(const ErrorParts& parts) {
    std::string sentence = parts.subject;
    if (!parts.found.empty()) sentence += (sentence.empty() ? "" : ": ") + parts.found;
    if (!parts.expected.empty()) sentence += ", " + parts.expected;
    if (parts.byteOffset) sentence += fmt::format(" (at byte {})", *parts.byteOffset);
    if (!parts.hint.empty()) sentence += "; " + parts.hint;
    sentence += '.';
    return sentence;
}

bool isControl(char32_t c) {
    // C0, DEL, C1, and the separators and direction marks that would break or reorder a line of a terminal.
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

void appendEscapedBytes(std::string& out, std::string_view bytes) {
    for (const char byte : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

} // namespace

Error::Error(ErrorParts parts) : m_parts(std::move(parts)), m_sentence(composeSentence(m_parts)) {}

void fail(std::string subject, std::string found, std::string expected, std::string hint) {
    throw Error({.subject = std::move(subject),
                 .found = std::move(found),
                 .expected = std::move(expected),
                 .hint = std::move(hint)});
}

std::string escapeForMessage(std::string_view text, std::size_t limit) {
    std::string out;
    std::size_t taken = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        if (taken == limit) return out + "…";
        ++taken;
        // One code point at a time; a byte that is no UTF-8 is shown as a byte.
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        const std::string_view piece = text.substr(at, length);
        if (firstInvalidUtf8(piece)) {
            appendEscapedBytes(out, piece.substr(0, 1));
            ++at;
            continue;
        }
        if (isControl(toCodePoints(piece)[0]))
            appendEscapedBytes(out, piece);
        else
            out += piece;
        at += length;
    }
    return out;
}

void CancelToken::throwIfCancelled() const {
    if (isCancelled())
        throw Error(
            {.subject = "cancelled", .found = {}, .expected = {}, .hint = {}, .kind = ErrorKind::Cancelled});
}

namespace detail {

void checkFailed(const char* file, int line, const std::string& message) {
    std::fprintf(stderr, "%s:%d: internal error, this should hold: %s\n", file, line, message.c_str());
    std::abort();
}

} // namespace detail
} // namespace headscope
