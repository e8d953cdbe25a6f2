// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/combined_heads.h"
#include "core/composed/difference_map.h"
#include "core/composed/grouped_map.h"
#include "core/composed/hidden_tokens.h"
#include "core/composed/span_sets.h"
#include "core/composed/weighted_map.h"
#include "tests/core/composed/random_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::expectCells;
using test::randomMap;
using test::spansOf;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr Extent kSize{13, 11};

double rowSum(const HeadMap& map, std::int64_t row) {
    double sum = 0.0;
    for (const float weight : map.row(row)) sum += weight;
    return sum;
}

TEST(SpanSets, UniteAndTakeAwayLikeSetsOfNumbers) {
    EXPECT_THAT(united({{0, 3}, {7, 9}}, {{2, 5}, {5, 6}, {9, 9}}), ElementsAre(Span{0, 6}, Span{7, 9}));
    EXPECT_THAT(united({}, {}), IsEmpty());
    EXPECT_THAT(without({{0, 10}, {12, 15}}, {{0, 1}, {4, 6}, {9, 13}, {14, 20}}),
                ElementsAre(Span{1, 4}, Span{6, 9}, Span{13, 14}));
    EXPECT_THAT(without({{2, 4}}, {{0, 9}}), IsEmpty());
    EXPECT_THAT(without({{2, 4}}, {}), ElementsAre(Span{2, 4}));
}

TEST(CombinedHeads, AreTheMeanOrTheLargestOfEveryWeight) {
    const std::vector<std::shared_ptr<const test::RandomMap>> heads{
        randomMap(kSize, true, 1), randomMap(kSize, true, 2), randomMap(kSize, true, 3)};
    const std::vector<std::shared_ptr<const HeadMap>> maps(heads.begin(), heads.end());
    const CombinedHeads mean(maps, CombineHeads::Mean);
    expectCells(mean, [&](std::int64_t r, std::int64_t k) {
        return (heads[0]->at(r, k) + heads[1]->at(r, k) + heads[2]->at(r, k)) / 3.0;
    });
    for (std::int64_t row = 0; row < kSize.rows; ++row) EXPECT_NEAR(rowSum(mean, row), 1.0, 1e-6);
    const CombinedHeads largest(maps, CombineHeads::Max);
    expectCells(largest, [&](std::int64_t r, std::int64_t k) {
        return std::max({heads[0]->at(r, k), heads[1]->at(r, k), heads[2]->at(r, k)});
    });
    EXPECT_THAT(spansOf(mean, 4), ElementsAre(Span{0, 5}));
}

TEST(CombinedHeads, SeeWhatAnyOfThemSees) {
    const CombinedHeads mixed({randomMap(kSize, true, 1), randomMap(kSize, false, 2)}, CombineHeads::Max);
    EXPECT_THAT(spansOf(mixed, 2), ElementsAre(Span{0, 11}));
}

TEST(DifferenceMap, IsOneLessTheOtherWithItsSign) {
    const auto first = randomMap(kSize, false, 5);
    const auto second = randomMap(kSize, true, 6);
    const DifferenceMap difference(first, second);
    expectCells(difference, [&](std::int64_t r, std::int64_t k) {
        return static_cast<float>(first->at(r, k)) - static_cast<float>(second->at(r, k));
    });
    EXPECT_THAT(spansOf(difference, 2), ElementsAre(Span{0, 11}));
    EXPECT_NEAR(rowSum(difference, 3), 0.0, 1e-6);
    const DifferenceMap none(first, first);
    expectCells(none, [](std::int64_t, std::int64_t) { return 0.0; });
}

TEST(GroupedMap, SumsOverKeysAndAveragesOverQueries) {
    const auto map = randomMap(kSize, true, 9);
    const std::vector<Span> queries{{0, 1}, {1, 4}, {4, 5}, {5, 12}, {12, 13}};
    const std::vector<Span> keys{{0, 2}, {2, 3}, {3, 7}, {7, 11}};
    const GroupedMap words(map, queries, keys);
    EXPECT_EQ(words.extent(), (Extent{5, 4}));
    expectCells(words, [&](std::int64_t r, std::int64_t c) {
        const Span rows = queries[static_cast<std::size_t>(r)];
        const Span columns = keys[static_cast<std::size_t>(c)];
        double sum = 0.0;
        for (std::int64_t i = rows.begin; i < rows.end; ++i)
            for (std::int64_t k = columns.begin; k < columns.end; ++k) sum += map->at(i, k);
        return sum / static_cast<double>(rows.size());
    });
    for (std::int64_t row = 0; row < 5; ++row) EXPECT_NEAR(rowSum(words, row), 1.0, 1e-6) << row;
    // Queries 1 to 3 see keys 0 to 3 at most: the groups 0, 1 and a part of 2.
    EXPECT_THAT(spansOf(words, 1), ElementsAre(Span{0, 3}));
    EXPECT_THAT(spansOf(words, 0), ElementsAre(Span{0, 1}));
    EXPECT_THAT(spansOf(words, 4), ElementsAre(Span{0, 4}));
}

TEST(GroupedMap, OfSingleTokensIsTheMapItself) {
    const auto map = randomMap({6, 6}, true, 4);
    std::vector<Span> single;
    for (std::int64_t i = 0; i < 6; ++i) single.push_back({i, i + 1});
    const GroupedMap same(map, single, single);
    expectCells(same, [&](std::int64_t r, std::int64_t k) { return map->at(r, k); });
    for (std::int64_t row = 0; row < 6; ++row) EXPECT_EQ(spansOf(same, row), spansOf(*map, row));
}

TEST(WeightedMap, MultipliesEachColumn) {
    const auto map = randomMap(kSize, true, 8);
    std::vector<float> factors;
    for (int key = 0; key < 11; ++key) factors.push_back(0.25F * static_cast<float>(key));
    const WeightedMap weighted(map, factors);
    expectCells(weighted, [&](std::int64_t r, std::int64_t k) {
        return static_cast<float>(map->at(r, k)) * factors[static_cast<std::size_t>(k)];
    });
    EXPECT_EQ(spansOf(weighted, 3), spansOf(*map, 3));
}

TEST(HiddenTokens, AreMaskedAndTheOthersKeepTheirWeights) {
    const auto map = randomMap(kSize, true, 7);
    const HiddenTokens shown(map, {{2, 3}, {12, 13}}, {{0, 1}, {10, 11}, {4, 5}});
    expectCells(shown, [&](std::int64_t r, std::int64_t k) {
        return r == 2 || r == 12 || k == 0 || k == 4 || k == 10 ? 0.0 : map->at(r, k);
    });
    EXPECT_THAT(spansOf(shown, 2), IsEmpty());
    EXPECT_THAT(spansOf(shown, 6), ElementsAre(Span{1, 4}, Span{5, 7}));
    EXPECT_THAT(spansOf(shown, 0), IsEmpty());
}

} // namespace
} // namespace headscope
