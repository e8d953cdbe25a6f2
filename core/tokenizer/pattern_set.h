// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/ending_pieces.h"
#include "core/tokenizer/models/piece_trie.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Strings to be found in a text. Of several that begin at one place the longest counts; of two equal ones
/// the first. Immutable.
class PatternSet {
  public:
    struct Pattern {
        std::string text;
        std::int64_t value = 0;
    };
    struct Match {
        std::size_t end = 0; ///< byte behind the match
        std::int64_t value = 0;

        friend bool operator==(const Match&, const Match&) = default;
    };

    PatternSet() = default;
    explicit PatternSet(std::span<const Pattern> patterns);

    bool empty() const { return !m_empty && m_entries.empty(); }

    /// One walk over a text, in time linear in it, however long and alike the patterns are.
    class Search {
      public:
        /// Both must outlive the search.
        Search(const PatternSet& set, std::string_view text);

        /// The longest pattern that begins at byte `at` (at most text.size()); an empty one matches
        /// everywhere. `at` must not be less than in the call before.
        std::optional<Match> longestAt(std::size_t at);

      private:
        struct Found {
            std::uint32_t begin;
            std::uint32_t entry;
        };

        std::uint32_t entryAt(std::size_t at);

        const PatternSet& m_set;
        std::string_view m_text;
        std::vector<Found> m_found; ///< in a set of long patterns: the first one last
    };

  private:
    /// Patterns up to this are compared with the text at every place where their first byte stands.
    static constexpr std::size_t kShort = 64;

    struct Entry {
        std::size_t bytes;
        std::int64_t value;
    };

    std::vector<Entry> m_entries;
    std::optional<std::int64_t> m_empty;             ///< value of the empty pattern
    std::shared_ptr<const PieceTrie> m_short;        ///< where all are short
    std::shared_ptr<const EndingPieces> m_backwards; ///< else: the patterns, each from its end
};

} // namespace headscope
