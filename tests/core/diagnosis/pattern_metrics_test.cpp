// SPDX-License-Identifier: GPL-3.0-or-later
// Offsets, token classes, matches and segments: by hand, and against their definitions written out over whole
// maps in double, for masks and texts of every kind.
#include "core/diagnosis/metrics.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace headscope::test {
namespace {

/// Pieces by letters: "." and "," are punctuation, "|" a separator, "/" a line break, others content.
TokenFacts factsOf(const std::string& pieces) {
    Axis axis;
    for (const char c : pieces) {
        AxisEntry entry;
        entry.piece = c == '/' ? "\n" : std::string(1, c);
        entry.special = c == '|';
        entry.text = entry.special ? -1 : 0;
        axis.entries.push_back(entry);
    }
    return tokenFacts(axis);
}

/// The definitions, over all of R.
class Definition {
  public:
    using KeySet = std::function<bool(std::int64_t query, std::int64_t key)>;

    Definition(const SyntheticHead& head, const TokenFacts& facts) : m_head(head), m_facts(facts) {
        for (std::int64_t i = 0; i < head.mask.queries; ++i)
            if (head.mask.isRealQuery(i) && head.mask.visibleCount(i) >= 8) m_rows.push_back(i);
    }

    const std::vector<std::int64_t>& rows() const { return m_rows; }
    double weight(std::int64_t i, std::int64_t j) const {
        return static_cast<double>(m_head.weights[static_cast<std::size_t>(i * m_head.mask.keys + j)]);
    }
    std::vector<std::int64_t> visibleIn(std::int64_t i, const KeySet& set) const {
        std::vector<std::int64_t> keys;
        for (std::int64_t j = 0; j < m_head.mask.keys; ++j)
            if (m_head.mask.visible(i, j) && set(i, j)) keys.push_back(j);
        return keys;
    }
    double massOn(std::int64_t i, const std::vector<std::int64_t>& keys) const {
        double sum = 0.0;
        for (const std::int64_t j : keys) sum += weight(i, j);
        return sum;
    }
    SetMass mass(const KeySet& set) const {
        SetMass result;
        for (const std::int64_t i : m_rows) {
            const auto keys = visibleIn(i, set);
            if (keys.empty()) continue;
            ++result.rows;
            result.mass += massOn(i, keys);
            result.chance +=
                static_cast<double>(keys.size()) / static_cast<double>(m_head.mask.visibleCount(i));
        }
        if (result.rows > 0) {
            result.mass /= static_cast<double>(result.rows);
            result.chance /= static_cast<double>(result.rows);
        }
        return result;
    }
    /// Each token type counts once.
    SetMass massByType(const KeySet& set, std::int64_t& types) const {
        std::map<std::int32_t, SetMass> byType;
        SetMass result;
        for (const std::int64_t i : m_rows) {
            const auto keys = visibleIn(i, set);
            if (keys.empty()) continue;
            SetMass& one = byType[m_facts.types[static_cast<std::size_t>(i)]];
            ++one.rows;
            ++result.rows;
            one.mass += massOn(i, keys);
            one.chance += static_cast<double>(keys.size()) / static_cast<double>(m_head.mask.visibleCount(i));
        }
        for (const auto& [type, one] : byType) {
            result.mass += one.mass / static_cast<double>(one.rows) / static_cast<double>(byType.size());
            result.chance += one.chance / static_cast<double>(one.rows) / static_cast<double>(byType.size());
        }
        types = static_cast<std::int64_t>(byType.size());
        return result;
    }
    bool isContent(std::int64_t i) const {
        return m_facts.classes[static_cast<std::size_t>(i)] == TokenClass::Content;
    }
    bool sameType(std::int64_t i, std::int64_t j) const {
        return m_facts.types[static_cast<std::size_t>(i)] == m_facts.types[static_cast<std::size_t>(j)];
    }
    bool sameSegment(std::int64_t i, std::int64_t j) const {
        return m_facts.segments[static_cast<std::size_t>(i)] == m_facts.segments[static_cast<std::size_t>(j)];
    }

  private:
    const SyntheticHead& m_head;
    const TokenFacts& m_facts;
    std::vector<std::int64_t> m_rows;
};

void expectEqual(const SetMass& found, const SetMass& expected, const std::string& what) {
    EXPECT_EQ(found.rows, expected.rows) << what;
    EXPECT_NEAR(found.mass, expected.mass, 2e-6) << what;
    EXPECT_NEAR(found.chance, expected.chance, 1e-12) << what;
}

void expectDefinition(const SyntheticHead& head, const TokenFacts& facts) {
    const HeadMetrics metrics = head.metrics(true, 7, &facts);
    const Definition by(head, facts);
    const OffsetMetrics& offsets = *metrics.offsets;
    const auto distance = [](std::int64_t i, std::int64_t j) { return std::llabs(j - i); };
    expectEqual(offsets.previous, by.mass([](auto i, auto j) { return j == i - 1; }), "previous");
    expectEqual(offsets.next, by.mass([](auto i, auto j) { return j == i + 1; }), "next");
    expectEqual(offsets.self, by.mass([](auto i, auto j) { return j == i; }), "self");
    expectEqual(offsets.local, by.mass([&](auto i, auto j) { return distance(i, j) <= 8; }), "local");

    std::map<std::int64_t, double> massAt;
    double meanDistance = 0.0;
    double evenDistance = 0.0;
    const auto rows = static_cast<double>(by.rows().size());
    for (const std::int64_t i : by.rows())
        for (const std::int64_t j : by.visibleIn(i, [](auto, auto) { return true; })) {
            massAt[j - i] += by.weight(i, j) / rows;
            meanDistance += by.weight(i, j) * static_cast<double>(distance(i, j)) / rows;
            evenDistance +=
                static_cast<double>(distance(i, j)) / static_cast<double>(head.mask.visibleCount(i)) / rows;
        }
    EXPECT_NEAR(offsets.meanDistance, meanDistance, 1e-5 * (1.0 + meanDistance));
    EXPECT_NEAR(offsets.evenDistance, evenDistance, 1e-9 * (1.0 + evenDistance));
    double total = 0.0;
    std::int64_t next = offsets.histogram.front().first;
    for (const OffsetMetrics::Bin& bin : offsets.histogram) {
        EXPECT_EQ(bin.first, next) << "bins leave no gap";
        next = bin.last + 1;
        double expected = 0.0;
        for (std::int64_t delta = bin.first; delta <= bin.last; ++delta)
            if (const auto found = massAt.find(delta); found != massAt.end()) expected += found->second;
        EXPECT_NEAR(bin.mass, expected, 2e-6) << bin.first;
        total += bin.mass;
    }
    EXPECT_NEAR(total, rows > 0 ? 1.0 : 0.0, 1e-5);

    const TokenMetrics& tokens = *metrics.tokens;
    for (const TokenClass tokenClass : {TokenClass::Start, TokenClass::Separator, TokenClass::Punctuation,
                                        TokenClass::Newline, TokenClass::Content}) {
        const auto ofClass = [&](std::int64_t i, std::int64_t j) {
            return j != i && facts.classes[static_cast<std::size_t>(j)] == tokenClass;
        };
        expectEqual(tokens.of(tokenClass), by.mass(ofClass), std::string(nameOf(tokenClass)));
        if (tokenClass == TokenClass::Content) continue;
        double mass = 0.0;
        std::int64_t count = 0;
        for (const std::int64_t i : by.rows())
            if (const auto keys = by.visibleIn(i, ofClass); keys.size() >= 2) {
                ++count;
                mass += by.massOn(i, keys);
            }
        EXPECT_EQ(tokens.of(tokenClass).rowsWithTwo, count);
        EXPECT_NEAR(tokens.of(tokenClass).massWithTwo, count > 0 ? mass / static_cast<double>(count) : 0.0,
                    2e-6);
    }
    std::int64_t types = 0;
    expectEqual(tokens.duplicate,
                by.massByType(
                    [&](auto i, auto j) {
                        return by.isContent(i) && by.isContent(j) && by.sameType(i, j) && distance(i, j) >= 2;
                    },
                    types),
                "duplicate");
    EXPECT_EQ(tokens.duplicate.types, types);
    expectEqual(
        tokens.induction,
        by.massByType(
            [&](auto i, auto j) { return by.isContent(i) && j >= 1 && j <= i - 2 && by.sameType(i, j - 1); },
            types),
        "induction");
    EXPECT_EQ(tokens.induction.types, types);

    SetMass segment;
    double near = 0.0;
    double nearChance = 0.0;
    for (const std::int64_t i : by.rows()) {
        const auto inside = by.visibleIn(i, [&](auto a, auto b) { return by.sameSegment(a, b); });
        const auto visible = head.mask.visibleCount(i);
        if (inside.empty() || static_cast<std::int64_t>(inside.size()) == visible) continue;
        ++segment.rows;
        segment.mass += by.massOn(i, inside);
        segment.chance += static_cast<double>(inside.size()) / static_cast<double>(visible);
        near += by.massOn(i, by.visibleIn(i, [&](auto a, auto b) { return distance(a, b) <= 8; }));
        nearChance += static_cast<double>(std::count_if(inside.begin(), inside.end(),
                                                        [&](auto j) { return distance(i, j) <= 8; })) /
                      static_cast<double>(inside.size());
    }
    if (segment.rows > 0) {
        const auto count = static_cast<double>(segment.rows);
        segment.mass /= count;
        segment.chance /= count;
        EXPECT_NEAR(tokens.segment.nearMass, near / count, 2e-6);
        EXPECT_NEAR(tokens.segment.nearChance, nearChance / count, 1e-12);
    }
    expectEqual(tokens.segment, segment, "segment");
}

std::string randomText(std::int64_t tokens, unsigned seed) {
    std::mt19937 engine(seed);
    const std::string letters = "aabbcdefgh..,|/xyz";
    std::string text;
    for (std::int64_t i = 0; i < tokens; ++i) text += letters[engine() % letters.size()];
    return text;
}

TEST(PatternMetrics, EqualTheirDefinitionsUnderEveryMask) {
    unsigned seed = 1;
    for (const std::int64_t tokens : {1, 7, 8, 33, 97, 300}) {
        std::vector<MaskRule> masks{fullMask(tokens, tokens), causalMask(tokens)};
        masks.push_back(masks[1]);
        masks.back().window = std::max<std::int64_t>(1, tokens / 3);
        masks.push_back(masks[0]);
        masks.back().window = 12;
        for (const bool left : {false, true}) { // padding
            masks.push_back(masks[left ? 1 : 0]);
            MaskRule& padded = masks.back();
            padded.keyAllowed.assign(static_cast<std::size_t>(tokens), 1);
            for (std::int64_t i = 0; i < tokens / 4; ++i)
                padded.keyAllowed[static_cast<std::size_t>(left ? i : tokens - 1 - i)] = 0;
            padded.queryAllowed = padded.keyAllowed;
        }
        for (const MaskRule& mask : masks) {
            const SyntheticHead head(mask, noiseScores(3.0, tokens, tokens, ++seed));
            const std::string text = randomText(tokens, seed);
            SCOPED_TRACE(fmt::format("{} tokens, seed {}", tokens, seed));
            expectDefinition(head, factsOf(text));
        }
    }
}

TEST(PatternMetrics, ALearnedSinkTakesItsShareOfEveryMass) {
    const SyntheticHead head(causalMask(80), noiseScores(2.0, 80, 80), 3.0);
    const TokenFacts facts = factsOf(randomText(80, 5));
    const HeadMetrics metrics = head.metrics(true, 16, &facts);
    double total = 0.0;
    for (const OffsetMetrics::Bin& bin : metrics.offsets->histogram) total += bin.mass;
    EXPECT_NEAR(total, 1.0 - metrics.sinkWeight, 1e-6);
    EXPECT_LT(total, 0.9);
}

TEST(PatternMetrics, TheModeIsTheOffsetOfMostArgmaxes) {
    // Three back where that exists, itself before.
    const auto threeBack = [](std::int64_t i, std::int64_t j) {
        return j == std::max<std::int64_t>(i - 3, 0) ? 9.0 : 0.0;
    };
    const OffsetMetrics offsets = *SyntheticHead(causalMask(60), threeBack).metrics().offsets;
    ASSERT_TRUE(offsets.mode.has_value());
    EXPECT_EQ(offsets.mode->offset, -3);
    EXPECT_EQ(offsets.mode->rows, 53); // rows 7..59 of R
    EXPECT_DOUBLE_EQ(offsets.mode->share, 1.0);
    EXPECT_DOUBLE_EQ(offsets.previousShare, 0.0);
    // Ties: the nearer one, then the earlier one.
    const auto bothSides = [](std::int64_t i, std::int64_t j) {
        return (i % 2 == 0 ? j == i - 1 : j == i + 1) ? 9.0 : 0.0;
    };
    EXPECT_EQ(SyntheticHead(fullMask(61, 61), bothSides).metrics().offsets->mode->offset, -1);
    // A narrow window leaves too few rows that see far enough.
    EXPECT_FALSE(SyntheticHead(causalMask(20), threeBack).metrics().offsets->mode.has_value());
}

TEST(PatternMetrics, MatchesAtOneOffsetAreSeenToBeSo) {
    std::string period; // ten words again and again
    for (int i = 0; i < 6; ++i) period += "abcdefghij";
    const TokenFacts facts = factsOf(period);
    const auto latest = [&](std::int64_t i, std::int64_t j) { return j == i - 9 ? 20.0 : 0.0; };
    const TokenMetrics tokens = *SyntheticHead(causalMask(60), latest).metrics(true, 16, &facts).tokens;
    EXPECT_EQ(tokens.induction.types, 10);
    EXPECT_DOUBLE_EQ(tokens.induction.commonOffsetShare, 1.0);
    EXPECT_GT(tokens.induction.kappa(), 0.99);
}

TEST(PatternMetrics, EvenHeadsAreAtChance) {
    const TokenFacts facts = factsOf(randomText(200, 9));
    for (const MaskRule& mask : {causalMask(200), fullMask(200, 200)}) {
        const HeadMetrics metrics =
            SyntheticHead(mask, [](auto, auto) { return 0.0; }).metrics(true, 16, &facts);
        for (const SetMass& mass : {metrics.offsets->previous, metrics.offsets->self, metrics.offsets->local,
                                    static_cast<const SetMass&>(metrics.tokens->duplicate),
                                    static_cast<const SetMass&>(metrics.tokens->induction),
                                    static_cast<const SetMass&>(metrics.tokens->segment),
                                    static_cast<const SetMass&>(metrics.tokens->of(TokenClass::Punctuation)),
                                    static_cast<const SetMass&>(metrics.tokens->of(TokenClass::Content))}) {
            EXPECT_GT(mass.rows, 0);
            EXPECT_NEAR(mass.kappa(), 0.0, 2e-6);
        }
        EXPECT_NEAR(metrics.offsets->meanDistance, metrics.offsets->evenDistance, 1e-3);
        EXPECT_DOUBLE_EQ(metrics.saturatedRows, 0.0);
        EXPECT_NEAR(metrics.scoreMaximum.value(), 0.0, 1e-6);
    }
}

TEST(PatternMetrics, CrossAttentionKnowsClassesAlone) {
    const TokenFacts source = factsOf("ab.cd.ef.gh.ij.kl.mn.op|");
    const auto marks = [&](std::int64_t, std::int64_t j) {
        return source.classes[static_cast<std::size_t>(j)] == TokenClass::Punctuation ? 6.0 : 0.0;
    };
    const HeadMetrics metrics = SyntheticHead(fullMask(40, source.size()), marks).metrics(false, 16, &source);
    EXPECT_FALSE(metrics.offsets.has_value());
    EXPECT_EQ(metrics.tokens->duplicate.rows, 0);
    EXPECT_EQ(metrics.tokens->segment.rows, 0);
    EXPECT_EQ(metrics.tokens->of(TokenClass::Punctuation).rows, 40);
    EXPECT_GT(metrics.tokens->of(TokenClass::Punctuation).kappa(), 0.98);
}

TEST(PatternMetrics, SaturatedRowsAndTheLargestScore) {
    const auto oneHot = [](std::int64_t i, std::int64_t j) { return i % 2 == 0 && j == 0 ? 30.0 : 0.5; };
    const HeadMetrics metrics = SyntheticHead(fullMask(40, 40), oneHot).metrics();
    EXPECT_DOUBLE_EQ(metrics.saturatedRows, 0.5);
    EXPECT_NEAR(metrics.scoreMaximum.value(), 30.0, 1e-5);
    // One of 40 scores is 29.5 above the others in every second row: 29.5 sqrt(39) / 40.
    EXPECT_NEAR(metrics.scoreDeviation.value(), 0.5 * 29.5 * std::sqrt(39.0) / 40.0, 1e-9);
    // The sink's own score is none of the map's.
    const HeadMetrics sunk = SyntheticHead(
                                 fullMask(40, 40), [](auto, auto) { return 1.0; }, 12.0)
                                 .metrics();
    EXPECT_NEAR(sunk.scoreMaximum.value(), 1.0, 1e-5);
}

} // namespace
} // namespace headscope::test
