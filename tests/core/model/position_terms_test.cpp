// SPDX-License-Identifier: GPL-3.0-or-later
// What places add to the scores, and absolute sinusoids. Reference values: transformers 4.57.6 with
// torch 2.13.0.
#include "core/model/embedding.h"
#include "core/model/position/position_maker.h"

#include <cmath>
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace headscope {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;

/// Tensors in memory.
class Weights {
  public:
    Weights& add(const std::string& name, std::vector<std::int64_t> shape, std::vector<float> values) {
        m_source->add(name, std::move(shape), std::move(values));
        return *this;
    }
    WeightLoader loader() const { return {{m_source, "", DeviceChoice::Cpu}, WeightLoader::Mode::Read}; }

  private:
    std::shared_ptr<MemoryTensorSource> m_source = std::make_shared<MemoryTensorSource>();
};

TermContext textOf(std::int64_t tokens) {
    TermContext context;
    context.queries = context.keys = tokens;
    return context;
}

// --- linear biases

std::vector<float> slopes(int heads) {
    const auto terms = makeAlibi(Alibi{}, heads)->make(textOf(2));
    std::vector<float> found;
    for (int head = 0; head < heads; ++head) {
        EXPECT_EQ(terms->keyBias.at(static_cast<std::size_t>(2 * head)), 0.0F);
        found.push_back(terms->keyBias.at(static_cast<std::size_t>(2 * head + 1)));
    }
    return found;
}

TEST(AlibiTerms, SlopesOfAnyNumberOfHeads) {
    EXPECT_THAT(slopes(1), ElementsAre(0.00390625F));
    EXPECT_THAT(slopes(8),
                ElementsAre(0.5F, 0.25F, 0.125F, 0.0625F, 0.03125F, 0.015625F, 0.0078125F, 0.00390625F));
    EXPECT_THAT(slopes(6), ElementsAre(0.25F, 0.0625F, 0.015625F, 0.00390625F, 0.5F, 0.125F));
    const std::vector<float> twelve = slopes(12);
    EXPECT_EQ(std::vector<float>(twelve.begin(), twelve.begin() + 8), slopes(8));
    EXPECT_THAT(
        std::vector<float>(twelve.begin() + 8, twelve.end()),
        ElementsAre(FloatEq(0.70710677F), FloatEq(0.35355338F), FloatEq(0.17677668F), FloatEq(0.08838834F)));
    // Powers of a base that was rounded first.
    EXPECT_EQ(slopes(16)[1], 0.49999997F);
    EXPECT_NEAR(slopes(16)[15], 0.0039062488, 1e-9);
}

TEST(AlibiTerms, GrowWithTheKeysPosition) {
    const auto terms = makeAlibi(Alibi{}, 2)->make(textOf(4));
    EXPECT_THAT(terms->keyBias,
                ElementsAre(0.0F, 0.0625F, 0.125F, 0.1875F, 0.0F, 0.00390625F, 0.0078125F, 0.01171875F));
    EXPECT_TRUE(terms->distanceBias.empty());
    EXPECT_FALSE(makeAlibi(Alibi{}, 2)->sharingKey().empty());
}

TEST(AlibiTerms, FalconsAreRoundedToBfloat16AndScaled) {
    TermContext text = textOf(400);
    text.scale = 0.25F;
    const auto terms = makeAlibi(Alibi{.bfloat16 = true}, 12)->make(text);
    const auto bias = [&](int head, int key) {
        return terms->keyBias.at(static_cast<std::size_t>(400 * head + key));
    };
    EXPECT_EQ(bias(0, 257), 128.0F * 0.25F);
    EXPECT_EQ(bias(0, 258), 129.0F * 0.25F);
    EXPECT_EQ(bias(0, 259), 130.0F * 0.25F);
    EXPECT_EQ(bias(8, 1), 0.70703125F * 0.25F);
    EXPECT_EQ(bias(8, 3), 2.125F * 0.25F);
    EXPECT_EQ(bias(9, 399), 141.0F * 0.25F);
    EXPECT_EQ(bias(11, 399), 35.25F * 0.25F);
}

// --- buckets of distances

/// Bucket of each key - query from -199 to 199, told by a table that holds its row numbers.
class Buckets {
  public:
    explicit Buckets(bool bidirectional) {
        std::vector<float> rows;
        for (int row = 0; row < 32; ++row) rows.push_back(static_cast<float>(row));
        Weights weights;
        weights.add("table", {32, 1}, rows);
        BucketBias bias;
        bias.table = "table";
        bias.bidirectional = bidirectional;
        m_terms = readBucketBias(weights.loader(), bias, 1)->make(textOf(kTokens));
    }
    int of(int keyMinusQuery) const {
        return static_cast<int>(
            m_terms->distanceBias.at(static_cast<std::size_t>(keyMinusQuery + kTokens - 1)));
    }

  private:
    static constexpr int kTokens = 200;
    std::shared_ptr<const PositionTerms> m_terms;
};

TEST(BucketTerms, BothWays) {
    const Buckets buckets(true);
    const std::vector<int> first{0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91};
    for (int bucket = 0; bucket < 16; ++bucket) {
        const int distance = first[static_cast<std::size_t>(bucket)];
        EXPECT_EQ(buckets.of(-distance), bucket) << distance;
        if (bucket == 0) continue;
        EXPECT_EQ(buckets.of(1 - distance), bucket - 1) << distance - 1;
        EXPECT_EQ(buckets.of(distance), bucket + 16) << distance;
        if (bucket == 1) continue;
        EXPECT_EQ(buckets.of(distance - 1), bucket + 15) << distance - 1;
    }
    EXPECT_EQ(buckets.of(-199), 15);
    EXPECT_EQ(buckets.of(1), 17) << "the sixteenth bucket is never used";
    EXPECT_EQ(buckets.of(199), 31);
}

TEST(BucketTerms, OneWay) {
    const Buckets buckets(false);
    std::vector<int> first;
    for (int distance = 0; distance <= 16; ++distance) first.push_back(distance);
    for (const int distance : {19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113})
        first.push_back(distance);
    ASSERT_EQ(first.size(), 32U);
    for (int bucket = 0; bucket < 32; ++bucket) {
        const int distance = first[static_cast<std::size_t>(bucket)];
        EXPECT_EQ(buckets.of(-distance), bucket) << distance;
        if (bucket == 0) continue;
        EXPECT_EQ(buckets.of(1 - distance), bucket - 1) << distance - 1;
    }
    EXPECT_EQ(buckets.of(-199), 31);
    EXPECT_EQ(buckets.of(1), 0);
    EXPECT_EQ(buckets.of(199), 0);
}

// --- DeBERTa

/// The row of the table for each query - key, of texts of `tokens` tokens.
class DebertaRows {
  public:
    DebertaRows(RelativeTableSpec table, int tokens) : m_tokens(tokens) {
        table.table = "rel_embeddings.weight";
        TransformerSpec stack;
        stack.hiddenSize = 1;
        stack.relativeTable = table;
        AttentionSpec attention;
        attention.heads = attention.keyValueHeads = 1;
        attention.headSize = 1;
        Disentangled terms;
        terms.positionKey = linearSpec("key", false);
        attention.position = terms;
        Weights weights;
        weights.add("key.weight", {1, 1}, {1.0F});
        const at::Tensor rows = at::zeros({2 * table.span, 1});
        TermContext text = textOf(tokens);
        text.relativeTable = &rows;
        m_terms = readDisentangled(weights.loader(), attention, stack, {})->make(text);
    }
    int of(int queryMinusKey) const {
        return m_terms->query.rowOf.at(static_cast<std::size_t>(m_tokens - 1 - queryMinusKey));
    }

  private:
    int m_tokens;
    std::shared_ptr<const PositionTerms> m_terms;
};

TEST(DebertaTerms, LogarithmicBuckets) {
    RelativeTableSpec table;
    table.buckets = 256;
    table.maxPositions = 512;
    table.span = 1024; // wider than they reach: not clamped
    const DebertaRows rows(table, 700);
    const std::vector<std::pair<int, int>> expected{{0, 0},     {1, 1},     {128, 128}, {129, 129},
                                                    {135, 133}, {200, 169}, {256, 192}, {300, 207},
                                                    {400, 233}, {511, 255}, {512, 256}, {600, 270}};
    for (const auto& [distance, bucket] : expected) {
        EXPECT_EQ(rows.of(distance) - 1024, bucket) << distance;
        EXPECT_EQ(rows.of(-distance) - 1024, -bucket) << distance;
    }
}

TEST(DebertaTerms, BucketsAreClampedToTheTable) {
    RelativeTableSpec table;
    table.buckets = 256;
    table.maxPositions = 512;
    table.span = 256;
    const DebertaRows rows(table, 700);
    EXPECT_EQ(rows.of(511), 255 + 256);
    EXPECT_EQ(rows.of(512), 511);
    EXPECT_EQ(rows.of(600), 511);
    EXPECT_EQ(rows.of(-512), 0);
    EXPECT_EQ(rows.of(-600), 0);
}

TEST(DebertaTerms, TheFirstVersionCountsTokens) {
    RelativeTableSpec table;
    table.span = 4;
    table.spanFollowsLength = true;
    const DebertaRows longer(table, 9);
    EXPECT_EQ(longer.of(0), 4);
    EXPECT_EQ(longer.of(3), 7);
    EXPECT_EQ(longer.of(8), 7);
    EXPECT_EQ(longer.of(-4), 0);
    EXPECT_EQ(longer.of(-8), 0);
    const DebertaRows shorter(table, 2); // rows of the middle of the table
    EXPECT_EQ(shorter.of(0), 2);
    EXPECT_EQ(shorter.of(1), 3);
    EXPECT_EQ(shorter.of(-1), 1);
}

// --- sinusoids

/// The first states of a text over words that are all 0: its positions.
std::vector<std::vector<float>> sinusoids(PositionEmbeddingSpec positions, std::int64_t width,
                                          const std::vector<std::int64_t>& ids) {
    Weights weights;
    weights.add("words", {10, width}, std::vector<float>(static_cast<std::size_t>(10 * width), 0.0F));
    TransformerSpec stack;
    stack.hiddenSize = width;
    stack.embedding.words = "words";
    stack.embedding.vocabularySize = 10;
    stack.embedding.width = width;
    stack.embedding.positions = std::move(positions);
    const at::Tensor states = Embedding(weights.loader(), stack, DeviceChoice::Cpu).forward(ids, {});
    std::vector<std::vector<float>> rows;
    for (std::int64_t token = 0; token < states.size(0); ++token) {
        const float* row = states.const_data_ptr<float>() + token * width;
        rows.emplace_back(row, row + width);
    }
    return rows;
}

void expectRow(const std::vector<float>& found, const std::vector<double>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 6e-7) << i;
}

TEST(Sinusoids, MariansAreSinesThenCosines) {
    PositionEmbeddingSpec positions;
    positions.source = PositionEmbeddingSpec::Source::Marian;
    const auto rows = sinusoids(positions, 8, {5, 5, 5, 5});
    expectRow(rows[0], {0, 0, 0, 0, 1, 1, 1, 1});
    expectRow(rows[3], {0.141120, 0.295520, 0.029996, 0.003000, -0.989992, 0.955336, 0.999550, 0.999996});
}

TEST(Sinusoids, M2msCountFromThePaddingAndHaveOtherFrequencies) {
    PositionEmbeddingSpec positions;
    positions.source = PositionEmbeddingSpec::Source::M2m;
    positions.paddingId = 1;
    const auto rows = sinusoids(positions, 8, {5, 1, 6}); // rows 2, 1 and 3
    EXPECT_NE(rows[0], rows[2]);
    EXPECT_THAT(rows[1], Each(0.0F));
    expectRow(rows[2], {0.141120, 0.138798, 0.006463, 0.000300, -0.989992, 0.990321, 0.999979, 1.000000});
    const std::vector<float> odd = sinusoids(positions, 7, {5, 6})[1];
    EXPECT_NEAR(odd[0], 0.141120, 6e-7);
    EXPECT_NEAR(odd[3], -0.989992, 6e-7);
    EXPECT_EQ(odd[6], 0.0F);
}

} // namespace
} // namespace headscope
