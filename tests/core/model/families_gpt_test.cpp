// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2 and the decoders of its time: defaults, switches and what is refused. The numbers they compute are
// compared in family_golden_test.cpp.
#include "core/model/families.h"
#include "tests/core/model/spec_from.h"

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
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ModelSpec spec(const std::string& family, const std::string& members = {}) {
    return specFrom(configOf(family, members));
}
std::string error(const std::string& family, const std::string& members) {
    return specError(configOf(family, members));
}

const std::vector<std::string> kFamilies{"bloom",   "falcon",   "gpt2", "gpt_bigcode",
                                         "gpt_neo", "gpt_neox", "gptj", "opt"};

/// The expected defaults of one class.
struct Defaults {
    std::string family;
    std::int64_t hidden;
    int layers;
    int heads;
    int keyValueHeads;
    std::int64_t intermediate;
    std::int64_t vocabulary;
    Activation activation;
};

TEST(GptFamilies, DefaultsAreThoseOfTransformers) {
    const std::vector<Defaults> all{
        {"bloom", 64, 2, 8, 8, 256, 250880, Activation::GeluTanh},
        {"falcon", 4544, 32, 71, 1, 18176, 65024, Activation::GeluErf},
        {"gpt2", 768, 12, 12, 12, 3072, 50257, Activation::GeluTanh},
        {"gpt_bigcode", 768, 12, 12, 1, 3072, 50257, Activation::GeluTanh},
        {"gpt_neo", 2048, 24, 16, 16, 8192, 50257, Activation::GeluTanh},
        {"gpt_neox", 6144, 44, 64, 64, 24576, 50432, Activation::GeluErf},
        {"gptj", 4096, 28, 16, 16, 16384, 50400, Activation::GeluTanh},
        {"opt", 768, 12, 12, 12, 3072, 50272, Activation::Relu},
    };
    for (const Defaults& expected : all) {
        SCOPED_TRACE(expected.family);
        const ModelSpec found = spec(expected.family);
        EXPECT_EQ(found.family, expected.family);
        ASSERT_EQ(found.stacks.size(), 1U);
        EXPECT_EQ(found.hiddenSize, expected.hidden);
        EXPECT_EQ(found.stacks[0].layers, expected.layers);
        EXPECT_EQ(found.stacks[0].heads, expected.heads);
        EXPECT_EQ(found.stacks[0].keyValueHeads, expected.keyValueHeads);
        EXPECT_EQ(found.stacks[0].headSize, expected.hidden / expected.heads);
        EXPECT_TRUE(found.stacks[0].causal);
        EXPECT_EQ(found.intermediateSize, expected.intermediate);
        EXPECT_EQ(found.vocabularySize, expected.vocabulary);
        EXPECT_EQ(found.activation, expected.activation);
        EXPECT_EQ(found.normEpsilon, 1e-5);
        EXPECT_EQ(found.tokenTypes, 0);
    }
}

TEST(GptFamilies, LengthsEndOrDoNot) {
    EXPECT_EQ(spec("gpt2").maxPositions, 1024);
    EXPECT_EQ(spec("gpt_bigcode").maxPositions, 1024);
    EXPECT_EQ(spec("gpt_neo").maxPositions, 2048);
    EXPECT_EQ(spec("gptj").maxPositions, 2048);
    EXPECT_EQ(spec("opt").maxPositions, 2048);
    EXPECT_EQ(spec("bloom").maxPositions, std::nullopt);
    EXPECT_EQ(spec("falcon").maxPositions, std::nullopt);
    EXPECT_EQ(spec("falcon").trainedPositions, 2048);
    EXPECT_EQ(spec("gpt_neox").maxPositions, std::nullopt);
    EXPECT_EQ(spec("gpt_neox").trainedPositions, 2048);
}

// Known pitfall "left padding": positions are counted from the first token on, whatever the ids say.
TEST(GptFamilies, PositionsDoNotDependOnIds) {
    for (const char* family : {"gpt2", "gpt_bigcode", "gpt_neo", "opt"}) {
        const PositionEmbeddingSpec positions = spec(family).main.embedding.positions;
        EXPECT_EQ(positions.source, PositionEmbeddingSpec::Source::Table) << family;
        EXPECT_EQ(positions.paddingId, std::nullopt) << family;
        EXPECT_EQ(positions.offset, std::string(family) == "opt" ? 2 : 0) << family;
    }
    EXPECT_EQ(spec("opt").main.embedding.positions.rows, 2050);
}

// Known pitfall "tied weights": the class default differs from family to family.
TEST(GptFamilies, HeadsAreTiedByTheClassDefault) {
    for (const std::string& family : kFamilies) {
        const bool tied = family != "gpt_neox" && family != "gptj";
        EXPECT_EQ(spec(family).head.has_value(), tied) << family;
        EXPECT_FALSE(spec(family, R"("tie_word_embeddings": false)").head.has_value()) << family;
    }
    EXPECT_TRUE(spec("gpt_neox", R"("tie_word_embeddings": true)").head.has_value());
    // GPT-J's head has a bias, which the folder does not hold.
    EXPECT_FALSE(spec("gptj", R"("tie_word_embeddings": true)").head.has_value());
}

// Known pitfall "RoPE layout".
TEST(GptFamilies, OnlyGptJTurnsNeighbours) {
    const RotarySpec neighbours = spec("gptj").main.rotaries.at(0);
    EXPECT_TRUE(neighbours.interleaved);
    EXPECT_EQ(neighbours.dims, 64);
    const RotarySpec halves = spec("gpt_neox").main.rotaries.at(0);
    EXPECT_FALSE(halves.interleaved);
    EXPECT_EQ(halves.dims, 24);
    const RotarySpec whole = spec("falcon").main.rotaries.at(0);
    EXPECT_FALSE(whole.interleaved);
    EXPECT_EQ(whole.dims, 64);
    EXPECT_THAT(spec("falcon", R"("alibi": true)").main.rotaries, IsEmpty());
}

// Known pitfall "GELU variants": the name in the file decides.
TEST(GptFamilies, ActivationsByTheirField) {
    for (const std::string& family : kFamilies) {
        if (family == "bloom") continue; // has no such field
        const std::string field = family == "falcon"     ? "activation"
                                  : family == "gpt_neox" ? "hidden_act"
                                                         : "activation_function";
        EXPECT_EQ(spec(family, "\"" + field + "\": \"silu\"").activation, Activation::Silu) << family;
        EXPECT_THAT(error(family, "\"" + field + "\": \"mish\""), AllOf(HasSubstr(field), HasSubstr("mish")));
    }
}

// Known pitfall "LN eps": the file's number, under the family's own name for it.
TEST(GptFamilies, EpsilonsByTheirField) {
    for (const std::string& family : kFamilies) {
        if (family == "opt") continue; // fixed
        const std::string field = family == "gpt_neox" ? "layer_norm_eps" : "layer_norm_epsilon";
        EXPECT_EQ(spec(family, "\"" + field + "\": 0.5").main.finalNorm->epsilon, 0.5) << family;
        EXPECT_THAT(error(family, "\"" + field + "\": -1"), HasSubstr(field));
    }
}

TEST(GptFamilies, OtherNamesOfTheSameFields) {
    const ModelSpec gpt2 =
        spec("gpt2", R"("hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 4,
        "max_position_embeddings": 9, "n_ctx": 5)");
    EXPECT_EQ(gpt2.hiddenSize, 24);
    EXPECT_EQ(gpt2.stacks[0].layers, 3);
    EXPECT_EQ(gpt2.stacks[0].heads, 4);
    EXPECT_EQ(gpt2.maxPositions, 9);
    EXPECT_EQ(gpt2.intermediateSize, 96);
    EXPECT_THAT(error("gpt2", R"("n_embd": 24, "hidden_size": 48)"),
                AllOf(HasSubstr("n_embd"), HasSubstr("hidden_size")));
    EXPECT_EQ(spec("gptj", R"("hidden_size": 256, "num_attention_heads": 4)").hiddenSize, 256);
    EXPECT_EQ(spec("gpt_neo", R"("num_attention_heads": 4)").stacks[0].headSize, 512);
    // The older name wins; Falcon's feed-forward part goes by the newer one all the same.
    const ModelSpec bloom = spec("bloom", R"("n_embed": 24, "hidden_size": 7, "num_attention_heads": 2)");
    EXPECT_EQ(bloom.hiddenSize, 24);
    EXPECT_EQ(bloom.intermediateSize, 96);
    const ModelSpec falcon = spec("falcon", R"("n_embed": 24, "hidden_size": 10, "num_attention_heads": 2)");
    EXPECT_EQ(falcon.hiddenSize, 24);
    EXPECT_EQ(falcon.intermediateSize, 40);
    EXPECT_EQ(spec("falcon", R"("n_embed": 24, "num_attention_heads": 2)").intermediateSize, 18176);
}

TEST(GptFamilies, SizesAreChecked) {
    for (const std::string& family : kFamilies) {
        SCOPED_TRACE(family);
        const bool short_ = family == "gpt2" || family == "gpt_bigcode" || family == "gptj";
        const std::string heads = short_ || family == "bloom" ? "n_head"
                                  : family == "gpt_neo"       ? "num_heads"
                                                              : "num_attention_heads";
        const std::string hidden = short_ ? "n_embd" : "hidden_size";
        EXPECT_THAT(error(family, "\"" + hidden + "\": 50, \"" + heads + "\": 12"),
                    HasSubstr("a model size of 50 cannot be divided evenly among 12 heads"));
        EXPECT_THAT(error(family, "\"" + heads + "\": 0"), HasSubstr(heads));
        EXPECT_THAT(error(family, "\"" + hidden + "\": 99999999999"), HasSubstr(hidden));
        EXPECT_THAT(error(family, R"("vocab_size": -1)"), HasSubstr("vocab_size"));
        EXPECT_THAT(error(family, R"("is_encoder_decoder": true)"), HasSubstr("is_encoder_decoder"));
        EXPECT_THAT(error(family, R"("pruned_heads": {"0": [1]})"), HasSubstr("pruned_heads"));
    }
}

} // namespace
} // namespace headscope
