// SPDX-License-Identifier: GPL-3.0-or-later
// BERT's relatives and the other encoders: defaults, switches and what is refused. The numbers they compute
// are compared in family_golden_test.cpp.
#include "core/model/families.h"
#include "tests/core/model/spec_from.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace headscope {
namespace {

using test::configOf;
using test::specError;
using test::specFrom;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ModelSpec spec(const std::string& family, const std::string& members = {}) {
    return specFrom(configOf(family, members));
}
std::string error(const std::string& family, const std::string& members) {
    return specError(configOf(family, members));
}
const AttentionSpec& attentionOf(const ModelSpec& spec, std::size_t layer = 0) {
    return spec.main.blocks.at(layer).attention;
}

/// The expected defaults of one class.
struct Defaults {
    std::string family;
    std::int64_t hidden;
    int layers;
    int heads;
    std::int64_t intermediate;
    std::int64_t vocabulary;
    std::int64_t tokenTypes; ///< what the family's tokenizer feeds
    std::optional<std::int64_t> maxPositions;
    double epsilon;
};

const std::vector<Defaults> kDefaults{
    {"albert", 4096, 12, 64, 16384, 30000, 2, 512, 1e-12},
    {"bert", 768, 12, 12, 3072, 30522, 2, 512, 1e-12},
    {"camembert", 768, 12, 12, 3072, 30522, 0, 510, 1e-12},
    {"distilbert", 768, 6, 12, 3072, 30522, 0, 512, 1e-12},
    {"electra", 256, 12, 4, 1024, 30522, 2, 512, 1e-12},
    {"modernbert", 768, 22, 12, 1152, 50368, 0, std::nullopt, 1e-5},
    {"mpnet", 768, 12, 12, 3072, 30527, 0, 510, 1e-12},
    {"roberta", 768, 12, 12, 3072, 50265, 0, 510, 1e-12},
    {"xlm-roberta", 768, 12, 12, 3072, 30522, 0, 510, 1e-12},
};

TEST(EncoderFamilies, DefaultsAreThoseOfTransformers) {
    for (const Defaults& expected : kDefaults) {
        SCOPED_TRACE(expected.family);
        const ModelSpec found = spec(expected.family);
        EXPECT_EQ(found.family, expected.family);
        ASSERT_EQ(found.stacks.size(), 1U);
        EXPECT_EQ(found.stacks[0].layers, expected.layers);
        EXPECT_EQ(found.stacks[0].heads, expected.heads);
        EXPECT_EQ(found.stacks[0].headSize, expected.hidden / expected.heads);
        EXPECT_FALSE(found.stacks[0].causal);
        EXPECT_EQ(found.hiddenSize, expected.hidden);
        EXPECT_EQ(found.intermediateSize, expected.intermediate);
        EXPECT_EQ(found.vocabularySize, expected.vocabulary);
        EXPECT_EQ(found.tokenTypes, expected.tokenTypes);
        EXPECT_EQ(found.maxPositions, expected.maxPositions);
        EXPECT_EQ(found.normEpsilon, expected.epsilon);
        EXPECT_EQ(found.activation, expected.family == "albert" ? Activation::GeluTanh : Activation::GeluErf);
        EXPECT_DOUBLE_EQ(attentionOf(found).scale,
                         1.0 / std::sqrt(static_cast<double>(attentionOf(found).headSize)));
        EXPECT_FALSE(found.head.has_value());
        EXPECT_THAT(found.notes, IsEmpty());
    }
    EXPECT_EQ(spec("modernbert").trainedPositions, 8192);
    EXPECT_EQ(spec("electra").main.embedding.width, 128);
    EXPECT_EQ(spec("albert").main.embedding.width, 128);
}

/// "LN eps: class default != hub value (RoBERTa 1e-12 vs 1e-5; DistilBERT fixed)".
TEST(EncoderFamilies, TheEpsilonIsTheFilesAndDistilbertsIsFixed) {
    const ModelSpec roberta = spec("roberta", R"("layer_norm_eps": 1e-5)");
    EXPECT_EQ(roberta.normEpsilon, 1e-5);
    EXPECT_EQ(roberta.main.embedding.norm->epsilon, 1e-5);
    EXPECT_EQ(roberta.main.blocks[0].feedForwardBranch.after->epsilon, 1e-5);
    EXPECT_EQ(spec("distilbert", R"("layer_norm_eps": 1e-5)").main.blocks[0].attentionBranch.after->epsilon,
              1e-12);
}

/// "RoBERTa positions: offset pad+1, from ids; 514 rows = 512 usable".
TEST(EncoderFamilies, RobertaCountsPositionsFromThePaddingId) {
    const ModelSpec hub = spec("roberta", R"("max_position_embeddings": 514, "type_vocab_size": 1)");
    EXPECT_EQ(hub.maxPositions, 512);
    EXPECT_EQ(hub.main.embedding.positions.rows, 514);
    EXPECT_EQ(hub.main.embedding.positions.paddingId, 1);
    EXPECT_EQ(spec("roberta", R"("pad_token_id": 9)").maxPositions, 502);
    EXPECT_EQ(spec("roberta", R"("pad_token_id": -1)").maxPositions, 512);
    EXPECT_THAT(error("roberta", R"("pad_token_id": null)"),
                AllOf(HasSubstr("pad_token_id"), HasSubstr("found null")));
    EXPECT_THAT(error("roberta", R"("pad_token_id": -2)"), HasSubstr("pad_token_id"));
    EXPECT_THAT(error("roberta", R"("pad_token_id": 511)"),
                AllOf(HasSubstr("pad_token_id"), HasSubstr("512")));
    EXPECT_THAT(error("camembert", R"("max_position_embeddings": 2)"), HasSubstr("max_position_embeddings"));
    // Relative positions count from 0, and need no row.
    const ModelSpec relative = spec("roberta", R"("position_embedding_type": "relative_key")");
    EXPECT_EQ(relative.maxPositions, 512);
    EXPECT_EQ(relative.main.embedding.positions.source, PositionEmbeddingSpec::Source::None);
}

/// "token types: RoBERTa type_vocab 1: passing BERT-style types indexes out of range; MPNet/DistilBERT have
/// none".
TEST(EncoderFamilies, TokenTypesAreThoseThatTheTokenizerFeeds) {
    const ModelSpec roberta = spec("roberta", R"("type_vocab_size": 1)");
    EXPECT_EQ(roberta.tokenTypes, 0);
    EXPECT_EQ(roberta.main.embedding.typeCount, 1); // the first row is added all the same
    EXPECT_EQ(spec("bert", R"("type_vocab_size": 3)").tokenTypes, 3);
    EXPECT_THAT(spec("mpnet").main.embedding.types, IsEmpty());
    EXPECT_THAT(spec("distilbert").main.embedding.types, IsEmpty());
    EXPECT_THAT(error("bert", R"("type_vocab_size": 0)"), HasSubstr("type_vocab_size"));
}

TEST(EncoderFamilies, ThePaddingIdIsAWord) {
    for (const char* family : {"albert", "bert", "distilbert", "electra", "modernbert", "roberta"}) {
        EXPECT_THAT(error(family, R"("vocab_size": 100, "pad_token_id": 100)"), HasSubstr("pad_token_id"))
            << family;
        EXPECT_THAT(error(family, R"("vocab_size": 100, "pad_token_id": 3, "max_position_embeddings": 20)"),
                    IsEmpty())
            << family;
    }
    EXPECT_THAT(error("modernbert", R"("vocab_size": 100)"),
                AllOf(HasSubstr("pad_token_id"), HasSubstr("50283"), HasSubstr("at most 99")));
    EXPECT_THAT(error("modernbert", R"("vocab_size": 100, "pad_token_id": null)"), IsEmpty());
    EXPECT_THAT(error("mpnet", R"("vocab_size": 1)"), HasSubstr("padding id"));
    EXPECT_THAT(error("mpnet", R"("max_position_embeddings": 2)"), HasSubstr("padding id"));
}

TEST(BertLike, DecodersSeeEarlierTokens) {
    EXPECT_TRUE(spec("bert", R"("is_decoder": true)").stacks[0].causal);
    const ModelSpec cross = spec("electra", R"("is_decoder": true, "add_cross_attention": true)");
    EXPECT_EQ(cross.stacks.size(), 1U);
    EXPECT_THAT(cross.notes, ElementsAre(HasSubstr("cross-attention is not used")));
    EXPECT_FALSE(cross.main.blocks[0].cross->attention.causal);
    EXPECT_THAT(error("roberta", R"("add_cross_attention": true)"), HasSubstr("is_decoder"));
    EXPECT_THAT(error("bert", R"("is_encoder_decoder": true)"), HasSubstr("is_encoder_decoder"));
}

TEST(BertLike, RelativeKeys) {
    const ModelSpec bert = spec("bert", R"("position_embedding_type": "relative_key_query")");
    const auto& relative = std::get<RelativeKey>(attentionOf(bert, 3).position);
    EXPECT_EQ(relative.table, "encoder.layer.3.attention.self.distance_embedding.weight");
    EXPECT_EQ(relative.maxPositions, 512);
    EXPECT_TRUE(relative.withKey);
    EXPECT_TRUE(relative.scaled);
    EXPECT_EQ(bert.maxPositions, 512);
    const std::string decoder = R"("position_embedding_type": "relative_key", "is_decoder": true)";
    EXPECT_THAT(error("bert", decoder), AllOf(HasSubstr("position_embedding_type"), HasSubstr("use_cache")));
    EXPECT_THAT(error("bert", decoder + R"(, "use_cache": false)"), IsEmpty());
    const ModelSpec albert = spec("albert", R"("position_embedding_type": "relative_key")");
    EXPECT_FALSE(std::get<RelativeKey>(attentionOf(albert).position).scaled);
    EXPECT_FALSE(std::get<RelativeKey>(attentionOf(albert).position).withKey);
    EXPECT_THAT(error("albert", R"("position_embedding_type": "other")"),
                HasSubstr("position_embedding_type"));
}

TEST(BertLike, NarrowEmbeddingsAreProjected) {
    EXPECT_EQ(spec("electra").main.embedding.projection.weight, "embeddings_project.weight");
    EXPECT_FALSE(spec("electra", R"("embedding_size": 256)").main.embedding.projection.exists());
    // ALBERT has the map at any size.
    EXPECT_TRUE(spec("albert", R"("embedding_size": 4096)").main.embedding.projection.exists());
    // BERT has no such field.
    EXPECT_EQ(spec("bert", R"("embedding_size": 10)").main.embedding.width, 768);
}

TEST(Distilbert, OtherNamesOfItsFields) {
    const ModelSpec found = spec("distilbert", R"("hidden_size": 24, "num_hidden_layers": 3,
        "num_attention_heads": 4, "activation": "relu")");
    EXPECT_EQ(found.hiddenSize, 24);
    EXPECT_EQ(found.stacks[0].layers, 3);
    EXPECT_EQ(found.stacks[0].heads, 4);
    EXPECT_EQ(found.activation, Activation::Relu);
    EXPECT_THAT(error("distilbert", R"("dim": 48, "hidden_size": 24)"), HasSubstr("hidden_size"));
    EXPECT_THAT(error("distilbert", R"("activation": "mish")"), HasSubstr("activation"));
}

std::vector<std::size_t> owners(const std::string& members) {
    std::vector<std::size_t> found;
    for (const BlockSpec& block : spec("albert", members).main.blocks) found.push_back(block.weightsOf);
    return found;
}

TEST(Albert, StepsShareTheWeightsOfTheirGroup) {
    EXPECT_THAT(owners(R"("num_hidden_layers": 4)"), ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(owners(R"("num_hidden_layers": 4, "num_hidden_groups": 2)"), ElementsAre(0, 0, 2, 2));
    // Two layers a group: two maps a step.
    EXPECT_THAT(owners(R"("num_hidden_layers": 4, "num_hidden_groups": 2, "inner_group_num": 2)"),
                ElementsAre(0, 1, 0, 1, 4, 5, 4, 5));
    // No multiple: step n belongs to group n / (5/3), cut off.
    const ModelSpec uneven = spec("albert", R"("num_hidden_layers": 5, "num_hidden_groups": 3)");
    std::vector<std::string> queries;
    for (const BlockSpec& block : uneven.main.blocks)
        queries.push_back(block.attention.projections.query.weight.substr(28, 1));
    EXPECT_THAT(queries, ElementsAre("0", "0", "1", "1", "2"));
    EXPECT_EQ(spec("albert", R"("num_hidden_layers": 4, "inner_group_num": 3)").stacks[0].layers, 12);
}

TEST(Albert, GroupsThatCannotBeRun) {
    EXPECT_THAT(error("albert", R"("num_hidden_layers": 2, "num_hidden_groups": 2, "inner_group_num": 2)"),
                AllOf(HasSubstr("inner_group_num"), HasSubstr("2 groups")));
    EXPECT_THAT(error("albert", R"("num_hidden_layers": 2, "num_hidden_groups": 3)"),
                HasSubstr("inner_group_num"));
    EXPECT_THAT(error("albert", R"("num_hidden_layers": 1024, "inner_group_num": 1024)"),
                HasSubstr("at most 1024"));
    EXPECT_THAT(error("albert", R"("num_hidden_groups": 0)"), HasSubstr("num_hidden_groups"));
}

TEST(Mpnet, BucketsAreFixed) {
    const ModelSpec found = spec("mpnet", R"("pad_token_id": 7)");
    const auto& bias = std::get<BucketBias>(attentionOf(found, 5).position);
    EXPECT_EQ(bias, std::get<BucketBias>(attentionOf(found).position));
    EXPECT_EQ(bias.buckets, 32);
    EXPECT_EQ(bias.maxDistance, 128);
    EXPECT_TRUE(bias.bidirectional);
    EXPECT_EQ(found.main.embedding.positions.paddingId, 1); // whatever the field says
    EXPECT_FALSE(found.stacks[0].causal);
    EXPECT_TRUE(spec("mpnet", R"("is_decoder": true)").stacks[0].causal);
    EXPECT_THAT(error("mpnet", R"("relative_attention_num_buckets": 64)"),
                AllOf(HasSubstr("relative_attention_num_buckets"), HasSubstr("32")));
}

} // namespace
} // namespace headscope
