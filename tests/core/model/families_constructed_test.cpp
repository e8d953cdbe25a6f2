// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families.h"
#include "tests/core/model/spec_from.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::configOf;
using test::sentenceOf;
using test::specError;
using test::specFrom;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kFamily = "headscope_constructed";

/// The tensors of two layers over 8 numbers, 10 words and 6 positions.
test::TinyCheckpoint tiny(const std::string& more = {}) {
    test::TinyCheckpoint checkpoint;
    checkpoint.clear();
    checkpoint.put("embed_tokens.weight", {10, 8});
    checkpoint.put("embed_positions.weight", {6, 8});
    for (const char* layer : {"layers.0.", "layers.1."})
        for (const char* part : {"query", "key", "value", "output"})
            checkpoint.put(std::string(layer) + "attention." + part + ".weight", {8, 8});
    checkpoint.config =
        configOf(kFamily, R"("hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
        "vocab_size": 10, "max_position_embeddings": 6)" +
                              more);
    return checkpoint;
}

TEST(Constructed, IsAttentionAlone) {
    const ModelSpec spec = specFrom(configOf(kFamily));
    EXPECT_EQ(spec.family, kFamily);
    EXPECT_EQ(spec.hiddenSize, 256);
    EXPECT_EQ(spec.maxPositions, 512);
    EXPECT_EQ(spec.intermediateSize, 0);
    EXPECT_FALSE(spec.main.finalNorm.has_value());
    EXPECT_FALSE(spec.main.embedding.norm.has_value());
    ASSERT_EQ(spec.main.blocks.size(), 2U);
    const BlockSpec& block = spec.main.blocks[1];
    EXPECT_EQ(block.attention.heads, 4);
    EXPECT_EQ(block.attention.headSize, 64);
    EXPECT_EQ(block.attention.scale, 0.125);
    EXPECT_TRUE(block.attention.causal);
    EXPECT_EQ(block.attention.projections.query.weight, "layers.1.attention.query.weight");
    EXPECT_THAT(block.attention.projections.query.bias, IsEmpty());
    EXPECT_FALSE(block.attentionBranch.before || block.attentionBranch.onOutput ||
                 block.attentionBranch.after);
    EXPECT_FALSE(block.feedForward.exists());
    EXPECT_EQ(familyOf(tiny().checkpoint()).modelType, kFamily);
}

/// A family that forgot to name it would be computed without.
TEST(Constructed, EveryOtherFamilyHasAFeedForwardPart) {
    std::size_t seen = 0;
    for (const auto& family : std::filesystem::directory_iterator(test::dataPath("families"))) {
        if (family.path().filename() == kFamily) continue;
        for (const auto& variant : std::filesystem::directory_iterator(family.path())) {
            SCOPED_TRACE(variant.path().string());
            const ModelSpec spec = specOf(openCheckpoint(variant.path()));
            for (const BlockSpec& block : spec.main.blocks) EXPECT_TRUE(block.feedForward.exists());
            if (!spec.decoder) continue;
            for (const BlockSpec& block : spec.decoder->blocks) EXPECT_TRUE(block.feedForward.exists());
        }
        ++seen;
    }
    EXPECT_EQ(seen, families().size() - 1);
}

TEST(Constructed, ReadsItsTensorsAndNoOthers) {
    EXPECT_THAT(checkModel(tiny().checkpoint()), IsEmpty());
    test::TinyCheckpoint more = tiny();
    more.put("layers.0.mlp.up.weight", {16, 8});
    EXPECT_THAT(checkModel(more.checkpoint()), ::testing::ElementsAre(HasSubstr("layers.0.mlp.up.weight")));
    test::TinyCheckpoint less = tiny();
    less.remove("layers.1.attention.value.weight");
    EXPECT_THAT(sentenceOf([&] { checkModel(less.checkpoint()); }),
                HasSubstr("layers.1.attention.value.weight"));
}

TEST(Constructed, TheHeadIsTheWordTableUnlessTheConfigSaysOtherwise) {
    EXPECT_THAT(specOf(tiny().checkpoint()).head->weight, IsEmpty());
    test::TinyCheckpoint untied = tiny(R"(, "tie_word_embeddings": false)");
    EXPECT_FALSE(specOf(untied.checkpoint()).head.has_value());
    untied.put("lm_head.weight", {10, 8});
    EXPECT_EQ(specOf(untied.checkpoint()).head->weight, "lm_head.weight");
}

TEST(Constructed, RefusesWhatCannotBe) {
    EXPECT_THAT(specError(configOf(kFamily, R"("num_attention_heads": 3)")), HasSubstr("256"));
    EXPECT_THAT(specError(configOf(kFamily, R"("num_hidden_layers": 0)")), HasSubstr("num_hidden_layers"));
    EXPECT_THAT(specError(configOf(kFamily, R"("max_position_embeddings": null)")),
                HasSubstr("max_position_embeddings"));
}

} // namespace
} // namespace headscope
