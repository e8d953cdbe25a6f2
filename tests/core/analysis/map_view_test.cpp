// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/export_part.h"
#include "core/analysis/map_view.h"
#include "core/analysis/word_groups.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using testing::ElementsAre;

std::shared_ptr<const Analysis> analysisOf(const char* folder, const std::string& text) {
    const auto model = openModel(dataPath(folder), {DeviceChoice::Cpu}, CancelToken(), {});
    TextInput input;
    input.text = text;
    return analyse({model, input}, {}, CancelToken());
}

/// Words of several pieces among words of one, between two special tokens.
const std::shared_ptr<const Analysis>& tinyRun() {
    static const auto analysis = analysisOf("models/tiny-bert", "the catsaid cat saidthe");
    return analysis;
}
const Analysis& tiny() {
    return *tinyRun();
}

HeadRef headAt(int layer, int head) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(head)};
}

double cell(const Analysis& analysis, const HeadRef& head, std::int64_t query, std::int64_t key) {
    return static_cast<double>(analysis.find(head)->map->cell(query, key));
}

ViewedMap shown(const MapView& view, const std::vector<HeadRef>& heads) {
    ViewedMap result;
    result.axes = viewedAxes(tiny(), AttentionKind::Self, view);
    result.map = viewedMap(tiny(), heads, view, result.axes, {});
    result.statistics = viewedStatistics(tiny(), heads, view, {});
    return result;
}

TEST(MapView, PlainIsTheHeadItself) {
    const ViewedMap plain = shown({}, {headAt(1, 2)});
    EXPECT_EQ(plain.map, tiny().find(headAt(1, 2))->map); // not copied
    EXPECT_EQ(plain.statistics, tiny().find(headAt(1, 2))->range);
    EXPECT_EQ(plain.axes.keys.size(), tiny().keyAxis(AttentionKind::Self).size());
    EXPECT_EQ(plain.axes.queries.indexOf(3), 3);
}

TEST(MapView, MeanAndLargestOfHeads) {
    const std::vector<HeadRef> heads = {headAt(0, 1), headAt(2, 0), headAt(1, 3)};
    const ViewedMap mean = shown({.heads = HeadsShown::Mean}, heads);
    const ViewedMap largest = shown({.heads = HeadsShown::Largest}, heads);
    for (std::int64_t i = 0; i < mean.map->extent().rows; ++i)
        for (std::int64_t j = 0; j < mean.map->extent().columns; ++j) {
            double sum = 0.0;
            double most = 0.0;
            for (const HeadRef& head : heads) {
                sum += cell(tiny(), head, i, j);
                most = std::max(most, cell(tiny(), head, i, j));
            }
            EXPECT_NEAR(mean.map->cell(i, j), sum / 3.0, 1e-7);
            EXPECT_NEAR(largest.map->cell(i, j), most, 1e-7);
        }
}

TEST(MapView, RolloutGoesUpToTheLayerOfTheHead) {
    // By the definition, in plain loops.
    const std::int64_t size = tiny().keyAxis(AttentionKind::Self).size();
    std::vector<double> product(static_cast<std::size_t>(size * size));
    for (std::int64_t i = 0; i < size; ++i) product[static_cast<std::size_t>(i * size + i)] = 1.0;
    for (int layer = 0; layer < 2; ++layer) {
        std::vector<double> next(product.size());
        for (std::int64_t i = 0; i < size; ++i)
            for (std::int64_t k = 0; k < size; ++k) {
                double mean = 0.0;
                for (int head = 0; head < 4; ++head) mean += cell(tiny(), headAt(layer, head), i, k) / 4.0;
                for (std::int64_t j = 0; j < size; ++j)
                    next[static_cast<std::size_t>(i * size + j)] +=
                        (0.5 * mean + (i == k ? 0.5 : 0.0)) * product[static_cast<std::size_t>(k * size + j)];
            }
        product = next;
    }
    const ViewedMap rolled = shown({.heads = HeadsShown::Rollout}, {headAt(1, 3)});
    for (std::int64_t i = 0; i < size; ++i)
        for (std::int64_t j = 0; j < size; ++j)
            EXPECT_NEAR(rolled.map->cell(i, j), product[static_cast<std::size_t>(i * size + j)], 1e-6);
}

TEST(MapView, WordsSumKeysAndAverageQueries) {
    const Axis& tokens = tiny().keyAxis(AttentionKind::Self);
    const WordGroups words = wordGroups(tokens);
    ASSERT_LT(words.axis->size(), tokens.size()) << "no word of several pieces";
    const ViewedMap byWords = shown({.words = true}, {headAt(0, 1)});
    ASSERT_EQ(byWords.axes.keys.size(), words.axis->size());
    for (std::int64_t i = 0; i < words.axis->size(); ++i) {
        double row = 0.0;
        for (std::int64_t j = 0; j < words.axis->size(); ++j) {
            const Span from = words.tokens[static_cast<std::size_t>(i)];
            const Span to = words.tokens[static_cast<std::size_t>(j)];
            double sum = 0.0;
            for (std::int64_t q = from.begin; q < from.end; ++q)
                for (std::int64_t k = to.begin; k < to.end; ++k) sum += cell(tiny(), headAt(0, 1), q, k);
            EXPECT_NEAR(byWords.map->cell(i, j), sum / static_cast<double>(from.size()), 1e-6);
            row += static_cast<double>(byWords.map->cell(i, j));
        }
        EXPECT_NEAR(row, 1.0, 1e-6);
    }
    // Each token is shown by its word.
    for (std::int64_t token = 0; token < tokens.size(); ++token) {
        const auto word = byWords.axes.keys.indexOf(token);
        ASSERT_TRUE(word.has_value());
        EXPECT_TRUE(byWords.axes.keys.tokens[static_cast<std::size_t>(*word)].contains(token));
    }
    const double even = static_cast<double>(tiny().find(headAt(0, 1))->range.evenWeight);
    EXPECT_NEAR(byWords.statistics.evenWeight,
                even * static_cast<double>(tokens.size()) / static_cast<double>(words.axis->size()), 1e-7);
}

TEST(MapView, SpecialTokensAreLeftOut) {
    const ViewedMap rest = shown({.hideSpecial = true}, {headAt(0, 1)});
    const std::int64_t size = tiny().keyAxis(AttentionKind::Self).size();
    EXPECT_EQ(rest.map->extent(), (Extent{size - 2, size - 2}));
    EXPECT_EQ(rest.axes.queries.indexOf(0), std::nullopt);
    EXPECT_EQ(rest.axes.queries.indexOf(1), 0);
    EXPECT_EQ(rest.axes.queries.indexOf(size - 1), std::nullopt);
    float largest = 0.0F;
    for (std::int64_t i = 0; i + 2 < size; ++i)
        for (std::int64_t j = 0; j + 2 < size; ++j) {
            EXPECT_EQ(rest.map->cell(i, j), tiny().find(headAt(0, 1))->map->cell(i + 1, j + 1));
            largest = std::max(largest, rest.map->cell(i, j));
        }
    EXPECT_EQ(rest.statistics.maximum, largest);
    EXPECT_EQ(rest.statistics.evenWeight, tiny().find(headAt(0, 1))->range.evenWeight);
}

TEST(MapView, TheFirstKeyIsMaskedAndTheOthersKeepTheirWeights) {
    const ViewedMap rest = shown({.hideFirst = true}, {headAt(0, 1)});
    const std::int64_t size = tiny().keyAxis(AttentionKind::Self).size();
    std::vector<Span> spans;
    rest.map->visibleSpans(2, spans);
    EXPECT_THAT(spans, ElementsAre(Span{1, size}));
    for (std::int64_t i = 0; i < size; ++i) {
        EXPECT_EQ(rest.map->cell(i, 0), 0.0F);
        EXPECT_EQ(rest.map->cell(i, 2), tiny().find(headAt(0, 1))->map->cell(i, 2));
    }
}

TEST(MapView, ValuesMultiplyWhatTheirKeysGive) {
    const auto& layer = *tiny().layers[1];
    const std::int64_t size = tiny().keyAxis(AttentionKind::Self).size();
    ASSERT_EQ(layer.maps->projectedValueNorms.size(), static_cast<std::size_t>(4 * size));
    const ViewedMap norms = shown({.valueWeighted = true}, {headAt(1, 2)});
    for (std::int64_t i = 0; i < size; ++i)
        for (std::int64_t j = 0; j < size; ++j)
            EXPECT_NEAR(norms.map->cell(i, j),
                        cell(tiny(), headAt(1, 2), i, j) *
                            static_cast<double>(
                                layer.maps->projectedValueNorms[static_cast<std::size_t>(2 * size + j)]),
                        1e-6);
    EXPECT_TRUE(std::isinf(norms.statistics.ceiling));
    // The scale of weights ends at 1; that of norms where they do.
    RangeStatistics high{.upperRowMaximum = 7.0F, .evenWeight = 0.1F, .maximum = 9.0F};
    EXPECT_EQ(resolve({}, high).high, 1.0F);
    high.ceiling = norms.statistics.ceiling;
    EXPECT_EQ(resolve({}, high).high, 7.0F);
}

TEST(MapView, AllTogether) {
    const ViewedMap map = shown({.heads = HeadsShown::Mean,
                                 .valueWeighted = true,
                                 .words = true,
                                 .hideSpecial = true,
                                 .hideFirst = true},
                                {headAt(1, 0), headAt(1, 1)});
    const WordGroups words = wordGroups(tiny().keyAxis(AttentionKind::Self));
    EXPECT_EQ(map.map->extent(), (Extent{words.axis->size() - 2, words.axis->size() - 2}));
    EXPECT_EQ(map.axes.keys.axis->entries.front().label, "the");
    EXPECT_EQ(map.axes.keys.positions.front(), 1);
}

TEST(MapView, OfAHeadTakesItsLayerWhereHeadsAreCombined) {
    for (const HeadsShown how :
         {HeadsShown::One, HeadsShown::Mean, HeadsShown::Largest, HeadsShown::Rollout}) {
        const MapView view{.heads = how, .words = true, .hideSpecial = true};
        const ViewedMap whole = viewMap({tinyRun(), headAt(2, 1), view}, {});
        std::vector<HeadRef> heads{headAt(2, 1)};
        if (how != HeadsShown::One) heads = {headAt(2, 0), headAt(2, 1), headAt(2, 2), headAt(2, 3)};
        const ViewedMap expected = shown(view, heads);
        EXPECT_EQ(whole.statistics, expected.statistics);
        for (std::int64_t i = 0; i < whole.map->extent().rows; ++i)
            EXPECT_EQ(whole.map->row(i), expected.map->row(i));
    }
}

TEST(MapView, SaysWhatCannotBeShown) {
    const auto sentence = [](const MapView& view, const HeadRef& head) {
        return sentenceOf([&] { viewMap({tinyRun(), head, view}, {}); });
    };
    EXPECT_EQ(sentence({}, headAt(3, 0)),
              "head 3.0: there is no such head, the model has layers 0 to 2 and heads 0 to 3.");
    EXPECT_EQ(sentence({.heads = HeadsShown::Rollout, .valueWeighted = true}, headAt(1, 0)),
              "rollout: it was to be weighted by values, it leaves values out.");
}

TEST(MapView, NamesAreReadBack) {
    for (const HeadsShown heads :
         {HeadsShown::One, HeadsShown::Mean, HeadsShown::Largest, HeadsShown::Rollout})
        EXPECT_EQ(headsShownOf(nameOf(heads)), heads);
    EXPECT_EQ(headsShownOf("median"), std::nullopt);
}

} // namespace
} // namespace headscope::test
