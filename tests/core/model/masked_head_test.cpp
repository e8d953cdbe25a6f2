// SPDX-License-Identifier: GPL-3.0-or-later
// Heads of masked language models: where a folder has one. Their numbers are compared in
// family_golden_test.cpp.
#include "core/model/model.h"
#include "tests/core/model/tiny_checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

namespace headscope {
namespace {

using test::TinyCheckpoint;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A BERT with its head.
TinyCheckpoint withHead() {
    TinyCheckpoint tiny;
    tiny.put("cls.predictions.transform.dense.weight", {8, 8});
    tiny.put("cls.predictions.transform.dense.bias", {8});
    tiny.put("cls.predictions.transform.LayerNorm.weight", {8});
    tiny.put("cls.predictions.transform.LayerNorm.bias", {8});
    tiny.put("cls.predictions.bias", {10});
    return tiny;
}

void addToConfig(TinyCheckpoint& tiny, const std::string& members) {
    tiny.config.insert(1, members + ", ");
}

std::shared_ptr<const Model> load(const TinyCheckpoint& tiny) {
    return loadModel(tiny.checkpoint(), DeviceChoice::Cpu, {}, {});
}

/// "tied weights: head or embedding missing from safetensors".
TEST(MaskedHead, ReadsTheWordTableWhereItIsTied) {
    TinyCheckpoint tiny = withHead();
    const OutputHeadSpec tied = *specOf(tiny.checkpoint()).head;
    EXPECT_THAT(tied.weight, IsEmpty());
    EXPECT_EQ(tied.bias, "cls.predictions.bias");
    EXPECT_EQ(tied.transformActivation, Activation::GeluErf);
    addToConfig(tiny, R"("tie_word_embeddings": false)");
    EXPECT_FALSE(specOf(tiny.checkpoint()).head.has_value()); // its matrix is not there
    tiny.put("cls.predictions.decoder.weight", {10, 8});
    EXPECT_EQ(specOf(tiny.checkpoint()).head->weight, "cls.predictions.decoder.weight");
}

TEST(MaskedHead, IsNotMissedByTheMaps) {
    TinyCheckpoint tiny = withHead();
    EXPECT_TRUE(load(tiny)->hasOutputHead());
    tiny.remove("cls.predictions.bias");
    EXPECT_FALSE(load(tiny)->hasOutputHead());
    tiny.put("cls.predictions.decoder.bias", {10});
    EXPECT_EQ(specOf(tiny.checkpoint()).head->bias, "cls.predictions.decoder.bias");
    tiny.remove("cls.predictions.transform.dense.weight");
    EXPECT_FALSE(load(tiny)->hasOutputHead());
    EXPECT_THAT(load(tiny)->notes(), IsEmpty());
}

/// Left over from an encoder-decoder: said once, in the words of the family.
TEST(MaskedHead, CrossAttentionWithoutAnEncoderIsNotRead) {
    TinyCheckpoint tiny;
    addToConfig(tiny, R"("is_decoder": true, "add_cross_attention": true)");
    EXPECT_THAT(load(tiny)->notes(), ElementsAre(HasSubstr("cross-attention is not used")));
    const std::vector<float> without = load(tiny)->forward({{1, 2, 3}, {}, {}}, {}).hidden;
    tiny.put("bert.encoder.layer.0.crossattention.self.query.weight", {3, 5});
    EXPECT_THAT(load(tiny)->notes(), ElementsAre(HasSubstr("cross-attention is not used")));
    EXPECT_EQ(load(tiny)->forward({{1, 2, 3}, {}, {}}, {}).hidden, without);
}

} // namespace
} // namespace headscope
