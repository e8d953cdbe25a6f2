// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/maps/score_rule.h"

#include <gtest/gtest.h>
#include <random>

namespace headscope {
namespace {

using Spans = std::vector<Span>;

MaskRule squareMask(std::int64_t size) {
    MaskRule mask;
    mask.queries = size;
    mask.keys = size;
    return mask;
}

Spans spansOf(const MaskRule& mask, std::int64_t query) {
    Spans spans = {{7, 9}}; // must be cleared
    mask.visibleSpans(query, spans);
    return spans;
}

TEST(MaskRule, WithoutRulesEverythingIsVisible) {
    MaskRule mask = squareMask(3);
    mask.queries = 2;
    EXPECT_EQ(spansOf(mask, 0), (Spans{{0, 3}}));
    EXPECT_EQ(spansOf(mask, 1), (Spans{{0, 3}}));
    EXPECT_EQ(mask.visibleCount(1), 3);
}

TEST(MaskRule, CausalSeesItselfAndBefore) {
    MaskRule mask = squareMask(4);
    mask.causal = true;
    EXPECT_EQ(spansOf(mask, 0), (Spans{{0, 1}}));
    EXPECT_EQ(spansOf(mask, 3), (Spans{{0, 4}}));
    EXPECT_EQ(mask.visibleCount(2), 3);
    EXPECT_FALSE(mask.visible(1, 2));
}

TEST(MaskRule, QueryOffsetMovesTheDiagonal) {
    MaskRule mask = squareMask(5);
    mask.queries = 2;
    mask.causal = true;
    mask.queryOffset = 3;
    EXPECT_EQ(spansOf(mask, 0), (Spans{{0, 4}}));
    EXPECT_EQ(spansOf(mask, 1), (Spans{{0, 5}}));
}

TEST(MaskRule, WindowCausalAndBothWays) {
    MaskRule mask = squareMask(6);
    mask.window = 2;
    EXPECT_EQ(spansOf(mask, 0), (Spans{{0, 2}}));
    EXPECT_EQ(spansOf(mask, 3), (Spans{{2, 5}}));
    EXPECT_EQ(spansOf(mask, 5), (Spans{{4, 6}}));
    mask.causal = true;
    EXPECT_EQ(spansOf(mask, 0), (Spans{{0, 1}}));
    EXPECT_EQ(spansOf(mask, 3), (Spans{{2, 4}}));
}

TEST(MaskRule, PaddingSplitsTheRange) {
    MaskRule mask = squareMask(6);
    mask.keyAllowed = {1, 0, 0, 1, 1, 0};
    mask.queryAllowed = {1, 1, 1, 1, 1, 0};
    EXPECT_EQ(spansOf(mask, 2), (Spans{{0, 1}, {3, 5}}));
    EXPECT_EQ(mask.visibleCount(2), 3);
    EXPECT_TRUE(mask.isRealQuery(4));
    EXPECT_FALSE(mask.isRealQuery(5));
}

TEST(MaskRule, ARowMaySeeNothing) {
    MaskRule mask = squareMask(3);
    mask.allowed = std::make_shared<const std::vector<std::uint8_t>>(
        std::vector<std::uint8_t>{1, 0, 1, 0, 0, 0, 1, 1, 1});
    EXPECT_EQ(spansOf(mask, 0), (Spans{{0, 1}, {2, 3}}));
    EXPECT_TRUE(spansOf(mask, 1).empty());
    EXPECT_EQ(mask.visibleCount(1), 0);
    MaskRule beyond = squareMask(3);
    beyond.queries = 8;
    beyond.window = 2; // row 7 looks at keys 6..8, which do not exist
    EXPECT_TRUE(spansOf(beyond, 7).empty());
    EXPECT_EQ(beyond.reach(7).size(), 0);
}

/// Any rule that the struct can say, at random.
MaskRule randomMask(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(n)); };
    MaskRule mask;
    mask.queries = 1 + below(12);
    mask.keys = 1 + below(12);
    mask.causal = below(2) == 0;
    mask.queryOffset = below(2) * below(5);
    if (below(2) == 0) mask.window = 1 + below(8);
    if (below(2) == 0)
        for (std::int64_t k = 0; k < mask.keys; ++k) mask.keyAllowed.push_back(below(3) > 0);
    if (below(2) == 0) {
        std::vector<std::uint8_t> allowed;
        for (std::int64_t c = 0; c < mask.queries * mask.keys; ++c) allowed.push_back(below(3) > 0);
        mask.allowed = std::make_shared<const std::vector<std::uint8_t>>(std::move(allowed));
    }
    return mask;
}

/// The rules as the header states them, cell by cell.
bool visibleByDefinition(const MaskRule& mask, std::int64_t query, std::int64_t key) {
    const std::int64_t position = query + mask.queryOffset;
    if (mask.causal && key > position) return false;
    if (mask.window && mask.causal && key < position - *mask.window + 1) return false;
    if (mask.window && !mask.causal && std::abs(position - key) >= *mask.window) return false;
    if (!mask.keyAllowed.empty() && mask.keyAllowed[static_cast<std::size_t>(key)] == 0) return false;
    return !mask.allowed || (*mask.allowed)[static_cast<std::size_t>(query * mask.keys + key)] != 0;
}

TEST(MaskRule, SpansCountReachAndCellsAgreeWithTheDefinition) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 500; ++trial) {
        const MaskRule mask = randomMask(random);
        mask.check();
        const Span all = mask.reach(Span{0, mask.queries});
        for (std::int64_t query = 0; query < mask.queries; ++query) {
            const Spans spans = spansOf(mask, query);
            std::vector<bool> inSpans(static_cast<std::size_t>(mask.keys), false);
            std::int64_t last = -1;
            for (const Span span : spans) {
                EXPECT_GT(span.begin, last) << "ranges that touch are one range";
                EXPECT_LT(span.begin, span.end);
                last = span.end;
                for (std::int64_t k = span.begin; k < span.end; ++k)
                    inSpans[static_cast<std::size_t>(k)] = true;
            }
            std::int64_t count = 0;
            for (std::int64_t key = 0; key < mask.keys; ++key) {
                const bool expected = visibleByDefinition(mask, query, key);
                EXPECT_EQ(mask.visible(query, key), expected);
                EXPECT_EQ(inSpans[static_cast<std::size_t>(key)], expected);
                if (expected) {
                    EXPECT_TRUE(mask.reach(query).contains(key));
                    EXPECT_TRUE(all.contains(key));
                }
                count += expected;
            }
            EXPECT_EQ(mask.visibleCount(query), count);
        }
    }
}

TEST(MaskRuleDeathTest, CheckNoticesWrongSizes) {
    MaskRule mask = squareMask(3);
    mask.keyAllowed = {1, 1};
    EXPECT_DEATH(mask.check(), "keyAllowed");
    mask = squareMask(3);
    mask.window = 0;
    EXPECT_DEATH(mask.check(), "window");
}

} // namespace
} // namespace headscope
