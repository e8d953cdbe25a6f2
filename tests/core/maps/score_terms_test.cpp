// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of a score: against their definition in double, and equal to the bit along every path.
#include "tests/core/maps/terms_fixture.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

struct Size {
    std::int64_t queries;
    std::int64_t keys;
    LayerShape shape;
};

/// On both sides of panels, tiles, blocks of 12 queries, strips of 96 and stretches of 512 keys.
std::vector<Size> sizes() {
    return {{1, 1, {1, 1, 1}},    {1, 40, {1, 1, 5}},    {40, 1, {1, 1, 8}},
            {17, 33, {4, 2, 24}}, {97, 100, {2, 1, 16}}, {15, 540, {1, 1, 7}}};
}

std::vector<MaskRule> masksFor(const Size& size) {
    const MaskRule open = openMask(size.queries, size.keys);
    MaskRule causal = open;
    causal.causal = true;
    MaskRule offset = causal;
    offset.queryOffset = std::max<std::int64_t>(size.keys - size.queries, 0);
    offset.window = 7;
    MaskRule window = open;
    window.window = 5;
    for (std::int64_t k = 0; k < size.keys; ++k) window.keyAllowed.push_back(k % 4 != 2);
    return {open, causal, offset, window};
}

TEST(ScoreTerms, AgreeWithTheDefinitionInDouble) {
    for (const Size& size : sizes()) {
        const MaskRule mask = openMask(size.queries, size.keys);
        for (const auto& [name, rule] : termCases(mask, size.shape)) {
            SCOPED_TRACE(name + ", keys " + std::to_string(size.keys));
            rule.check(size.shape.heads, size.shape.headSize);
            const BuiltLayer built = buildLayer(rule, size.shape);
            const LayerMaps& layer = *built.layer;
            const std::int64_t keyWidth = size.shape.keyValueHeads * size.shape.headSize;
            for (int head = 0; head < size.shape.heads; ++head) {
                const std::int64_t shared = head / (size.shape.heads / size.shape.keyValueHeads);
                std::vector<float> scores(static_cast<std::size_t>(mask.queries * mask.keys), NAN);
                scoreBlock(layer.sourceOf(HeadIndex(head)), {{0, mask.queries}, {0, mask.keys}},
                           {scores.data(), mask.queries, mask.keys});
                for (std::int64_t i = 0; i < mask.queries; ++i) {
                    for (std::int64_t j = 0; j < mask.keys; ++j) {
                        const double exact =
                            scoreByDefinition(rule, {head, i, j}, layer.queriesOf(HeadIndex(head)).row(i),
                                              built.keys.data() + j * keyWidth + shared * size.shape.headSize,
                                              size.shape.headSize);
                        ASSERT_NEAR(scores[static_cast<std::size_t>(i * mask.keys + j)], exact, 4e-6)
                            << i << " " << j;
                    }
                }
                ASSERT_EQ(layer.score(HeadIndex(head), mask.queries - 1, mask.keys / 2),
                          scores[static_cast<std::size_t>((mask.queries - 1) * mask.keys + mask.keys / 2)]);
            }
        }
    }
}

TEST(ScoreTerms, EveryInstructionSetGivesTheSameBits) {
    for (const Size& size : sizes()) {
        for (const MaskRule& mask : masksFor(size)) {
            for (const auto& [name, rule] : termCases(mask, size.shape)) {
                const BuiltLayer reference = buildLayer(rule, size.shape, Isa::Scalar);
                for (const Isa isa : supportedIsas()) {
                    SCOPED_TRACE(name + ", " + std::string(nameOf(isa)));
                    const BuiltLayer other = buildLayer(rule, size.shape, isa);
                    for (std::size_t head = 0; head < reference.strips.size(); ++head) {
                        ASSERT_EQ(bitsOf(other.strips[head]), bitsOf(reference.strips[head]));
                        for (std::size_t r = 0; r < reference.sums[head].size(); ++r) {
                            const RowSums& a = other.sums[head][r];
                            const RowSums& b = reference.sums[head][r];
                            ASSERT_EQ(a.normaliser.maximum, b.normaliser.maximum);
                            ASSERT_EQ(a.normaliser.sum, b.normaliser.sum);
                            ASSERT_EQ(a.visibleSum, b.visibleSum);
                            ASSERT_EQ(a.weightedScore, b.weightedScore);
                            ASSERT_EQ(a.weightSum, b.weightSum);
                            ASSERT_EQ(a.scoreSum, b.scoreSum);
                            ASSERT_EQ(a.scoreSquares, b.scoreSquares);
                            ASSERT_EQ(a.sinkWeight, b.sinkWeight);
                        }
                    }
                }
            }
        }
    }
}

TEST(ScoreTerms, StripTileRowColumnAndCellAreEqualToTheBit) {
    std::mt19937 random(5);
    const auto below = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
    };
    for (const Size& size : sizes()) {
        for (const MaskRule& mask : masksFor(size)) {
            for (const auto& [name, rule] : termCases(mask, size.shape)) {
                SCOPED_TRACE(name + ", keys " + std::to_string(size.keys));
                const BuiltLayer built = buildLayer(rule, size.shape);
                const int head = size.shape.heads - 1;
                const auto map = built.map(head);
                const MatrixView<const float> strip(built.strips.back().data(), mask.queries, mask.keys);
                for (int trial = 0; trial < 4; ++trial) {
                    Span rows{below(mask.queries), 0};
                    Span columns{below(mask.keys), 0};
                    rows.end = rows.begin + 1 + below(mask.queries - rows.begin);
                    columns.end = columns.begin + 1 + below(mask.keys - columns.begin);
                    std::vector<float> tile(static_cast<std::size_t>(rows.size() * columns.size()), NAN);
                    const MatrixView<float> out(tile.data(), rows.size(), columns.size());
                    map->tile(rows, columns, out);
                    for (std::int64_t r = 0; r < rows.size(); ++r)
                        for (std::int64_t c = 0; c < columns.size(); ++c)
                            ASSERT_EQ(out.at(r, c), strip.at(rows.begin + r, columns.begin + c));
                    ASSERT_EQ(map->cell(rows.begin, columns.begin), strip.at(rows.begin, columns.begin));
                    const std::vector<float> row = map->row(rows.begin);
                    for (std::int64_t k = 0; k < mask.keys; ++k)
                        ASSERT_EQ(row[static_cast<std::size_t>(k)], strip.at(rows.begin, k));
                    const std::vector<float> column = map->column(columns.begin);
                    for (std::int64_t q = 0; q < mask.queries; ++q)
                        ASSERT_EQ(column[static_cast<std::size_t>(q)], strip.at(q, columns.begin));
                }
            }
        }
    }
}

TEST(ScoreTerms, StripsOfAnyHeightGiveTheSameBits) {
    MaskRule mask = openMask(100, 130);
    mask.causal = true;
    mask.queryOffset = 30;
    const LayerShape shape{1, 1, 24};
    const ScoreRule rule = termCases(mask, shape).back().rule;
    const BuiltLayer whole = buildLayer(rule, shape);
    const LayerMaps& layer = *whole.layer;
    for (const std::int64_t step : {1, 5, 12, 13, 48, 97}) {
        std::vector<float> weights(100 * 130, NAN);
        std::vector<RowSums> sums(100);
        for (std::int64_t row = 0; row < 100; row += step) {
            const Span rows{row, std::min<std::int64_t>(row + step, 100)};
            const MatrixView<float> strip(weights.data() + row * 130, rows.size(), 130);
            scoreVisible(layer.sourceOf(HeadIndex(0)), mask, {rows, {0, 130}}, strip);
            softmaxRows(layer.softmaxOf(HeadIndex(0)), rows, strip, sums.data() + row);
        }
        EXPECT_EQ(bitsOf(weights), bitsOf(whole.strips[0])) << step;
    }
}

TEST(ScoreTerms, ByHand) {
    // Two queries, three keys, one head of size 1: q = 1, 2; k = 1, 2, 4; scale 1.
    const std::vector<float> q = {1, 2};
    const std::vector<float> k = {1, 2, 4};
    const std::vector<float> table = {10, 20, 30, 40};
    const auto panels = std::make_shared<const KeyPanels>(MatrixView<const float>(table.data(), 4, 1));
    PositionTerms terms;
    // key - query = -1, 0, 1, 2.
    terms.query = {.tables = {panels}, .rowOf = {0, 1, 2, 3}, .scale = 2.0F};
    terms.key = {.tables = {panels}, .rowOf = {3, 2, 1, 1}, .scale = 0.5F};
    terms.keyBias = {100, 200, 300};
    terms.distanceBias = {1000, 2000, 3000, 4000};
    terms.segment = {.ofQuery = {0, 1}, .ofKey = {0, 0, 1}, .same = {1e4F, 2e4F}, .other = {3e4F, 4e4F}};
    LayerMaps layer;
    layer.heads = layer.keyValueHeads = 1;
    layer.headSize = 1;
    layer.rule.mask = openMask(2, 3);
    layer.rule.position = std::make_shared<const PositionTerms>(terms);
    layer.queries = {q.data(), 2, 1};
    layer.keys.push_back(std::make_shared<const KeyPanels>(MatrixView<const float>(k.data(), 3, 1)));
    const auto score = [&](std::int64_t query, std::int64_t key) {
        return layer.score(HeadIndex(0), query, key);
    };
    layer.rule.check(1, 1);
    EXPECT_EQ(score(0, 0), 1 + 2 * 20 + 0.5F * 30 + 100 + 2000 + 10000);
    EXPECT_EQ(score(0, 2), 4 + 2 * 40 + 0.5F * 4 * 20 + 300 + 4000 + 30000);
    EXPECT_EQ(score(1, 0), 2 + 2 * 2 * 10 + 0.5F * 40 + 100 + 1000 + 40000);
    EXPECT_EQ(score(1, 2), 8 + 2 * 2 * 30 + 0.5F * 4 * 20 + 300 + 3000 + 20000);
    // Position terms count in the layer, and a table that two products share once.
    const std::size_t numbers = 2 + 16 + 4 + 4 + 3 + 4 + 2 + 2 + 16;
    EXPECT_EQ(layer.bytes(), numbers * sizeof(float) + 2 + 3);
    layer.rule.softCap = 50.0F;
    EXPECT_EQ(score(0, 0), 50.0F) << "12156 / 50 is far beyond what tanh tells from 1";
}

class SoftCap : public testing::TestWithParam<Isa> {
  protected:
    /// cap * tanh(x / cap) as the kernel computes it.
    static std::vector<float> capped(const std::vector<float>& x, float cap) {
        const float one = 1.0F;
        const auto count = static_cast<std::int64_t>(x.size());
        const KeyPanels keys({x.data(), count, 1});
        std::vector<float> out(x.size());
        ScoreSource source{{&one, 1, 1}, keys, 1.0F};
        source.terms.queries = 1;
        source.terms.softCap = cap;
        scoreBlock(source, {{0, 1}, {0, count}}, {out.data(), 1, count}, GetParam());
        return out;
    }
};
INSTANTIATE_TEST_SUITE_P(Every, SoftCap, testing::ValuesIn(supportedIsas()),
                         [](const auto& about) { return std::string(nameOf(about.param)); });

TEST_P(SoftCap, IsWithinTheStatedErrorOverTheWholeRange) {
    for (const float cap : {50.0F, 30.0F, 17.3F, 1.0F}) {
        std::vector<float> x;
        for (float value = 1e-6F; value < 100.0F; value *= 1.0007F) x.push_back(value * cap);
        for (float value = 0.0F; value < 11.0F; value += 0.0007F) x.push_back(-value * cap);
        const std::vector<float> y = capped(x, cap);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double exact =
                static_cast<double>(cap) * std::tanh(static_cast<double>(x[i]) / static_cast<double>(cap));
            ASSERT_LE(std::abs(y[i] - exact), 3e-7 * std::abs(exact)) << x[i];
            ASSERT_LE(std::abs(y[i] - exact), 2e-7 * static_cast<double>(cap)) << x[i];
            ASSERT_LE(std::abs(y[i]), cap);
        }
    }
}

TEST_P(SoftCap, IsOddKeepsNaNAndEndsAtTheCap) {
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> x = {0.0F, -0.0F, 3.0F, -3.0F, 1e30F, -1e30F, infinity, -infinity, NAN};
    const std::vector<float> y = capped(x, 20.0F);
    EXPECT_EQ(y[0], 0.0F);
    EXPECT_EQ(y[2], -y[3]);
    for (const std::size_t i : {4U, 6U}) {
        EXPECT_EQ(y[i], 20.0F);
        EXPECT_EQ(y[i + 1], -20.0F);
    }
    EXPECT_TRUE(std::isnan(y[8]));
}

TEST(ScoreRuleDeathTest, CheckNoticesWrongTerms) {
    const MaskRule mask = openMask(4, 5);
    const LayerShape shape{2, 1, 3};
    const ScoreRule good = termCases(mask, shape).back().rule;
    good.check(2, 3);
    const auto spoilt = [&](const std::function<void(PositionTerms&)>& spoil) {
        PositionTerms terms = *good.position;
        spoil(terms);
        ScoreRule rule = good;
        rule.position = std::make_shared<const PositionTerms>(std::move(terms));
        rule.check(2, 3);
    };
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.query.tables.pop_back(); }), "tables");
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.query.rowOf.pop_back(); }), "numbers");
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.key.rowOf.front() = -1; }), "lowest");
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.key.rowOf.back() = 1000; }), "highest");
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.key.rowOf = {3, 3, 5, 5, 5, 5, 5, 5}; }), "step");
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.key.rowOf = {3, 4, 5, 4, 4, 4, 4, 4}; }), "rises");
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.keyBias.pop_back(); }), "numbers");
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.distanceBias.pop_back(); }), "numbers");
    EXPECT_DEATH(spoilt([](PositionTerms& t) { t.segment.ofKey.pop_back(); }), "numbers");
    EXPECT_DEATH(good.check(2, 4), "headSize");
    ScoreRule rule = good;
    rule.softCap = 0.0F;
    EXPECT_DEATH(rule.check(2, 3), "softCap");
    rule = good;
    rule.sinks.pop_back();
    EXPECT_DEATH(rule.check(2, 3), "numbers");
}

} // namespace
} // namespace headscope
