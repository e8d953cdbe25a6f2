// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headscope {

/// Strings to be found in a text. Of several that begin at one place the longest counts; of two equal ones
/// the first added.
class PatternSet {
  public:
    void add(std::string_view pattern, std::int64_t value);
    bool empty() const { return m_nodes.empty(); }

    struct Match {
        std::size_t end = 0; ///< byte behind the match
        std::int64_t value = 0;
    };
    /// The longest pattern that begins at byte `at` (at most text.size()) of `text`; an empty pattern matches
    /// everywhere.
    std::optional<Match> longestAt(std::string_view text, std::size_t at) const;

  private:
    struct Node {
        bool isEnd = false;
        std::int64_t value = 0;
    };

    static std::uint64_t edge(std::uint32_t node, char byte) {
        return std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
    }

    std::vector<Node> m_nodes; ///< the first is the root
    std::unordered_map<std::uint64_t, std::uint32_t> m_edges;
    std::array<bool, 256> m_firstBytes{}; ///< nearly every place of a text is decided by its first byte
};

} // namespace headscope
