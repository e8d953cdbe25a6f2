// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of pairs: nothing may be lost on the way.
#include "core/base/error.h"
#include "core/diagnosis/pair_bound.h"
#include "core/diagnosis/similarity.h"
#include "tests/core/diagnosis/compared_heads.h"

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
using test::PairDefinition;

void expectSame(const PairSimilarity& one, const PairSimilarity& other) {
    EXPECT_EQ(one.first, other.first);
    EXPECT_EQ(one.second, other.second);
    EXPECT_EQ(one.rows, other.rows);
    EXPECT_EQ(one.divergence, other.divergence);
    EXPECT_EQ(one.firstKl, other.firstKl);
    EXPECT_EQ(one.secondKl, other.secondKl);
    EXPECT_EQ(one.fullRows, other.fullRows);
    EXPECT_EQ(one.fullDivergence, other.fullDivergence);
}

/// All pairs one by one, without a filter.
std::vector<PairSimilarity> pairsOneByOne(const HeadSet& set) {
    std::vector<PairSimilarity> pairs;
    for (std::size_t a = 0; a < set.heads.size(); ++a)
        for (std::size_t b = a + 1; b < set.heads.size(); ++b) pairs.push_back(set.pair(a, b));
    std::stable_sort(pairs.begin(), pairs.end(), [](const PairSimilarity& one, const PairSimilarity& other) {
        return one.divergence < other.divergence;
    });
    return pairs;
}

TEST(SimilarPairs, NoPairIsLostAtAnyLimit) {
    int found = 0;
    int redundant = 0;
    for (const NamedMask& named : masksOfEveryKind())
        for (unsigned seed = 11; seed <= 16; ++seed) {
            SCOPED_TRACE(named.name + ", seed " + std::to_string(seed));
            const HeadSet set = mixedHeads(named, seed, 11);
            const std::vector<PairSimilarity> all = pairsOneByOne(set);
            // Among the limits the very divergences that occur.
            for (const double limit :
                 {0.0, all[2].divergence, 1e-4, 0.02, all[30].divergence, 0.3, std::numbers::ln2, 1.0}) {
                std::vector<PairSimilarity> expected;
                for (const PairSimilarity& pair : all)
                    if (pair.isTested() && pair.divergence <= limit) expected.push_back(pair);
                const std::vector<PairSimilarity> pairs = set.pairs(limit);
                ASSERT_EQ(pairs.size(), expected.size()) << limit;
                for (std::size_t p = 0; p < pairs.size(); ++p) expectSame(pairs[p], expected[p]);
                found += static_cast<int>(pairs.size());
                for (const PairSimilarity& pair : pairs) redundant += pair.isRedundant() ? 1 : 0;
            }
        }
    EXPECT_GT(found, 5000);
    EXPECT_GT(redundant, 500);
}

TEST(SimilarPairs, NearCopiesAroundTheLimitAreAllFound) {
    // Contents that differ by more and more, with their divergences on both sides of the limit and close.
    HeadSet set(causalMask(80));
    const auto content = noiseScores(2.0, 80, 80, 1);
    const auto change = noiseScores(1.0, 80, 80, 2);
    set.add(content);
    for (int step = 0; step < 40; ++step)
        set.add([=](std::int64_t i, std::int64_t j) {
            return content(i, j) + (0.2 + 0.01 * step) * change(i, j);
        });
    std::size_t expected = 0;
    for (std::size_t head = 1; head < set.heads.size(); ++head)
        if (set.pair(0, head).divergence <= 0.02) ++expected;
    ASSERT_GT(expected, 5U);
    ASSERT_LT(expected, 35U);
    std::size_t found = 0;
    for (const PairSimilarity& pair : set.pairs(0.02))
        if (pair.first == 0) ++found;
    EXPECT_EQ(found, expected);
}

TEST(SimilarPairs, BracketHoldsOverTheRowsOfEachPair) {
    double closest = 1.0;
    for (const NamedMask& named : masksOfEveryKind()) {
        const HeadSet set = mixedHeads(named, 21, 9);
        std::vector<HeadPair> pairs;
        for (std::size_t a = 0; a < 9; ++a)
            for (std::size_t b = a + 1; b < 9; ++b) pairs.push_back({a, b, pairs.size()});
        const std::vector<PairBound> bounds =
            boundPairs(set.compared, set.mask, groupBySinks(set.compared, pairs), {});
        for (const HeadPair& pair : pairs) {
            SCOPED_TRACE(named.name + ", heads " + std::to_string(pair.first) + " and " +
                         std::to_string(pair.second));
            const PairDefinition defined(set, pair.first, pair.second);
            ASSERT_EQ(bounds[pair.index].rows, defined.rows) << "the very rows of the pair";
            if (defined.rows == 0) continue;
            EXPECT_LE(std::numbers::ln2 * defined.hellinger, defined.divergence + 1e-15);
            EXPECT_LE(defined.divergence, defined.hellinger + 1e-15);
            const double bound = bounds[pair.index].leastDivergence();
            EXPECT_LE(bound, std::numbers::ln2 * defined.hellinger + 1e-14) << "rounding must not raise it";
            EXPECT_NEAR(bound, std::numbers::ln2 * defined.hellinger, 2e-5) << "nor spoil it";
            if (defined.divergence > 0.1) closest = std::min(closest, bound / defined.divergence);
        }
    }
    EXPECT_GT(closest, 0.69);
}

TEST(SimilarPairs, AreInOrderAndWithinTheLimit) {
    const HeadSet set = mixedHeads({"causal", causalMask(60)}, 4, 12);
    const std::vector<PairSimilarity> pairs = set.pairs(0.4);
    ASSERT_GT(pairs.size(), 5U);
    double last = 0.0;
    for (const PairSimilarity& pair : pairs) {
        EXPECT_LT(pair.first, pair.second);
        EXPECT_LE(last, pair.divergence);
        EXPECT_LE(pair.divergence, 0.4);
        last = pair.divergence;
    }
}

TEST(SimilarPairs, SayWhichPairsHadEnoughRows) {
    int tested = 0;
    int untested = 0;
    for (const NamedMask& named : masksOfEveryKind()) {
        const HeadSet set = mixedHeads(named, 31, 8);
        const PairsOnText text = pairsOnText(set.compared, set.mask, 0.02, {});
        ASSERT_EQ(text.tested.size(), 8U);
        for (std::size_t a = 0; a < 8; ++a) {
            ASSERT_EQ(text.tested[a].size(), 7 - a);
            for (std::size_t b = a + 1; b < 8; ++b) {
                const bool isTested = PairDefinition(set, a, b).rows >= 16;
                EXPECT_EQ(text.tested[a][b - a - 1], isTested) << named.name << " " << a << " " << b;
                ++(isTested ? tested : untested);
            }
        }
    }
    EXPECT_GT(tested, 100);
    EXPECT_GT(untested, 20);
}

TEST(SimilarPairs, ReadNoCellThatTheMaskHides) {
    for (const NamedMask& named : masksOfEveryKind()) {
        HeadSet set = mixedHeads(named, 41, 8);
        const std::vector<PairSimilarity> clean = set.pairs(0.3);
        for (std::size_t head = 0; head < 8; ++head) {
            // Where heads alike would differ, so that a bound of all cells would part them.
            std::vector<float> weights = set.heads[head].weights;
            for (std::int64_t i = 0; i < named.mask.queries; ++i)
                for (std::int64_t j = 0; j < named.mask.keys; ++j)
                    if (!named.mask.visible(i, j))
                        weights[static_cast<std::size_t>(i * named.mask.keys + j)] =
                            head % 2 == 0 ? 0.5F : -0.5F;
            const Extent extent{named.mask.queries, named.mask.keys};
            set.compared[head].map = std::make_shared<StoredMap>(extent, std::move(weights));
        }
        const std::vector<PairSimilarity> pairs = set.pairs(0.3);
        ASSERT_EQ(pairs.size(), clean.size()) << named.name;
        for (std::size_t p = 0; p < pairs.size(); ++p) expectSame(pairs[p], clean[p]);
        const std::vector<PairBound> bounds = boundPairs(
            set.compared, set.mask, groupBySinks(set.compared, std::vector<HeadPair>{{0, 2, 0}}), {});
        const PairDefinition defined(set, 0, 2);
        if (defined.rows == 0) continue;
        EXPECT_NEAR(bounds[0].leastDivergence(), std::numbers::ln2 * defined.hellinger, 2e-5);
    }
}

TEST(SimilarTo, ListsAllOthersTheNearestFirstAndUntestedLast) {
    HeadSet set(causalMask(60));
    const auto content = noiseScores(1.5, 60, 60, 1);
    const auto stuck = [](std::int64_t, std::int64_t j) { return j == 0 ? 12.0 : 0.0; };
    set.add(stuck);
    set.add(noiseScores(1.5, 60, 60, 2));
    set.add(content);
    set.add(stuck);
    set.add(content);
    const std::vector<PairSimilarity> pairs = similarTo(set.compared, 2, set.mask, {});
    ASSERT_EQ(pairs.size(), 4U);
    expectSame(pairs[0], set.pair(2, 4));
    expectSame(pairs[1], set.pair(1, 2));
    expectSame(pairs[2], set.pair(0, 2));
    expectSame(pairs[3], set.pair(2, 3));
    EXPECT_EQ(pairs[0].divergence, 0.0);
    EXPECT_TRUE(pairs[1].isTested());
    EXPECT_FALSE(pairs[2].isTested() || pairs[3].isTested());
}

TEST(SimilarPairs, OfFewHeads) {
    HeadSet set(causalMask(40));
    EXPECT_TRUE(set.pairs(1.0).empty());
    set.add(noiseScores(1.0, 40, 40));
    EXPECT_TRUE(set.pairs(1.0).empty());
    EXPECT_TRUE(similarTo(set.compared, 0, set.mask, {}).empty());
}

/// Counts what is asked of a map, and cancels at one of the requests.
class WatchedMap final : public HeadMap {
  public:
    struct Log {
        int requests = 0;
        int cancelAt = -1;
        std::int64_t mostRows = 0;
        CancelToken token;
    };
    WatchedMap(std::shared_ptr<const HeadMap> map, std::shared_ptr<Log> log)
        : m_map(std::move(map)), m_log(std::move(log)) {}
    Extent extent() const override { return m_map->extent(); }
    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        m_log->mostRows = std::max(m_log->mostRows, rows.size());
        if (++m_log->requests == m_log->cancelAt) m_log->token.cancel();
        m_map->tile(rows, columns, out);
    }
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override {
        m_map->visibleSpans(row, out);
    }

  private:
    std::shared_ptr<const HeadMap> m_map;
    std::shared_ptr<Log> m_log;
};

struct Watched {
    HeadSet set{causalMask(300)};
    std::shared_ptr<WatchedMap::Log> log = std::make_shared<WatchedMap::Log>();

    Watched() {
        for (unsigned head = 0; head < 4; ++head) {
            set.add(noiseScores(1.0, 300, 300, head / 2));
            set.compared.back().map = std::make_shared<WatchedMap>(set.compared.back().map, log);
        }
    }
};

TEST(SimilarPairs, NeverHoldAWholeMap) {
    const Watched watched;
    EXPECT_EQ(watched.set.pairs(0.02).size(), 2U);
    EXPECT_LE(watched.log->mostRows, 64);
}

TEST(SimilarPairs, StopWhenCancelled) {
    // In the first strip, in a later one, and when the filter is done and single pairs are measured.
    for (const int request : {1, 7, 23}) {
        const Watched watched;
        watched.log->cancelAt = request;
        try {
            similarPairs(watched.set.compared, watched.set.mask, 0.02, watched.log->token);
            FAIL() << request;
        } catch (const Error& error) {
            EXPECT_EQ(error.parts().kind, ErrorKind::Cancelled);
        }
        EXPECT_EQ(watched.log->requests, request);
    }
    const Watched watched;
    watched.log->cancelAt = 6;
    EXPECT_THROW(similarTo(watched.set.compared, 1, watched.set.mask, watched.log->token), Error);
    EXPECT_EQ(watched.log->requests, 6);
}

} // namespace
} // namespace headscope
