// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/similarity.h"
#include "tests/core/diagnosis/compared_heads.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace headscope {
namespace {

using test::causalMask;
using test::fullMask;
using test::HeadSet;
using test::masksOfEveryKind;
using test::mixedHeads;
using test::NamedMask;
using test::noiseScores;
using test::onesFrom;
using test::PairDefinition;
using test::ScoreFunction;

/// Of a causal head: key 0 takes `mass` of every row but the first, `content` shares the rest out.
ScoreFunction onSink(const ScoreFunction& content, double mass) {
    return [=](std::int64_t i, std::int64_t j) {
        if (j > 0) return content(i, j);
        double rest = 0.0;
        for (std::int64_t key = 1; key <= i; ++key) rest += std::exp(content(i, key));
        return i > 0 ? std::log(rest * mass / (1.0 - mass)) : 0.0;
    };
}

double even(std::int64_t, std::int64_t) {
    return 0.0;
}

void expectAsDefined(const PairSimilarity& pair, const PairDefinition& defined) {
    EXPECT_EQ(pair.rows, defined.rows);
    EXPECT_NEAR(pair.divergence, defined.divergence, 1e-13);
    EXPECT_NEAR(pair.firstKl, defined.firstKl, 1e-12);
    EXPECT_NEAR(pair.secondKl, defined.secondKl, 1e-12);
    EXPECT_EQ(pair.fullRows, defined.fullRows);
    EXPECT_NEAR(pair.fullDivergence, defined.fullDivergence, 1e-13);
}

TEST(Similarity, RowsByHand) {
    // Eight keys: one has 1/2, the others 1/14. Which one goes round with the row, so that none is a sink;
    // in the second head it is the next one.
    HeadSet set(fullMask(32, 8), false);
    set.add([](std::int64_t i, std::int64_t j) { return j == i % 8 ? std::log(7.0) : 0.0; });
    set.add([](std::int64_t i, std::int64_t j) { return j == (i + 1) % 8 ? std::log(7.0) : 0.0; });
    const PairSimilarity pair = set.pair(0, 1);
    EXPECT_EQ(pair.rows, 32);
    EXPECT_EQ(pair.fullRows, 32);
    // Both keys have 2/7 in the mean of the two heads.
    const double divergence = std::log(1.75) / 2.0 - std::log(4.0) / 14.0;
    EXPECT_NEAR(pair.divergence, divergence, 1e-7);
    EXPECT_NEAR(pair.fullDivergence, divergence, 1e-7);
    const double entropy = std::log(2.0) / 2.0 + std::log(14.0) / 2.0;
    EXPECT_NEAR(pair.firstKl, std::log(8.0) - entropy, 1e-7);
    EXPECT_NEAR(pair.secondKl, std::log(8.0) - entropy, 1e-7);
}

TEST(Similarity, SinkOfEitherHeadIsLeftOutOfBoth) {
    // As above, but always the same key: two sinks. Of both heads 6/14 is left, and even.
    HeadSet set(fullMask(20, 8), false);
    set.add([](std::int64_t, std::int64_t j) { return j == 2 ? std::log(7.0) : 0.0; });
    set.add([](std::int64_t, std::int64_t j) { return j == 5 ? std::log(7.0) : 0.0; });
    const PairSimilarity pair = set.pair(0, 1);
    EXPECT_EQ(pair.rows, 20);
    EXPECT_NEAR(pair.divergence, 0.0, 1e-14);
    EXPECT_NEAR(pair.firstKl, 0.0, 1e-7);
    EXPECT_NEAR(pair.fullDivergence, std::log(1.75) / 2.0 - std::log(4.0) / 14.0, 1e-7);
    EXPECT_FALSE(pair.isRedundant()) << "an even rest tells nothing";
}

TEST(Similarity, HeadsWithoutACommonKeyAreLn2Apart) {
    HeadSet set(fullMask(40, 40), false);
    set.add([](std::int64_t i, std::int64_t j) { return j == i ? 0.0 : -200.0; });
    set.add([](std::int64_t i, std::int64_t j) { return j == (i + 7) % 40 ? 0.0 : -200.0; });
    const PairSimilarity pair = set.pair(0, 1);
    EXPECT_NEAR(pair.divergence, std::numbers::ln2, 1e-14);
    EXPECT_LE(pair.divergence, std::numbers::ln2);
    EXPECT_NEAR(pair.firstKl, std::log(40.0), 1e-12);
}

TEST(Similarity, EqualsTheDefinitionUnderEveryMask) {
    int tested = 0;
    for (const NamedMask& named : masksOfEveryKind())
        for (unsigned seed = 1; seed <= 3; ++seed) {
            const HeadSet set = mixedHeads(named, seed, 6);
            for (std::size_t a = 0; a < set.heads.size(); ++a)
                for (std::size_t b = a + 1; b < set.heads.size(); ++b) {
                    SCOPED_TRACE(named.name + ", seed " + std::to_string(seed) + ", heads " +
                                 std::to_string(a) + " and " + std::to_string(b));
                    const PairSimilarity pair = set.pair(a, b);
                    tested += pair.isTested() ? 1 : 0;
                    expectAsDefined(pair, PairDefinition(set, a, b));
                }
        }
    EXPECT_GT(tested, 300);
}

TEST(Similarity, ExactCopyIsExactlyNothingApart) {
    HeadSet set(causalMask(97));
    const ScoreFunction content = noiseScores(2.0, 97, 97);
    set.add(content);
    set.add(content);
    // As rotated q and k leave it in float.
    const ScoreFunction rounding = noiseScores(2e-6, 97, 97, 8);
    set.add([=](std::int64_t i, std::int64_t j) { return content(i, j) + rounding(i, j); });
    const PairSimilarity copy = set.pair(0, 1);
    EXPECT_EQ(copy.divergence, 0.0);
    EXPECT_EQ(copy.fullDivergence, 0.0);
    EXPECT_EQ(copy.firstKl, copy.secondKl);
    EXPECT_TRUE(copy.isRedundant() && copy.isIdentical());
    const PairSimilarity rotated = set.pair(0, 2);
    EXPECT_GT(rotated.divergence, 0.0);
    EXPECT_LT(rotated.divergence, 1e-11);
    EXPECT_TRUE(rotated.isRedundant() && rotated.isIdentical());
}

TEST(Similarity, NearCopyIsRedundantButNotIdentical) {
    HeadSet set(causalMask(97));
    const ScoreFunction content = noiseScores(2.0, 97, 97);
    const ScoreFunction other = noiseScores(0.15, 97, 97, 8);
    set.add(content);
    set.add([=](std::int64_t i, std::int64_t j) { return content(i, j) + other(i, j); });
    const PairSimilarity pair = set.pair(0, 1);
    EXPECT_GT(pair.divergence, PairSimilarity::kIdentical);
    EXPECT_LT(pair.divergence, PairSimilarity::kRedundant);
    EXPECT_TRUE(pair.isRedundant());
    EXPECT_FALSE(pair.isIdentical());
}

TEST(Similarity, SinksWithDifferentContentOnlyLookAlike) {
    HeadSet set(causalMask(97));
    set.add(onSink(noiseScores(2.0, 97, 97, 1), 0.75));
    set.add(onSink(noiseScores(2.0, 97, 97, 2), 0.75));
    const PairSimilarity pair = set.pair(0, 1);
    EXPECT_EQ(pair.rows, 90);
    EXPECT_NEAR(pair.divergence, 0.435, 0.035);
    EXPECT_NEAR(pair.fullDivergence, pair.divergence / 4.0, 1e-6) << "the sink agrees with itself";
    EXPECT_FALSE(pair.isRedundant());
}

TEST(Similarity, StrongSinksLeaveTooLittleToCompare) {
    HeadSet set(causalMask(97));
    set.add(onSink(noiseScores(1.0, 97, 97, 1), 0.9));
    set.add(onSink(noiseScores(1.0, 97, 97, 1), 0.9));
    const PairSimilarity pair = set.pair(0, 1);
    EXPECT_EQ(pair.rows, 0);
    EXPECT_EQ(pair.fullRows, 90);
    EXPECT_FALSE(pair.isTested() || pair.isRedundant() || pair.isIdentical());
}

TEST(Similarity, SameContentBehindASinkOfOneHeadIsFound) {
    HeadSet set(causalMask(97));
    const ScoreFunction content = noiseScores(2.0, 97, 97, 1);
    set.add(content);
    set.add(onSink(content, 0.75));
    const PairSimilarity pair = set.pair(0, 1);
    EXPECT_NEAR(pair.fullDivergence, 0.38, 0.06);
    EXPECT_LT(pair.divergence, 1e-12);
    EXPECT_TRUE(pair.isRedundant());
    EXPECT_EQ(set.pairs(PairSimilarity::kRedundant).size(), 1U) << "whole maps would hide the pair";
}

TEST(Similarity, TwoEvenHeadsAreNotRedundant) {
    HeadSet set(causalMask(97));
    set.add(even);
    set.add(even);
    set.add(noiseScores(2.0, 97, 97));
    const PairSimilarity pair = set.pair(0, 1);
    EXPECT_EQ(pair.divergence, 0.0);
    EXPECT_NEAR(pair.firstKl, 0.0, 1e-12);
    EXPECT_TRUE(pair.isIdentical());
    EXPECT_FALSE(pair.isRedundant());
    EXPECT_NEAR(set.pair(0, 2).firstKl, 0.0, 1e-12);
    EXPECT_GT(set.pair(0, 2).secondKl, 1.0);
}

TEST(Similarity, BothRestsMustTellSomething) {
    PairSimilarity pair;
    pair.rows = 16;
    pair.divergence = 0.02;
    pair.firstKl = 0.25;
    pair.secondKl = 0.25;
    EXPECT_TRUE(pair.isRedundant());
    PairSimilarity few = pair;
    few.rows = 15;
    EXPECT_FALSE(few.isRedundant());
    PairSimilarity far = pair;
    far.divergence = std::nextafter(0.02, 1.0);
    EXPECT_FALSE(far.isRedundant());
    PairSimilarity flat = pair;
    flat.firstKl = std::nextafter(0.25, 0.0);
    EXPECT_FALSE(flat.isRedundant());
    std::swap(flat.firstKl, flat.secondKl);
    EXPECT_FALSE(flat.isRedundant());
}

TEST(Similarity, SixteenRowsAreNeeded) {
    const auto rows = [](std::int64_t queries) {
        HeadSet set(fullMask(queries, 12), false);
        set.add(noiseScores(1.0, 12, queries, 1));
        set.add(noiseScores(1.0, 12, queries, 1));
        EXPECT_EQ(set.pair(0, 1).rows, queries);
        return set.pair(0, 1).isTested();
    };
    EXPECT_FALSE(rows(15));
    EXPECT_TRUE(rows(16));
}

TEST(Similarity, EachHeadMustKeepAFifth) {
    // The sink's share of every row, the nineteen other keys even.
    const auto pairOf = [](double share, double otherShare) {
        HeadSet set(fullMask(40, 20), false);
        for (const double mass : {share, otherShare})
            set.add([=](std::int64_t, std::int64_t j) {
                return j == 3 ? std::log(19.0 * mass / (1.0 - mass)) : 0.0;
            });
        return set.pair(0, 1);
    };
    EXPECT_EQ(pairOf(0.799, 0.5).rows, 40);
    EXPECT_EQ(pairOf(0.801, 0.5).rows, 0);
    EXPECT_EQ(pairOf(0.5, 0.801).rows, 0);
    EXPECT_EQ(pairOf(0.801, 0.801).fullRows, 40);
}

TEST(Similarity, WhatALearnedSinkTakesIsNotKept) {
    const auto pairOf = [](double learned) {
        HeadSet set(causalMask(97));
        set.add(noiseScores(1.0, 97, 97, 1), learned);
        set.add(noiseScores(1.0, 97, 97, 1));
        return set.pair(0, 1);
    };
    const PairSimilarity weak = pairOf(1.0);
    EXPECT_EQ(weak.rows, 90);
    EXPECT_LT(weak.divergence, 1e-12) << "rows are divided by what it left";
    EXPECT_LT(weak.fullDivergence, 1e-12);
    EXPECT_EQ(pairOf(9.0).rows, 0);
    EXPECT_EQ(pairOf(9.0).fullRows, 90);
    EXPECT_EQ(pairOf(300.0).fullRows, 0) << "nothing is left to compare";
    EXPECT_EQ(pairOf(300.0).fullDivergence, 0.0);
}

TEST(Similarity, FourKeysMustBeLeft) {
    // The first 20 rows see keys 0 to 7, the other 40 see 4 to 15. Keys 0 to 3 are sinks, two of each head;
    // key 4 becomes one by the other rows alone, and then the first rows keep three keys.
    MaskRule mask = fullMask(60, 16);
    const auto cells = std::make_shared<std::vector<std::uint8_t>>();
    for (std::int64_t i = 0; i < 60; ++i)
        for (std::int64_t j = 0; j < 16; ++j) cells->push_back((i < 20 ? j < 8 : j >= 4) ? 1 : 0);
    mask.allowed = cells;
    const auto rows = [&](double score) {
        HeadSet set(mask, false);
        const auto early = [](std::int64_t j, std::int64_t firstSink) {
            return j == firstSink || j == firstSink + 1 ? 2.5 : j == 5 ? std::log(6.0) : 0.0;
        };
        set.add([=](std::int64_t i, std::int64_t j) { return i < 20 ? early(j, 0) : j == 4 ? score : 0.0; });
        set.add([=](std::int64_t i, std::int64_t j) { return i < 20 ? early(j, 2) : 0.0; });
        expectAsDefined(set.pair(0, 1), PairDefinition(set, 0, 1));
        return set.pair(0, 1).rows;
    };
    EXPECT_EQ(rows(0.0), 60);
    EXPECT_EQ(rows(2.6), 40);
}

TEST(Similarity, IsSymmetricToTheBit) {
    const NamedMask named{"causal", causalMask(70)};
    HeadSet set = mixedHeads(named, 3, 6);
    std::vector<ComparedHead> reversed(set.compared.rbegin(), set.compared.rend());
    for (std::size_t a = 0; a < 6; ++a)
        for (std::size_t b = 0; b < 6; ++b) {
            if (a == b) continue;
            const PairSimilarity there = set.pair(a, b);
            const PairSimilarity back = comparePair(reversed, 5 - a, 5 - b, set.mask);
            EXPECT_EQ(there.first, std::min(a, b));
            EXPECT_EQ(there.second, std::max(a, b));
            EXPECT_EQ(back.first, std::min(5 - a, 5 - b));
            EXPECT_EQ(there.rows, back.rows);
            EXPECT_EQ(there.divergence, back.divergence);
            EXPECT_EQ(there.fullDivergence, back.fullDivergence);
            EXPECT_EQ(there.firstKl, back.secondKl);
            EXPECT_EQ(there.secondKl, back.firstKl);
        }
}

TEST(Similarity, PaddingOnEitherSideChangesNoBit) {
    const ScoreFunction contents[] = {noiseScores(1.5, 60, 60, 1), onSink(noiseScores(1.5, 60, 60, 2), 0.6)};
    const auto pairOf = [&](std::int64_t before, std::int64_t after) {
        MaskRule mask = causalMask(60 + before + after);
        mask.keyAllowed = mask.queryAllowed = onesFrom(before, 60 + before, mask.keys);
        HeadSet set(mask);
        for (const ScoreFunction& content : contents)
            set.add([=](std::int64_t i, std::int64_t j) {
                return i < before || i >= before + 60 ? 0.0 : content(i - before, j - before);
            });
        return set.pair(0, 1);
    };
    const PairSimilarity bare = pairOf(0, 0);
    EXPECT_EQ(bare.rows, 53);
    for (const auto& [before, after] : {std::pair{0, 9}, std::pair{13, 0}, std::pair{70, 70}}) {
        const PairSimilarity padded = pairOf(before, after);
        EXPECT_EQ(padded.rows, bare.rows);
        EXPECT_EQ(padded.divergence, bare.divergence);
        EXPECT_EQ(padded.firstKl, bare.firstKl);
        EXPECT_EQ(padded.secondKl, bare.secondKl);
        EXPECT_EQ(padded.fullDivergence, bare.fullDivergence);
    }
}

TEST(Similarity, TextTooShortForAnyRowTestsNothing) {
    for (const std::int64_t tokens : {1, 2, 7}) {
        HeadSet set(causalMask(tokens));
        set.add(even);
        set.add(even);
        const PairSimilarity pair = set.pair(0, 1);
        EXPECT_EQ(pair.rows, 0);
        EXPECT_EQ(pair.fullRows, 0);
        EXPECT_FALSE(pair.isTested());
        EXPECT_TRUE(set.pairs(1.0).empty());
    }
}

} // namespace
} // namespace headscope
