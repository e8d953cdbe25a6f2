// SPDX-License-Identifier: GPL-3.0-or-later
// GGUF files of tests/data/gguf against the folders that they were made of: the same maps and hidden states.
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/gguf/gguf_model.h"
#include "core/model/model.h"
#include "tests/core/model/capturing_observer.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace headscope {
namespace {

struct Fixture {
    std::string file;   ///< tests/data/gguf/FILE.gguf
    std::string folder; ///< tests/data/families/FOLDER
    /// Fields of config.json that the format cannot say, as it is read without them.
    std::vector<Json::Member> fields;
    double bound = 0.0; ///< largest difference; 0: equal to the bit
};

void PrintTo(const Fixture& fixture, std::ostream* stream) {
    *stream << fixture.file;
}

std::vector<Json::Member> t5Fields(std::int64_t layers) {
    return {{"num_layers", Json(layers)},
            {"num_decoder_layers", Json(layers)},
            {"relative_attention_max_distance", Json(std::int64_t{128})}};
}

std::vector<Fixture> fixtures() {
    return {
        {"llama-plain", "llama/plain", {}},
        {"llama-biases", "llama/biases", {{"hidden_act", Json(std::string("silu"))}}},
        // Divisors are stored rounded, and divide another product.
        {"llama-rope-llama3", "llama/rope-llama3", {}, 2e-6},
        {"qwen2-plain",
         "qwen2/plain",
         {{"num_hidden_layers", Json(std::int64_t{1})}, {"layer_types", Json()}}},
        {"qwen3-plain",
         "qwen3/plain",
         {{"num_hidden_layers", Json(std::int64_t{1})}, {"layer_types", Json()}}},
        {"gpt2-plain", "gpt2/plain", {}},
        {"gemma-plain", "gemma/plain", {}},
        {"gemma2-plain", "gemma2/plain", {{"query_pre_attn_scalar", Json(std::int64_t{8})}}},
        {"gemma3-plain",
         "gemma3_text/plain",
         {{"query_pre_attn_scalar", Json(std::int64_t{8})}, {"attn_logit_softcapping", Json()}}},
        {"phi2-plain", "phi/plain", {{"num_hidden_layers", Json(std::int64_t{1})}}},
        {"phi3-longrope-long", "phi3/longrope-long", {{"num_hidden_layers", Json(std::int64_t{1})}}, 2e-6},
        // Saved without a head; without one a GGUF file has the word table in its place.
        {"stablelm-parallel",
         "stablelm/parallel",
         {{"num_hidden_layers", Json(std::int64_t{1})}, {"tie_word_embeddings", Json(true)}}},
        {"starcoder2-plain", "starcoder2/plain", {{"num_hidden_layers", Json(std::int64_t{1})}}},
        {"olmo2-plain", "olmo2/plain", {{"num_hidden_layers", Json(std::int64_t{1})}}},
        {"gptneox-parallel", "gpt_neox/parallel", {{"num_hidden_layers", Json(std::int64_t{1})}}},
        {"falcon-multi-query", "falcon/multi-query", {}},
        {"falcon-new-two-norms", "falcon/new-two-norms", {}},
        {"bloom-plain", "bloom/plain", {{"n_layer", Json(std::int64_t{1})}}},
        {"granite-multipliers", "granite/multipliers", {}},
        {"command-r-head-norms", "cohere/head-norms", {{"tie_word_embeddings", Json(true)}}},
        {"cohere2-pattern", "cohere2/pattern", {}},
        {"bert-plain", "bert/plain", {}},
        {"smollm3-plain", "smollm3/plain", {}},
        {"llama-mixtral", "mixtral/plain", {}},
        {"llama-mixtral-single", "mixtral/plain", {}},
        {"qwen2moe-plain", "qwen2_moe/plain", {}},
        // Saved without a head and with a window.
        {"qwen3moe-normalised",
         "qwen3_moe/normalised",
         {{"num_hidden_layers", Json(std::int64_t{1})},
          {"tie_word_embeddings", Json(true)},
          {"use_sliding_window", Json(false)}}},
        // Published models have a greatest distance of 128.
        {"t5-plain", "t5/plain", t5Fields(2)},
        {"t5-gated-gelu", "t5/gated-gelu", t5Fields(1)},
        {"t5-umt5", "umt5/plain", t5Fields(2)},
        {"t5encoder-encoder-alone", "t5/encoder-alone", t5Fields(2)},
    };
}

struct Result {
    std::vector<std::vector<float>> maps; ///< by layer and head
    std::vector<float> hidden;
    std::vector<float> encoderHidden;
    std::vector<float> logits;
};

Result run(const Checkpoint& checkpoint, std::uint64_t residentLimit) {
    const auto model = loadModel(checkpoint, DeviceChoice::Cpu, {}, {}, residentLimit);
    test::CapturingObserver observer;
    ForwardHooks hooks;
    hooks.observer = &observer;
    ModelInput input{{3, 1, 4, 1, 5, 9, 2, 6, 5, 35, 8, 9}, {}, {}};
    if (model->spec().decoder) input.decoderIds = {0, 2, 7, 1, 8, 28};
    const ModelOutput output = model->forward(input, hooks);
    Result result{{}, output.hidden, output.encoderHidden, {}};
    if (model->hasOutputHead()) result.logits = model->logits(output.hidden, {});
    for (const auto& layer : observer.layers)
        for (int head = 0; head < layer->heads; ++head) {
            const Extent extent = layer->extent();
            std::vector<float> map(static_cast<std::size_t>(extent.rows * extent.columns));
            recomputedMap(layer, HeadIndex(head))
                ->tile({0, extent.rows}, {0, extent.columns}, {map.data(), extent.rows, extent.columns});
            result.maps.push_back(std::move(map));
        }
    return result;
}

double largestDifference(const std::vector<float>& a, const std::vector<float>& b) {
    if (a.size() != b.size()) return INFINITY;
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
    return largest;
}

class GgufGolden : public ::testing::TestWithParam<Fixture> {
  protected:
    Checkpoint expected() const {
        Checkpoint checkpoint = openCheckpoint(test::dataPath("families/" + GetParam().folder));
        for (const Json::Member& field : GetParam().fields) checkpoint.config.members().push_back(field);
        return checkpoint;
    }
    Checkpoint opened() const { return openCheckpoint(test::dataPath("gguf/" + GetParam().file + ".gguf")); }
};
INSTANTIATE_TEST_SUITE_P(All, GgufGolden, ::testing::ValuesIn(fixtures()), [](const auto& parameter) {
    std::string name = parameter.param.file;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST_P(GgufGolden, EqualsTheFolderItWasMadeOf) {
    const Checkpoint checkpoint = opened();
    EXPECT_EQ(checkpoint.quantisation, "");
    const Result theirs = run(expected(), kResidentWeights);
    for (const std::uint64_t residentLimit : {kResidentWeights, std::uint64_t{0}}) {
        const Result ours = run(checkpoint, residentLimit);
        ASSERT_EQ(ours.maps.size(), theirs.maps.size());
        for (std::size_t i = 0; i < ours.maps.size(); ++i)
            EXPECT_LE(largestDifference(ours.maps[i], theirs.maps[i]), GetParam().bound) << "map " << i;
        const double bound = GetParam().bound * 100;
        EXPECT_LE(largestDifference(ours.hidden, theirs.hidden), bound);
        EXPECT_LE(largestDifference(ours.encoderHidden, theirs.encoderHidden), bound);
        EXPECT_LE(largestDifference(ours.logits, theirs.logits), bound);
    }
}

/// The folder holds what gguf.quants makes of the file's blocks.
TEST(QuantisedGguf, EqualsItsDequantisedWeights) {
    const Checkpoint checkpoint = openCheckpoint(test::dataPath("gguf/llama-quantised.gguf"));
    EXPECT_EQ(checkpoint.quantisation, "Q4_0, Q8_0, Q5_1, Q5_0, Q4_1");
    const Result theirs = run(openCheckpoint(test::dataPath("gguf/llama-dequantised")), kResidentWeights);
    ASSERT_EQ(theirs.maps.size(), 4U);
    for (const std::uint64_t residentLimit : {kResidentWeights, std::uint64_t{0}}) {
        const Result ours = run(checkpoint, residentLimit);
        EXPECT_EQ(ours.maps, theirs.maps);
        EXPECT_EQ(ours.hidden, theirs.hidden);
        EXPECT_EQ(ours.logits, theirs.logits);
    }
}

/// An architecture without a fixture has not been proved.
TEST(GgufArchitectures, EachHasAFixture) {
    for (const std::string& architecture : ggufArchitectures()) {
        const bool found = std::ranges::any_of(
            fixtures(), [&](const Fixture& fixture) { return fixture.file.starts_with(architecture + "-"); });
        EXPECT_TRUE(found) << architecture;
    }
}

} // namespace
} // namespace headscope
