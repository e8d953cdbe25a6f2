// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare.h"
#include "core/analysis/compared_sinks.h"
#include "core/analysis/export_part.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace headscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const kText = "the cat sat on the matting.";

HeadRef head(int layer, int number) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(number)};
}

/// Two models with other vocabularies, on the same and on other texts.
class Compare : public testing::Test {
  protected:
    std::shared_ptr<const OpenModel> bert =
        openModel(test::dataPath("models/tiny-bert"), {DeviceChoice::Cpu}, {}, {});
    std::shared_ptr<const OpenModel> words = openModel("demo:constructed", {DeviceChoice::Cpu}, {}, {});

    static std::shared_ptr<const Analysis> pass(const std::shared_ptr<const OpenModel>& model,
                                                const std::string& text) {
        TextInput input;
        input.text = text;
        return analyse({model, input}, {}, {});
    }
    static HeadComparison compare(const ComparedSide& first, const ComparedSide& second) {
        return compareHeads(first, second, 3, CancelToken());
    }
};

TEST_F(Compare, TwoHeadsOfATextLieTokenByToken) {
    const auto analysis = pass(bert, kText);
    const HeadComparison result = compare({analysis, head(0, 0)}, {analysis, head(1, 1)});
    EXPECT_EQ(result.alignment, Alignment::Tokens);
    EXPECT_THAT(result.note, IsEmpty());
    ASSERT_NE(result.difference, nullptr);
    EXPECT_EQ(result.difference->extent(), result.maps[0].map->extent());
    EXPECT_EQ(result.difference->cell(2, 3), result.maps[0].map->cell(2, 3) - result.maps[1].map->cell(2, 3));
    EXPECT_GT(result.numbers.rows, 0);
    EXPECT_GT(result.numbers.divergence, 0.0);
    EXPECT_EQ(result.numbers.farthest.size(), 3U);
}

TEST_F(Compare, TheSameHeadTwiceIsNoDifference) {
    const auto analysis = pass(bert, kText);
    const HeadComparison result = compare({analysis, head(1, 0)}, {analysis, head(1, 0)});
    EXPECT_EQ(result.numbers.divergence, 0.0);
    EXPECT_EQ(result.numbers.largest, 0.0);
}

TEST_F(Compare, OtherTextsOfOneLengthLieByPositionAndThatIsSaid) {
    const HeadComparison result =
        compare({pass(bert, "the cat sat"), head(0, 0)}, {pass(bert, "the dog sat"), head(0, 0)});
    EXPECT_EQ(result.alignment, Alignment::Tokens);
    EXPECT_THAT(result.note, HasSubstr("The texts differ"));
}

TEST_F(Compare, OtherLengthsCannotBeSubtracted) {
    const HeadComparison result =
        compare({pass(bert, "the cat"), head(0, 0)}, {pass(bert, kText), head(0, 0)});
    EXPECT_EQ(result.alignment, Alignment::None);
    EXPECT_EQ(result.difference, nullptr);
    EXPECT_THAT(result.note, HasSubstr("The maps have 4 tokens and 15 tokens"));
    EXPECT_EQ(result.maps[1].map->extent().rows, 15) << "each is still there";
}

TEST_F(Compare, OtherTokenizersLieWordByWord) {
    const auto first = pass(bert, kText);
    const HeadComparison result = compare({first, head(0, 1)}, {pass(words, kText), head(0, 1)});
    ASSERT_EQ(result.alignment, Alignment::Words) << result.note;
    EXPECT_THAT(result.note, HasSubstr("words are compared"));
    std::vector<std::string> labels;
    for (const AxisEntry& word : result.maps[0].keys()->entries) labels.push_back(word.label);
    EXPECT_THAT(labels, ElementsAre("the", "cat", "sat", "on", "the", "matting", "."));
    EXPECT_EQ(result.maps[1].map->extent(), (Extent{7, 7}));
    // "sat" are the tokens 3 to 5 of the first model, "cat" is its token 2.
    const HeadMap& map = *first->find(head(0, 1))->map;
    double sum = 0.0;
    for (std::int64_t query = 3; query <= 5; ++query) sum += map.cell(query, 2);
    EXPECT_FLOAT_EQ(result.maps[0].map->cell(2, 1), static_cast<float>(sum / 3.0));
    sum = 0.0;
    for (std::int64_t key = 3; key <= 5; ++key) sum += map.cell(2, key);
    EXPECT_FLOAT_EQ(result.maps[0].map->cell(1, 2), static_cast<float>(sum));
    EXPECT_GT(result.maps[0].statistics.maximum, 0.0F);
}

TEST_F(Compare, AHeadThatTheModelDoesNotHaveIsNamed) {
    const auto analysis = pass(bert, kText);
    EXPECT_THROW(compare({analysis, head(0, 0)}, {analysis, head(7, 0)}), Error);
}

TEST_F(Compare, WhatAViewMakesIsComparedWithWhatAnotherMakes) {
    const auto analysis = pass(bert, kText);
    constexpr MapView kMean{.heads = HeadsShown::Mean};
    const HeadComparison result = compare({analysis, head(0, 2)}, {analysis, head(1, 3), kMean});
    ASSERT_NE(result.difference, nullptr) << result.note;
    EXPECT_THAT(result.note, IsEmpty());
    EXPECT_FALSE(result.divided);
    double mean = 0.0;
    const auto heads = headsOfLayer(bert->spec(), AttentionKind::Self, LayerIndex(1));
    for (const HeadRef& one : heads) mean += analysis->find(one)->map->cell(4, 2);
    mean /= static_cast<double>(heads.size());
    EXPECT_NEAR(result.maps[1].map->cell(4, 2), mean, 1e-6);
    EXPECT_NEAR(result.difference->cell(4, 2), analysis->find(head(0, 2))->map->cell(4, 2) - mean, 1e-6);
}

TEST_F(Compare, SidesThatAreShownOtherwiseSayWhyNothingIsSubtracted) {
    const auto analysis = pass(bert, kText);
    const auto note = [&](const MapView& one, const MapView& other) {
        const HeadComparison result = compare({analysis, head(0, 0), one}, {analysis, head(0, 1), other});
        EXPECT_EQ(result.alignment, Alignment::None);
        EXPECT_EQ(result.difference, nullptr);
        EXPECT_NE(result.maps[0].map, nullptr) << "each is still there";
        return result.note;
    };
    const std::string rest = ": there is nothing to subtract until both are shown alike.";
    EXPECT_EQ(note({.words = true}, {}), "a shows words, b tokens" + rest);
    EXPECT_EQ(note({}, {.words = true}), "b shows words, a tokens" + rest);
    EXPECT_EQ(note({.valueWeighted = true}, {}), "b shows weights, a weights times value norms" + rest);
    EXPECT_EQ(note({.hideFirst = true}, {}), "a masks the first key, b does not" + rest);
    EXPECT_EQ(note({}, {.hideSpecial = true}), "b leaves special tokens out, a does not" + rest);
}

TEST_F(Compare, WordsOnBothSidesAreWordsOfTheText) {
    const auto analysis = pass(bert, kText);
    constexpr MapView kWords{.words = true};
    const HeadComparison result = compare({analysis, head(0, 0), kWords}, {analysis, head(1, 1), kWords});
    EXPECT_EQ(result.alignment, Alignment::Words);
    EXPECT_FALSE(result.regrouped) << "it is what both show";
    EXPECT_THAT(result.note, IsEmpty());
    // [CLS], seven words, [SEP].
    EXPECT_EQ(result.difference->extent(), (Extent{9, 9}));
}

TEST_F(Compare, WhatIsMadeAlreadyIsNotMadeAgain) {
    const auto analysis = pass(bert, kText);
    const ComparedSide plain{analysis, head(0, 0)};
    ComparedSide rolled{analysis, head(1, 0), {.heads = HeadsShown::Rollout}};
    const HeadComparison whole = compare(plain, rolled);
    rolled.made =
        std::make_shared<const ViewedMap>(viewMap({analysis, rolled.head, rolled.view}, CancelToken()));
    const HeadComparison result = compare(plain, rolled);
    EXPECT_EQ(result.maps[1].map, rolled.made->map);
    EXPECT_EQ(result.numbers.divergence, whole.numbers.divergence);
}

TEST_F(Compare, TokenizersDifferAlsoForWhatAViewMakes) {
    constexpr MapView kMean{.heads = HeadsShown::Mean};
    const auto first = pass(bert, kText);
    const HeadComparison result =
        compare({first, head(0, 0), kMean}, {pass(words, kText), head(0, 0), kMean});
    EXPECT_TRUE(result.regrouped);
    EXPECT_TRUE(result.viewOf(0).words && result.viewOf(0).hideSpecial);
    EXPECT_FALSE(result.sides[0].view.words) << "what was asked for stands";
    EXPECT_EQ(result.difference->extent(), (Extent{7, 7}));
    EXPECT_TRUE(result.divided) << "without special tokens rows do not sum to 1";
}

TEST_F(Compare, NormsAndLeftOutTokensAreDividedByTheirSums) {
    const auto analysis = pass(bert, kText);
    const auto divided = [&](const MapView& view) {
        return compare({analysis, head(0, 0), view}, {analysis, head(1, 1), view}).divided;
    };
    EXPECT_FALSE(divided({}));
    EXPECT_FALSE(divided({.heads = HeadsShown::Rollout}));
    EXPECT_TRUE(divided({.heads = HeadsShown::Largest}));
    EXPECT_TRUE(divided({.valueWeighted = true}));
    EXPECT_TRUE(divided({.hideFirst = true}));
    const HeadComparison norms = compare({analysis, head(0, 0), {.valueWeighted = true}},
                                         {analysis, head(1, 1), {.valueWeighted = true}});
    EXPECT_LE(norms.numbers.totalVariation, 1.0);
}

/// By the definition: the mean share that a key gets of the rows of 8 keys or more that see it, its own left
/// out; it counts with 16 such rows that are a quarter of all.
std::vector<std::int64_t> sinksByHand(const HeadMap& map) {
    const std::int64_t size = map.extent().rows;
    std::vector<std::int64_t> sinks;
    for (std::int64_t key = 0; key < size; ++key) {
        double sum = 0.0;
        std::int64_t rows = 0;
        for (std::int64_t row = std::max<std::int64_t>(7, key); row < size; ++row) { // causal
            if (row == key) continue;
            double whole = 0.0;
            for (std::int64_t other = 0; other <= row; ++other)
                whole += static_cast<double>(map.cell(row, other));
            sum += static_cast<double>(map.cell(row, key)) / whole;
            ++rows;
        }
        if (rows >= 16 && 4 * rows >= size - 7 && sum / static_cast<double>(rows) >= 0.3)
            sinks.push_back(key);
    }
    return sinks;
}

TEST_F(Compare, SinksOfALayerAreThoseOfItsMap) {
    std::string text;
    for (int i = 0; i < 12; ++i) text += "the cat sat ";
    const auto analysis = pass(words, text);
    // Head 0.3 reads all alike and has none.
    const ComparedSide other{analysis, head(0, 3)};
    ASSERT_THAT(analysis->find(head(0, 3))->metrics.columns.sinks(), IsEmpty());
    for (const HeadsShown how : {HeadsShown::Mean, HeadsShown::Largest, HeadsShown::Rollout}) {
        const HeadComparison result = compare({analysis, head(0, 0), {.heads = how}}, other);
        EXPECT_EQ(result.sinks, sinksByHand(*result.maps[0].map));
    }
    // By the rows of a map alone, as for what is made of a layer: head 0.2 always reads the first token.
    const ViewRequest made{analysis, head(0, 0), {.heads = HeadsShown::Mean}};
    EXPECT_THAT(comparedSinks(made, *analysis->find(head(0, 2))->map, CancelToken()), ElementsAre(0));
    EXPECT_THAT(comparedSinks(made, *analysis->find(head(0, 3))->map, CancelToken()), IsEmpty());
    const HeadComparison plain = compare({analysis, head(0, 2)}, other);
    EXPECT_THAT(plain.sinks, ElementsAre(0));
    EXPECT_EQ(plain.sinks, sinksByHand(*plain.maps[0].map))
        << "one rule for heads and for what is made of them";
}

TEST_F(Compare, LayersAreTheSameMapWhicheverHeadNamesThem) {
    const auto analysis = pass(bert, kText);
    constexpr MapView kMean{.heads = HeadsShown::Mean};
    EXPECT_TRUE(isSameMap({analysis, head(1, 0), kMean}, {analysis, head(1, 3), kMean}));
    EXPECT_FALSE(isSameMap({analysis, head(1, 0), kMean}, {analysis, head(0, 0), kMean}));
    EXPECT_FALSE(isSameMap({analysis, head(1, 0)}, {analysis, head(1, 3)}));
    EXPECT_FALSE(isSameMap({analysis, head(1, 0)}, {analysis, head(1, 0), kMean}));
}

TEST_F(Compare, OneScaleForOneUnit) {
    const auto analysis = pass(bert, kText);
    const HeadComparison weights = compare({analysis, head(0, 0)}, {analysis, head(1, 1)});
    EXPECT_EQ(comparedRanges(weights)[0], comparedRanges(weights)[1]);
    EXPECT_EQ(comparedRanges(weights)[0].maximum,
              std::max(weights.maps[0].statistics.maximum, weights.maps[1].statistics.maximum));
    const HeadComparison units =
        compare({analysis, head(0, 0)}, {analysis, head(1, 1), {.valueWeighted = true}});
    EXPECT_EQ(comparedRanges(units)[0], units.maps[0].statistics);
    EXPECT_EQ(comparedRanges(units)[1], units.maps[1].statistics);
}

} // namespace
} // namespace headscope
