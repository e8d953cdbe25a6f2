// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/row_view.h"
#include "core/diagnosis/token_facts.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace headscope {

/// Mass on the keys of one class, the query's own key left out.
struct ClassMass : SetMass {
    std::int64_t keys = 0;        ///< of the class in the text
    std::int64_t rowsWithTwo = 0; ///< rows of R that see two or more of them
    double massWithTwo = 0.0;     ///< mean mass on the class over these rows; not measured for content
    std::optional<std::int64_t> heaviest; ///< the key of the class that most mass falls on
    double spread = 0.0; ///< mean mass on the class outside its heaviest key, over the rows with two
};

/// Mass on keys that repeat the query's token (or follow a repeat of it): means in which every token type
/// counts once, since else a head that likes the commonest word would pass.
struct MatchMass : SetMass {
    std::int64_t types = 0;         ///< token types of the rows
    double commonOffsetShare = 0.0; ///< share of the rows whose heaviest match lies at the commonest offset
};

/// Mass on the query's own text or sentence, over the rows that see a key outside of it.
struct SegmentMass : SetMass {
    double nearMass = 0.0;   ///< m8: mean mass within 8 positions, same rows
    double nearChance = 0.0; ///< e8: mean share of the visible part of the segment that lies within 8
    /// Local kappa within the segment; 0 where all of a segment is near.
    double nearKappa() const { return nearChance < 1.0 ? (nearMass - nearChance) / (1.0 - nearChance) : 0.0; }
};

/// What one head does with kinds of tokens. Which of them exist depends on the text: rows says how many
/// tested each.
struct TokenMetrics {
    std::array<ClassMass, kTokenClasses> classes; ///< by TokenClass
    MatchMass duplicate; ///< content keys of the query's piece, two or more positions away
    MatchMass
        induction; ///< keys after an earlier occurrence of the query's piece, two or more before the query
    SegmentMass segment;

    const ClassMass& of(TokenClass tokenClass) const { return classes[static_cast<std::size_t>(tokenClass)]; }
};

/// What mask and text decide; shared by the heads of a layer. In cross-attention the facts are those of the
/// keys, and only classes are counted.
class TokenPlan {
  public:
    TokenPlan() = default;
    explicit TokenPlan(TokenFacts facts);
    void addRow(const RowView& row); ///< weights and mode are not read
    /// Whether `key` is in the query's duplicate or induction set, were it visible.
    bool isRepeat(std::int64_t query, std::int64_t key) const;

  private:
    friend class TokenSums;
    struct Trigger {
        std::int64_t members = 0; ///< visible keys that match
        double chance = 0.0;
    };
    struct Matches {
        std::vector<Trigger> rows;        ///< [tokens]; 0 members: none
        std::vector<std::int32_t> ofType; ///< [types], rows that have one
        std::int64_t count = 0;
    };
    /// Calls visit(key) for each visible key that matches, ascending.
    template <typename Visit>
    void duplicatesOf(const RowView& row, const Visit& visit) const;
    template <typename Visit>
    void followersOf(const RowView& row, const Visit& visit) const;
    bool isContent(std::int64_t token) const;
    bool isOwn(const RowView& row, TokenClass tokenClass) const; ///< the query's own key is visible and of it
    Span segmentOf(std::int64_t token) const;
    double weightOf(const Matches& matches, std::int64_t token) const;
    MatchMass matchMass(const Matches& matches, double massSum) const;

    TokenFacts m_facts;
    std::vector<std::vector<std::int64_t>> m_positions; ///< [types], ascending
    std::vector<Span> m_segments;
    std::array<std::vector<std::int64_t>, kTokenClasses> m_ofClass; ///< positions, ascending
    std::array<SetChance, kTokenClasses> m_classChance;
    std::array<std::int64_t, kTokenClasses> m_withTwo{};
    Matches m_duplicate, m_induction;
    SetChance m_segment;
    double m_nearChance = 0.0;
    std::vector<std::uint8_t> m_seesOutside; ///< [tokens]
};

/// What one head gathers.
class TokenSums {
  public:
    void add(const RowView& row, const TokenPlan& plan);
    /// `columnMass` [keys]: mass on each key over all rows of R but its own.
    TokenMetrics result(const TokenPlan& plan, const std::vector<double>& columnMass) const;

  private:
    struct MatchSum {
        double mass = 0.0;
        std::vector<std::int32_t> offsets; ///< [2 * tokens + 1], of the heaviest match of each row
    };
    template <typename VisitKeys>
    static void addMatch(const RowView& row, double weight, std::int64_t tokens, MatchSum& sum,
                         const VisitKeys& visitKeys);

    std::array<double, kTokenClasses> m_class{};
    std::array<double, kTokenClasses> m_classWithTwo{};
    std::vector<double> m_alone; ///< [keys], mass of rows that see no other key of its class
    MatchSum m_duplicate, m_induction;
    double m_segment = 0.0;
    double m_near = 0.0;
};

} // namespace headscope
