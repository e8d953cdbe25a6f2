// SPDX-License-Identifier: GPL-3.0-or-later
// How a weight came about, step by step: by hand, against the definition in double, and against the map.
#include "core/maps/score_steps.h"
#include "tests/core/maps/terms_fixture.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace headscope {
namespace {

std::uint32_t bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

/// A head with given queries and keys of two dimensions, with scale 1/2.
BuiltLayer layerOf(const MaskRule& mask, std::vector<float> queries, const std::vector<float>& keys,
                   std::optional<float> sink = {}) {
    BuiltLayer built;
    LayerMaps& layer = *built.layer;
    layer.heads = layer.keyValueHeads = 1;
    layer.headSize = 2;
    layer.rule = {.scale = 0.5F, .mask = mask};
    if (sink) layer.rule.sinks = {*sink};
    layer.keepQueries({queries.data(), mask.queries, 2});
    layer.keys.push_back(
        std::make_shared<const KeyPanels>(MatrixView<const float>(keys.data(), mask.keys, 2)));
    std::vector<float> strip(static_cast<std::size_t>(mask.queries * mask.keys));
    std::vector<RowSums> sums(static_cast<std::size_t>(mask.queries));
    const Span rows{0, mask.queries};
    scoreVisible(layer.sourceOf(HeadIndex(0)), mask, {rows, {0, mask.keys}},
                 {strip.data(), mask.queries, mask.keys});
    softmaxRows(layer.softmaxOf(HeadIndex(0)), rows, {strip.data(), mask.queries, mask.keys}, sums.data());
    for (const RowSums& row : sums) layer.normalisers.push_back(row.normaliser);
    return built;
}

TEST(ScoreSteps, ByHand) {
    // q = (1, 2); k0 = (3, 1), k1 = (0, 2), k2 = (2, 0): products 5, 4, 2, halves of them 2.5, 2, 1.
    const BuiltLayer built = layerOf(openMask(1, 3), {1.0F, 2.0F}, {3.0F, 1.0F, 0.0F, 2.0F, 2.0F, 0.0F});
    const ScoreSteps steps = scoreSteps(*built.layer, HeadIndex(0), 0, 1);
    EXPECT_EQ(steps.query, (std::vector<float>{1.0F, 2.0F}));
    EXPECT_EQ(steps.key, (std::vector<float>{0.0F, 2.0F}));
    EXPECT_EQ(steps.products, (std::vector<float>{0.0F, 4.0F}));
    EXPECT_EQ(steps.dot, 4.0F);
    EXPECT_EQ(steps.scale, 0.5F);
    EXPECT_EQ(steps.scaled, 2.0F);
    EXPECT_TRUE(steps.terms.empty());
    EXPECT_FALSE(steps.softCap.has_value());
    EXPECT_EQ(steps.score, 2.0F);
    EXPECT_EQ(steps.visibleKeys, 3);
    EXPECT_EQ(steps.row.maximum, 2.5F);
    EXPECT_EQ(steps.maximumKey, 0);
    EXPECT_NEAR(steps.exponential, std::exp(-0.5), 1e-7);
    EXPECT_NEAR(steps.row.sum, 1.0 + std::exp(-0.5) + std::exp(-1.5), 2e-7);
    EXPECT_FALSE(steps.sink.has_value());
    EXPECT_NEAR(steps.weight, std::exp(-0.5) / (1.0 + std::exp(-0.5) + std::exp(-1.5)), 1e-7);
}

TEST(ScoreSteps, ASinkIsOneMoreScoreOfTheRowAndMayBeItsLargest) {
    const std::vector<float> keys{3.0F, 1.0F, 0.0F, 2.0F};
    const BuiltLayer high = layerOf(openMask(1, 2), {1.0F, 2.0F}, keys, 3.5F);
    const ScoreSteps under = scoreSteps(*high.layer, HeadIndex(0), 0, 0);
    EXPECT_EQ(under.sink, 3.5F);
    EXPECT_EQ(under.row.maximum, 3.5F);
    EXPECT_FALSE(under.maximumKey.has_value());
    EXPECT_EQ(under.sinkExponential, 1.0F);
    EXPECT_NEAR(under.weight, std::exp(-1.0) / (1.0 + std::exp(-1.0) + std::exp(-1.5)), 1e-7);

    const BuiltLayer low = layerOf(openMask(1, 2), {1.0F, 2.0F}, keys, 0.5F);
    const ScoreSteps over = scoreSteps(*low.layer, HeadIndex(0), 0, 0);
    EXPECT_EQ(over.maximumKey, 0);
    EXPECT_NEAR(over.sinkExponential, std::exp(-2.0), 1e-7);
    EXPECT_NEAR(over.row.sum, 1.0 + std::exp(-0.5) + std::exp(-2.0), 2e-7);
}

TEST(ScoreSteps, SaysWhatHidesACell) {
    MaskRule mask = openMask(8, 8);
    EXPECT_EQ(hiddenBy(mask, 0, 7), HiddenBy::Nothing);
    mask.causal = true;
    EXPECT_EQ(hiddenBy(mask, 3, 3), HiddenBy::Nothing);
    EXPECT_EQ(hiddenBy(mask, 3, 4), HiddenBy::Causality);
    mask.window = 2; // the token itself and the one before
    EXPECT_EQ(hiddenBy(mask, 3, 2), HiddenBy::Nothing);
    EXPECT_EQ(hiddenBy(mask, 3, 1), HiddenBy::Window);
    EXPECT_EQ(hiddenBy(mask, 3, 4), HiddenBy::Causality);
    mask.queryOffset = 4; // query 3 stands at 7
    EXPECT_EQ(hiddenBy(mask, 3, 7), HiddenBy::Nothing);
    EXPECT_EQ(hiddenBy(mask, 3, 5), HiddenBy::Window);
    mask = openMask(8, 8);
    mask.window = 2; // both ways: one token on either side
    EXPECT_EQ(hiddenBy(mask, 3, 4), HiddenBy::Nothing);
    EXPECT_EQ(hiddenBy(mask, 3, 5), HiddenBy::Window);
    mask = openMask(2, 2);
    mask.keyAllowed = {1, 0};
    EXPECT_EQ(hiddenBy(mask, 0, 1), HiddenBy::Padding);
    mask = openMask(2, 2);
    mask.allowed = std::make_shared<const std::vector<std::uint8_t>>(std::vector<std::uint8_t>{1, 1, 0, 1});
    EXPECT_EQ(hiddenBy(mask, 1, 0), HiddenBy::GivenMask);
    EXPECT_EQ(hiddenBy(mask, 1, 1), HiddenBy::Nothing);
}

TEST(ScoreSteps, AHiddenCellHasAScoreButNoWeight) {
    MaskRule mask = openMask(2, 2);
    mask.causal = true;
    const BuiltLayer built = layerOf(mask, {1.0F, 2.0F, 1.0F, 1.0F}, {3.0F, 1.0F, 0.0F, 2.0F});
    const ScoreSteps steps = scoreSteps(*built.layer, HeadIndex(0), 0, 1);
    EXPECT_EQ(steps.hidden, HiddenBy::Causality);
    EXPECT_EQ(steps.score, 2.0F);
    EXPECT_EQ(steps.exponential, 0.0F);
    EXPECT_EQ(steps.weight, 0.0F);
    EXPECT_EQ(steps.visibleKeys, 1);
    EXPECT_EQ(steps.maximumKey, 0);
}

std::vector<MaskRule> masks(std::int64_t queries, std::int64_t keys) {
    const MaskRule open = openMask(queries, keys);
    MaskRule causal = open;
    causal.causal = true;
    MaskRule window = causal;
    window.window = 7;
    MaskRule padded = open;
    for (std::int64_t k = 0; k < keys; ++k) padded.keyAllowed.push_back(k % 4 != 2);
    MaskRule nothing = open; // some rows see nothing
    nothing.causal = true;
    nothing.keyAllowed.assign(static_cast<std::size_t>(keys), 1);
    for (std::size_t k = 0; k < 5; ++k) nothing.keyAllowed[k] = 0;
    return {open, causal, window, padded, nothing};
}

/// Every step against the one before it, and the last against the map.
void checkSteps(const ScoreSteps& steps) {
    float dot = 0.0F;
    for (std::size_t d = 0; d < steps.products.size(); ++d) {
        ASSERT_EQ(steps.products[d], steps.query[d] * steps.key[d]);
        dot = std::fma(steps.query[d], steps.key[d], dot);
    }
    ASSERT_EQ(bits(steps.dot), bits(dot));
    ASSERT_EQ(bits(steps.scaled), bits(steps.scale * dot));
    float score = steps.scaled;
    for (const ScoreSteps::Term& term : steps.terms) {
        score += term.value;
        ASSERT_EQ(bits(term.after), bits(score)) << static_cast<int>(term.term);
    }
    if (steps.softCap) {
        const double cap = static_cast<double>(*steps.softCap);
        ASSERT_NEAR(steps.score, cap * std::tanh(static_cast<double>(score) / cap), 4e-7 * cap);
    } else {
        ASSERT_EQ(bits(steps.score), bits(score));
    }
    if (steps.hidden != HiddenBy::Nothing) {
        ASSERT_EQ(steps.weight, 0.0F);
        return;
    }
    const double exact = std::exp(static_cast<double>(steps.score) - static_cast<double>(steps.row.maximum));
    ASSERT_NEAR(steps.exponential, exact, 3e-7 * exact + 1e-37);
    ASSERT_EQ(bits(steps.weight), bits(steps.exponential / steps.row.sum));
}

TEST(ScoreSteps, AddUpToTheMapForEveryTermAndMask) {
    const LayerShape shape{4, 2, 24};
    for (const MaskRule& mask : masks(17, 33)) {
        for (const auto& [name, rule] : termCases(mask, shape)) {
            SCOPED_TRACE(name);
            const BuiltLayer built = buildLayer(rule, shape);
            for (const int head : {0, 3}) {
                const auto map = built.map(head);
                for (std::int64_t i = 0; i < mask.queries; i += 4) {
                    double sum = 0.0;
                    ScoreSteps steps;
                    for (std::int64_t j = 0; j < mask.keys; ++j) {
                        steps = scoreSteps(*built.layer, HeadIndex(head), i, j);
                        checkSteps(steps);
                        if (HasFatalFailure()) FAIL() << i << " " << j;
                        ASSERT_EQ(bits(steps.weight), bits(map->cell(i, j))) << i << " " << j;
                        ASSERT_EQ(bits(steps.score), bits(built.layer->score(HeadIndex(head), i, j)));
                        ASSERT_EQ(steps.hidden == HiddenBy::Nothing, mask.visible(i, j));
                        sum += static_cast<double>(steps.exponential);
                    }
                    ASSERT_EQ(steps.sink.has_value(), !rule.sinks.empty());
                    sum += static_cast<double>(steps.sinkExponential);
                    ASSERT_NEAR(sum, steps.row.sum, 1e-6 * sum);
                    if (steps.maximumKey) {
                        ASSERT_TRUE(mask.visible(i, *steps.maximumKey));
                        ASSERT_EQ(bits(built.layer->score(HeadIndex(head), i, *steps.maximumKey)),
                                  bits(steps.row.maximum));
                    } else {
                        ASSERT_TRUE(steps.visibleKeys == 0 || steps.sink == steps.row.maximum);
                    }
                }
            }
        }
    }
}

TEST(ScoreSteps, NameTheTermsOfARuleInItsOrder) {
    const LayerShape shape{2, 1, 16};
    const MaskRule mask = openMask(5, 9);
    std::map<std::string, std::vector<ScoreTerm>> found;
    for (const auto& [name, rule] : termCases(mask, shape))
        for (const auto& term : scoreSteps(*buildLayer(rule, shape).layer, HeadIndex(1), 3, 4).terms)
            found[name].push_back(term.term);
    using Terms = std::vector<ScoreTerm>;
    EXPECT_EQ(found["no term"], Terms{});
    EXPECT_EQ(found["query product, one row a distance"], Terms{ScoreTerm::QueryProduct});
    EXPECT_EQ(found["key product, one row a distance"], Terms{ScoreTerm::KeyProduct});
    EXPECT_EQ(found["key bias"], Terms{ScoreTerm::KeyBias});
    EXPECT_EQ(found["distance bias"], Terms{ScoreTerm::DistanceBias});
    EXPECT_EQ(found["segments"], Terms{ScoreTerm::Segment});
    EXPECT_EQ(found["everything"], (Terms{ScoreTerm::QueryProduct, ScoreTerm::KeyProduct, ScoreTerm::KeyBias,
                                          ScoreTerm::DistanceBias, ScoreTerm::Segment}));
}

} // namespace
} // namespace headscope
