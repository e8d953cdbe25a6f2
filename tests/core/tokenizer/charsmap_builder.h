// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace headscope::test {

/// Writes a charsmap from rules, each string of the trie at the first place that is free.
class CharsmapBuilder {
  public:
    explicit CharsmapBuilder(const std::map<std::string, std::string>& rules) {
        for (const auto& [from, to] : rules) {
            m_values[from] = static_cast<std::uint32_t>(m_texts.size());
            m_texts += to + '\0';
            for (std::size_t i = 0; i < from.size(); ++i)
                m_children[from.substr(0, i)].insert(static_cast<unsigned char>(from[i]));
            m_children[from].insert(0); // the value
        }
        place("", 0, 0);
    }

    std::string bytes() const {
        const std::uint32_t units = (m_units.rbegin()->first | 0xff) + 1;
        std::string result = littleEndian(4 * units);
        for (std::uint32_t at = 0; at < units; ++at) {
            const auto unit = m_units.find(at);
            result += littleEndian(unit == m_units.end() ? 0 : unit->second);
        }
        return result + m_texts;
    }

    static std::string littleEndian(std::uint32_t value) {
        std::string bytes;
        for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
        return bytes;
    }

  private:
    void place(const std::string& prefix, std::uint32_t at, std::uint32_t label) {
        const std::set<std::uint32_t>& labels = m_children[prefix];
        std::uint32_t base = 1;
        const auto isFree = [&] {
            for (const std::uint32_t c : labels)
                if ((base ^ c) == 0 || m_units.contains(base ^ c)) return false;
            return !m_bases.contains(base);
        };
        while (!isFree()) ++base;
        m_bases.insert(base);
        for (const std::uint32_t c : labels) m_units[base ^ c] = 0;
        m_units[at] = (at ^ base) << 10 | (labels.contains(0) ? 0x100U : 0U) | label;
        for (const std::uint32_t c : labels) {
            if (c == 0)
                m_units[base] = 0x80000000U | m_values.at(prefix);
            else
                place(prefix + static_cast<char>(c), base ^ c, c);
        }
    }

    std::map<std::string, std::uint32_t> m_values;
    std::map<std::string, std::set<std::uint32_t>> m_children;
    std::string m_texts;
    std::map<std::uint32_t, std::uint32_t> m_units;
    std::set<std::uint32_t> m_bases;
};

} // namespace headscope::test
