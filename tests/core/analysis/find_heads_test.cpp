// SPDX-License-Identifier: GPL-3.0-or-later
// Heads by their weight from one token to another, and the steps of a weight in models of many kinds.
#include "core/analysis/find_heads.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <bit>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::HasSubstr;

/// Heads whose only row is given; every layer has its mask.
std::shared_ptr<Analysis> analysisOf(const std::vector<std::vector<std::vector<float>>>& layers,
                                     const std::vector<MaskRule>& masks) {
    auto analysis = std::make_shared<Analysis>();
    auto axis = std::make_shared<Axis>();
    axis->entries.resize(4);
    analysis->text.axis = axis;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        auto layer = std::make_shared<LayerResult>();
        layer->layer = LayerIndex(static_cast<std::int64_t>(l));
        layer->mask = masks[l];
        for (const std::vector<float>& row : layers[l]) {
            std::vector<float> weights(16, 0.25F);
            std::copy(row.begin(), row.end(), weights.begin() + 8); // query 2
            HeadResult head;
            head.map = std::make_shared<StoredMap>(Extent{4, 4}, std::move(weights));
            layer->heads.push_back(std::move(head));
        }
        analysis->layers.push_back(layer);
    }
    return analysis;
}

MaskRule maskOf4(bool causal = false, std::optional<std::int64_t> window = {}) {
    MaskRule mask;
    mask.queries = mask.keys = 4;
    mask.causal = causal;
    mask.window = window;
    return mask;
}

std::vector<std::string> namesOf(const FoundHeads& found) {
    std::vector<std::string> names;
    for (const FoundHead& one : found.heads) names.push_back(headText(one.head));
    return names;
}

TEST(FindHeads, TheLargestWeightFirstAndEqualOnesByLayerAndHead) {
    const auto analysis = analysisOf({{{0.1F, 0.3F, 0.6F, 0}, {0.5F, 0.5F, 0, 0}, {0.7F, 0.3F, 0, 0}},
                                      {{0.2F, 0.8F, 0, 0}, {0.9F, 0, 0.1F, 0}, {0.7F, 0.3F, 0, 0}}},
                                     {maskOf4(), maskOf4(true)});
    const FoundHeads found = findHeads(*analysis, {AttentionKind::Self, 2, 1}, {});
    EXPECT_EQ(namesOf(found), (std::vector<std::string>{"1.0", "0.1", "0.0", "0.2", "1.2", "1.1"}));
    EXPECT_EQ(found.hidden, 0U);
    EXPECT_EQ(found.heads[0].weight, 0.8F);
    EXPECT_EQ(found.heads[0].keys, 3) << "query 2 of a causal map";
    EXPECT_EQ(found.heads[0].rank, 1);
    EXPECT_DOUBLE_EQ(found.heads[0].even(), 1.0 / 3.0);
    EXPECT_DOUBLE_EQ(found.heads[0].timesEven(), 3.0 * static_cast<double>(0.8F));
    EXPECT_EQ(found.heads[1].keys, 4);
    EXPECT_EQ(found.heads[1].rank, 1) << "as large as the first, and none larger";
    EXPECT_EQ(found.heads[2].rank, 2);
    EXPECT_EQ(found.heads[5].weight, 0.0F) << "a visible key may have no weight";
    EXPECT_EQ(found.heads[5].rank, 3);
}

TEST(FindHeads, AHeadThatCannotSeeTheKeyHasNoWeightAndIsCounted) {
    const std::vector<std::vector<float>> heads{{0.1F, 0.2F, 0.7F, 0}, {0.1F, 0.3F, 0.6F, 0}};
    const auto some = analysisOf({heads, heads}, {maskOf4(true, 2), maskOf4(true)});
    const FoundHeads found = findHeads(*some, {AttentionKind::Self, 2, 0}, {});
    EXPECT_EQ(namesOf(found), (std::vector<std::string>{"1.0", "1.1"}));
    EXPECT_EQ(found.hidden, 2U);
    EXPECT_EQ(found.hiddenBy, HiddenBy::Window);
    const FoundHeads none = findHeads(*some, {AttentionKind::Self, 2, 3}, {});
    EXPECT_TRUE(none.heads.empty());
    EXPECT_EQ(none.hidden, 4U);
    EXPECT_EQ(none.hiddenBy, HiddenBy::Causality);
}

TEST(FindHeads, APositionThatIsNotThereIsAnError) {
    const auto analysis = analysisOf({{{1, 0, 0, 0}}}, {maskOf4()});
    EXPECT_THAT(sentenceOf([&] {
                    findHeads(*analysis, {AttentionKind::Self, 4, 0}, {});
                }),
                HasSubstr("query: there is no position 4"));
    EXPECT_THAT(sentenceOf([&] {
                    findHeads(*analysis, {AttentionKind::Self, 0, -1}, {});
                }),
                HasSubstr("key: there is no position -1"));
}

TEST(FindHeads, IsCancelled) {
    const auto analysis = analysisOf({{{1, 0, 0, 0}}}, {maskOf4()});
    CancelToken cancel;
    cancel.cancel();
    EXPECT_THROW(findHeads(*analysis, {AttentionKind::Self, 0, 0}, cancel), Error);
}

std::shared_ptr<const Analysis> pass(const std::string& model, const TextInput& input) {
    return analyse({openModel(model, {DeviceChoice::Cpu}, {}, {}), input}, {}, {});
}

TEST(FindHeads, OfARealPassAsCellByCell) {
    TextInput input;
    input.text = "the cat sat on the matting.";
    const auto analysis = pass(test::dataPath("models/tiny-bert").string(), input);
    const FoundHeads found = findHeads(*analysis, {AttentionKind::Self, 3, 1}, {});
    std::size_t heads = 0;
    for (const auto& layer : analysis->layers) heads += layer->heads.size();
    ASSERT_EQ(found.heads.size(), heads);
    std::multiset<float, std::greater<>> weights;
    for (const FoundHead& one : found.heads) {
        const HeadMap& map = *analysis->find(one.head)->map;
        EXPECT_EQ(one.weight, map.cell(3, 1));
        EXPECT_EQ(one.keys, analysis->text.axis->size());
        std::int64_t larger = 0;
        for (std::int64_t key = 0; key < one.keys; ++key) larger += map.cell(3, key) > one.weight;
        EXPECT_EQ(one.rank, 1 + larger);
        weights.insert(one.weight);
    }
    std::vector<float> listed;
    for (const FoundHead& one : found.heads) listed.push_back(one.weight);
    EXPECT_EQ(listed, std::vector<float>(weights.begin(), weights.end()));
}

/// As the page on the demo says: of the second "small" (token 19) and the first "boat" (token 7).
TEST(FindHeads, TheInductionHeadsOfTheDemoComeFirst) {
    TextInput input;
    input.text =
        "The old man took the small boat across the lake. The lake was cold, but the small boat was dry.";
    const auto analysis = pass("demo:constructed", input);
    const auto label = [&](std::size_t token) { return analysis->text.axis->entries.at(token).label; };
    ASSERT_THAT(label(19), HasSubstr("small"));
    ASSERT_THAT(label(7), HasSubstr("boat"));
    const FoundHeads found = findHeads(*analysis, {AttentionKind::Self, 19, 7}, {});
    ASSERT_GE(found.heads.size(), 3U);
    EXPECT_EQ((std::set<std::string>{headText(found.heads[0].head), headText(found.heads[1].head)}),
              (std::set<std::string>{"1.0", "1.1"}));
    EXPECT_GT(found.heads[1].weight, 0.5F);
    EXPECT_LT(found.heads[2].weight, 0.2F);
}

struct FamilyCase {
    std::string model;
    std::set<ScoreTerm> terms; ///< of some layer or other
    bool cap = false;
    bool sink = false;
};

class FamilySteps : public testing::TestWithParam<FamilyCase> {};

/// Every cell of every head of a few rows, in models that stand for all kinds of terms.
TEST_P(FamilySteps, AddUpToWhatTheMapShows) {
    TextInput input;
    input.ids = {5, 9, 7, 5, 8, 11, 6, 12, 9, 10, 7, 13};
    const auto analysis = pass(test::dataPath("families/" + GetParam().model).string(), input);
    std::set<ScoreTerm> terms;
    bool cap = false;
    bool sink = false;
    for (const auto& layer : analysis->layers) {
        const Extent extent = layer->maps->extent();
        for (std::size_t h = 0; h < layer->heads.size(); ++h) {
            for (std::int64_t i = 0; i < extent.rows; i += 3) {
                for (std::int64_t j = 0; j < extent.columns; ++j) {
                    const ScoreSteps steps =
                        scoreSteps(*layer->maps, HeadIndex(static_cast<std::int64_t>(h)), i, j);
                    ASSERT_EQ(std::bit_cast<std::uint32_t>(steps.weight),
                              std::bit_cast<std::uint32_t>(layer->heads[h].map->cell(i, j)));
                    float score = steps.scaled;
                    for (const auto& term : steps.terms) {
                        score += term.value;
                        terms.insert(term.term);
                    }
                    cap = cap || steps.softCap;
                    sink = sink || steps.sink;
                    if (!steps.softCap) {
                        ASSERT_EQ(score, steps.score);
                    }
                }
            }
        }
    }
    EXPECT_EQ(terms, GetParam().terms);
    EXPECT_EQ(cap, GetParam().cap);
    EXPECT_EQ(sink, GetParam().sink);
}

INSTANTIATE_TEST_SUITE_P(
    Each, FamilySteps,
    testing::Values(FamilyCase{"bert/plain", {}}, FamilyCase{"bloom/plain", {ScoreTerm::KeyBias}},
                    FamilyCase{"t5/plain", {ScoreTerm::DistanceBias}},
                    FamilyCase{"mpnet/plain", {ScoreTerm::DistanceBias}},
                    FamilyCase{"deberta/plain", {ScoreTerm::QueryProduct, ScoreTerm::KeyProduct}},
                    FamilyCase{"xlnet/plain", {ScoreTerm::QueryProduct, ScoreTerm::DistanceBias}},
                    FamilyCase{"gemma2/plain", {}, true}, FamilyCase{"gpt_oss/plain", {}, false, true},
                    FamilyCase{"mistral/window", {}}),
    [](const auto& about) { return about.param.model.substr(0, about.param.model.find('/')); });

} // namespace
} // namespace headscope
