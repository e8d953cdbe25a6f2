// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/normalizers/charsmap.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/tokenizer/code_point.h"

#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

std::uint32_t readLittleEndian(std::string_view bytes, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

/// Distance from a unit to where its children are counted from.
std::uint32_t childOffset(std::uint32_t unit) {
    return unit >> 10 << ((unit & 0x200) >> 6);
}

} // namespace

Charsmap::Charsmap(std::string_view bytes, std::string subject) : m_subject(std::move(subject)) {
    const std::size_t available = bytes.size() < 4 ? 0 : (bytes.size() - 4) / 4;
    const std::size_t units = bytes.size() < 4 ? 1 : readLittleEndian(bytes, 0) / 4;
    if (units > available)
        fail(m_subject, fmt::format("{} bytes", bytes.size()),
             bytes.size() < 4 ? "expected at least 4" : fmt::format("expected a trie of {}", 4 * units));
    m_units.resize(units);
    for (std::size_t i = 0; i < units; ++i) m_units[i] = readLittleEndian(bytes, 4 + 4 * i);
    m_replacements = bytes.substr(4 + 4 * units);
    requireUtf8(m_replacements, m_subject);
}

template <typename Found>
void Charsmap::walk(std::string_view text, Found found) const {
    std::uint32_t at = childOffset(unit(0));
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::uint32_t label = static_cast<unsigned char>(text[i]);
        if (label == 0) break;
        at ^= label;
        const std::uint32_t child = unit(at);
        if ((child & 0x800000ffU) != label) break;
        at ^= childOffset(child);
        const bool isLeaf = (child & 0x100) != 0;
        if (isLeaf) found(i + 1, unit(at) & 0x7fffffffU);
    }
}

std::string_view Charsmap::replacementAt(std::uint32_t value) const {
    if (value > m_replacements.size()) refuse();
    if (value < m_replacements.size() && isContinuationByte(m_replacements[value])) refuse();
    const std::string_view rest = std::string_view(m_replacements).substr(value);
    return rest.substr(0, rest.find('\0'));
}

std::optional<std::string_view> Charsmap::replacement(std::string_view chunk) const {
    std::optional<std::uint32_t> shortest;
    // The walk goes on as in the library, which stops where the table leads outside.
    walk(chunk, [&](std::size_t, std::uint32_t value) { shortest = shortest.value_or(value); });
    return shortest ? std::optional(replacementAt(*shortest)) : std::nullopt;
}

std::optional<Charsmap::Rule> Charsmap::longestRule(std::string_view text) const {
    std::optional<std::uint32_t> longest;
    Rule rule;
    walk(text, [&](std::size_t bytes, std::uint32_t value) {
        longest = value;
        rule.bytes = bytes;
    });
    if (!longest) return std::nullopt;
    rule.replacement = replacementAt(*longest);
    return rule;
}

std::uint32_t Charsmap::unit(std::uint32_t at) const {
    if (at >= m_units.size()) refuse();
    return m_units[at];
}

void Charsmap::refuse() const {
    fail(m_subject, "a table that leads outside itself", {},
         "the file is damaged: fetch it again, or give the text as token ids with --ids");
}

} // namespace headscope
