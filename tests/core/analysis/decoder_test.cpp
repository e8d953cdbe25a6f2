// SPDX-License-Identifier: GPL-3.0-or-later
// Models with a decoder: two texts, three kinds of attention.
#include "core/analysis/analysis.h"
#include "core/analysis/attention_file.h"
#include "core/analysis/export_part.h"
#include "core/analysis/spec_facts.h"
#include "core/checkpoint/safetensors.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::sentenceOf;
using ::testing::HasSubstr;

std::shared_ptr<const OpenModel> openFamily(const std::string& name) {
    return openModel(test::dataPath("families/" + name), {DeviceChoice::Cpu}, {}, {});
}

TextInput idsOf(std::vector<std::int64_t> source) {
    TextInput input;
    input.ids = std::move(source);
    return input;
}

std::shared_ptr<const Analysis> analysisOfT5() {
    TextInput input = idsOf({5, 6, 7, 8, 9});
    input.targetIds = {0, 11, 12};
    return analyse({openFamily("t5/plain"), input}, {}, {});
}

TEST(Decoder, EveryKindHasItsOwnLayersAndAxes) {
    const auto analysis = analysisOfT5();
    ASSERT_TRUE(analysis->target.has_value());
    std::map<AttentionKind, int> layers;
    for (const auto& layer : analysis->layers) {
        ++layers[layer->kind];
        const Extent extent = layer->maps->extent();
        EXPECT_EQ(extent.rows, analysis->queryAxis(layer->kind).size()) << nameOf(layer->kind);
        EXPECT_EQ(extent.columns, analysis->keyAxis(layer->kind).size()) << nameOf(layer->kind);
    }
    EXPECT_EQ(layers[AttentionKind::Encoder], 2);
    EXPECT_EQ(layers[AttentionKind::Decoder], 3);
    EXPECT_EQ(layers[AttentionKind::Cross], 3);
    EXPECT_EQ(analysis->queryAxis(AttentionKind::Cross).size(), 3);
    EXPECT_EQ(analysis->keyAxis(AttentionKind::Cross).size(), 5);
    EXPECT_EQ(defaultKind(analysis->model->spec()), AttentionKind::Cross);
}

TEST(Decoder, WithoutATargetItReadsItsStartToken) {
    const auto analysis = analyse({openFamily("t5/plain"), idsOf({5, 6})}, {}, {});
    ASSERT_TRUE(analysis->target.has_value());
    ASSERT_EQ(analysis->target->tokens.size(), 1U);
    EXPECT_EQ(analysis->target->tokens[0].id, 0);
    EXPECT_TRUE(analysis->target->axis->entries[0].special);
}

TEST(Decoder, TargetsAreCheckedAgainstTheModel) {
    const auto t5 = openFamily("t5/plain");
    TextInput outside = idsOf({5});
    outside.targetIds = {99};
    EXPECT_THAT(
        sentenceOf([&] {
            analyse({t5, outside}, {}, {});
        }),
        HasSubstr("target ids: 99 at position 0 is outside the model's vocabulary, expected 0 to 47"));
    TextInput unwanted = idsOf({5});
    unwanted.targetIds = {1};
    const auto bert = openFamily("bert/plain");
    EXPECT_THAT(sentenceOf([&] {
                    analyse({bert, unwanted}, {}, {});
                }),
                HasSubstr("target: the model has no decoder that could read it"));
    TextInput tooLong = idsOf({5});
    tooLong.targetIds = std::vector<std::int64_t>(41, 7);
    const auto bart = openFamily("bart/plain");
    EXPECT_THAT(sentenceOf([&] {
                    analyse({bart, tooLong}, {}, {});
                }),
                HasSubstr("target: it has 41 tokens, expected at most 40"));
}

TEST(Decoder, AnAttentionFileHoldsBothSides) {
    const test::TemporaryFolder place;
    const auto analysis = analysisOfT5();
    writeAttentionFile(*analysis, AttentionFileFormat::Safetensors, place / "maps.safetensors", {});
    const auto source = openSafetensors(place / "maps.safetensors");
    const auto shapeOf = [&](const char* name) {
        const TensorInfo* info = source->find(name);
        return info == nullptr ? std::vector<std::int64_t>{} : info->shape;
    };
    EXPECT_EQ(shapeOf("input_ids"), (std::vector<std::int64_t>{5}));
    EXPECT_EQ(shapeOf("decoder_input_ids"), (std::vector<std::int64_t>{3}));
    EXPECT_EQ(shapeOf("encoder_attentions.1"), (std::vector<std::int64_t>{3, 5, 5}));
    EXPECT_EQ(shapeOf("decoder_attentions.2"), (std::vector<std::int64_t>{3, 3, 3}));
    EXPECT_EQ(shapeOf("cross_attentions.2"), (std::vector<std::int64_t>{3, 3, 5}));
    const auto metadata = readSafetensorsMetadata(place / "maps.safetensors");
    EXPECT_EQ(metadata.at("causal"), "true");
    EXPECT_TRUE(metadata.contains("source_tokens"));
    const std::uint64_t cells = 2 * 3 * 5 * 5 + 3 * 3 * 3 * 3 + 3 * 3 * 3 * 5;
    EXPECT_EQ(denseMapsBytes(analysis->model->spec(), {5, 3}), cells * sizeof(float));
}

TEST(Decoder, WindowsOfLayersAndSinksAreWritten) {
    const test::TemporaryFolder place;
    const auto analysis = analyse({openFamily("gpt_oss/plain"), idsOf({5, 6, 7, 8, 9, 10})}, {}, {});
    writeAttentionFile(*analysis, AttentionFileFormat::Safetensors, place / "maps.safetensors", {});
    const auto metadata = readSafetensorsMetadata(place / "maps.safetensors");
    EXPECT_EQ(metadata.at("window"), "[4, null]");
    EXPECT_EQ(metadata.at("learned_sink"), "true");
}

TEST(SpecFacts, SayWhatShapesTheMaps) {
    const auto factOf = [](const std::string& family, const std::string& name) {
        for (const SpecFact& fact : specFacts(openFamily(family)->spec()))
            if (fact.name == name) return fact.value;
        return std::string();
    };
    EXPECT_EQ(factOf("gpt_oss/plain", "window"), "layer 0: the last 4 keys");
    EXPECT_EQ(factOf("gpt_oss/plain", "learned sinks"), "all layers");
    EXPECT_EQ(factOf("gpt_oss/plain", "2 of 4 experts"), "all layers");
    EXPECT_EQ(factOf("t5/plain", "encoder score terms"), "a bias for each of 8 buckets of distances");
    EXPECT_EQ(factOf("llama/plain", "rotary positions"), "all layers: theta 10000");
    EXPECT_EQ(factOf("gpt_neox/parallel", "parallel branches"), "all layers");
    EXPECT_EQ(factOf("bert/plain", "positions"), "a table of absolute positions");
    EXPECT_EQ(factOf("bert/plain", "window"), "");
}

} // namespace
} // namespace headscope
