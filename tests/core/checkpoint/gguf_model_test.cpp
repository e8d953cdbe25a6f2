// SPDX-License-Identifier: GPL-3.0-or-later
// What the keys of a GGUF file become, and what they are refused for.
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/gguf/gguf_architecture.h"
#include "tests/core/checkpoint/gguf_bytes_builder.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

std::string zeros(std::uint64_t count) {
    return std::string(count * 4, '\0');
}

/// A llama of one layer, two heads of four and one key/value head.
GgufBuilder tinyLlama() {
    GgufBuilder file;
    file.text("general.architecture", "llama");
    file.text("general.name", "tiny");
    file.number("llama.block_count", 1);
    file.number("llama.context_length", 64);
    file.number("llama.embedding_length", 8);
    file.number("llama.feed_forward_length", 12);
    file.number("llama.attention.head_count", 2);
    file.number("llama.attention.head_count_kv", 1);
    file.real("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    file.tensor("token_embd.weight", {8, 5}, 0, zeros(40));
    file.tensor("blk.0.attn_q.weight", {8, 8}, 0, zeros(64));
    file.tensor("blk.0.attn_k.weight", {8, 4}, 0, zeros(32));
    return file;
}

class GgufModelTest : public ::testing::Test {
  protected:
    Checkpoint open(const GgufBuilder& file) const {
        return openCheckpoint(m_folder.write("tiny.gguf", file.bytes()));
    }
    std::string sentence(const GgufBuilder& file) const {
        return sentenceOf([&] { open(file); });
    }
    static std::string without(GgufBuilder& file, std::string_view key) {
        std::erase_if(file.keys, [&](const std::string& one) { return one.substr(8).starts_with(key); });
        return {};
    }

    TemporaryFolder m_folder;
};

TEST_F(GgufModelTest, ReadsAsAFolderWould) {
    const Checkpoint checkpoint = open(tinyLlama());
    EXPECT_EQ(checkpoint.name, "tiny");
    EXPECT_EQ(checkpoint.folder, m_folder / "tiny.gguf");
    ASSERT_EQ(checkpoint.files.size(), 1U);
    EXPECT_EQ(checkpoint.files[0].path, m_folder / "tiny.gguf");
    EXPECT_FALSE(checkpoint.has("config.json"));
    const auto integer = [&](const char* field) { return checkpoint.config.find(field)->asInteger(); };
    EXPECT_EQ(checkpoint.config.find("model_type")->asString(), "llama");
    EXPECT_EQ(integer("hidden_size"), 8);
    EXPECT_EQ(integer("num_key_value_heads"), 1);
    EXPECT_EQ(integer("head_dim"), 4);
    EXPECT_EQ(integer("vocab_size"), 5);
    EXPECT_EQ(checkpoint.config.find("rms_norm_eps")->asReal(), 1e-5);
    EXPECT_EQ(checkpoint.config.find("rope_theta")->asReal(), 10000.0);
    EXPECT_TRUE(checkpoint.config.find("tie_word_embeddings")->asBool());
    EXPECT_FALSE(checkpoint.config.find("attention_bias")->asBool());
    EXPECT_NE(checkpoint.weights->find("model.layers.0.self_attn.q_proj.weight"), nullptr);
    EXPECT_EQ(checkpoint.quantisation, "");
    EXPECT_EQ(checkpoint.notes, std::vector<std::string>());
}

TEST_F(GgufModelTest, QuantisedWeightsAreSaidToBe) {
    GgufBuilder file = tinyLlama();
    file.number("llama.attention.key_length", 32);
    file.tensors.clear();
    file.data.clear();
    file.tensor("token_embd.weight", {32, 5}, 2, std::string(18 * 5, '\0'));
    file.tensor("blk.0.attn_output.weight", {32, 8}, 8, std::string(34 * 8, '\0'));
    const Checkpoint checkpoint = open(file);
    EXPECT_EQ(checkpoint.quantisation, "Q8_0, Q4_0");
    EXPECT_EQ(
        checkpoint.notes,
        std::vector<std::string>{"the weights are quantised (Q8_0, Q4_0): maps are from quantised weights"});
    EXPECT_EQ(checkpoint.weights->find("model.embed_tokens.weight")->dtype, DType::F32);
}

TEST_F(GgufModelTest, WhatIsNoWholeModelIsRefused) {
    GgufBuilder file = tinyLlama();
    file.text("general.type", "adapter");
    EXPECT_EQ(sentence(file),
              "tiny.gguf: the file holds no model but \"adapter\", expected a general.type of "
              "\"model\"; adapters are read in the form of PEFT: see --adapter.");
    file = tinyLlama();
    file.number("general.quantization_version", 1);
    EXPECT_EQ(sentence(file), "tiny.gguf: general.quantization_version: found 1, expected 2.");
    file = tinyLlama();
    file.tensors.clear();
    EXPECT_EQ(
        sentence(file),
        "tiny.gguf: the file holds no tensors, expected a whole model; it may hold a vocabulary alone.");
    file = tinyLlama();
    file.tensors[0].name = "other";
    EXPECT_EQ(sentence(file),
              "tiny.gguf: the tensor \"token_embd.weight\" is missing, expected a table of words; the "
              "file may hold a vocabulary alone, or a part of a model.");
}

TEST_F(GgufModelTest, ArchitecturesAreRefusedByName) {
    GgufBuilder file = tinyLlama();
    without(file, "general.architecture");
    EXPECT_TRUE(sentence(file).starts_with(
        "tiny.gguf: the key general.architecture is missing, it says what the model is;"));
    file.text("general.architecture", "mamba");
    EXPECT_EQ(sentence(file),
              fmt::format("tiny.gguf: general.architecture: \"mamba\" is not supported, expected one of: {}.",
                          fmt::join(ggufArchitectures(), ", ")));
}

TEST_F(GgufModelTest, KeysAreRefusedByName) {
    const auto with = [&](const std::string& key) {
        GgufBuilder file = tinyLlama();
        file.keys.push_back(key);
        return sentence(file);
    };
    const auto number = [](const char* key, std::uint32_t value) { return ggufKey(key, 4, raw(value)); };
    EXPECT_EQ(
        with(number("llama.expert_count", 8)),
        "tiny.gguf: the key llama.expert_used_count is missing, expected a whole number from 1 to 8; the "
        "file is damaged or was made to mislead.");
    EXPECT_EQ(with(number("llama.expert_used_count", 2)),
              "tiny.gguf: llama.expert_used_count: found 2, expected 0.");
    EXPECT_EQ(with(number("llama.rope.dimension_count", 2)),
              "tiny.gguf: llama.rope.dimension_count: found 2, expected 4.");
    EXPECT_EQ(with(number("llama.attention.value_length", 2)),
              "tiny.gguf: llama.attention.value_length: found 2, expected 4.");
    EXPECT_EQ(with(number("llama.vocab_size", 6)), "tiny.gguf: llama.vocab_size: found 6, expected 5.");
    EXPECT_EQ(with(ggufKey("llama.attention.causal", 7, std::string(1, '\0'))),
              "tiny.gguf: llama.attention.causal: found false, expected true.");
    EXPECT_EQ(
        with(number("llama.attention.sliding_window", 4096)),
        "tiny.gguf: llama.attention.sliding_window: the key is not known, what it says of a model of the "
        "architecture llama may change what it computes.");
    EXPECT_EQ(
        with(ggufKey("llama.rope.scaling.type", 8, ggufText("longrope"))),
        "tiny.gguf: llama.rope.scaling.type: found the string \"longrope\", expected \"none\", \"linear\" or "
        "\"yarn\".");
    GgufBuilder file = tinyLlama();
    without(file, "llama.attention.head_count");
    EXPECT_EQ(sentence(file),
              "tiny.gguf: the key llama.attention.head_count is missing, expected a whole number from "
              "1 to 1024; the file is damaged or was made to mislead.");
    file.text("llama.attention.head_count", "2");
    EXPECT_EQ(sentence(file),
              "tiny.gguf: llama.attention.head_count: found the string \"2\", expected a whole number "
              "from 1 to 1024.");
    file = tinyLlama();
    without(file, "llama.attention.head_count_kv");
    file.number("llama.attention.head_count_kv", 0);
    EXPECT_EQ(sentence(file),
              "tiny.gguf: llama.attention.head_count_kv: found 0, expected a divisor of 2, the number "
              "of heads.");
}

TEST_F(GgufModelTest, TensorsAreRefusedByName) {
    GgufBuilder file = tinyLlama();
    file.tensor("blk.0.attn_q_norm.weight", {4}, 0, zeros(4));
    EXPECT_EQ(sentence(file),
              "tiny.gguf: the tensor \"blk.0.attn_q_norm.weight\" is not known, a model of the "
              "architecture llama has none of that name.");
    file = tinyLlama();
    file.tensors[1].extents = {16, 4};
    EXPECT_EQ(sentence(file),
              "tiny.gguf: the tensor \"blk.0.attn_q.weight\" has shape [4, 16], expected 8 rows; the "
              "file is damaged or was made to mislead.");
}

/// Three experts of 12 and 8 in one tensor, the second of which starts after 96 numbers.
TEST_F(GgufModelTest, ExpertsAreTakenApart) {
    GgufBuilder file = tinyLlama();
    file.number("llama.expert_count", 3);
    file.number("llama.expert_used_count", 2);
    std::string numbers;
    for (int i = 0; i < 3 * 96; ++i) numbers.append(raw(static_cast<float>(i)));
    file.tensor("blk.0.ffn_up_exps.weight", {8, 12, 3}, 0, numbers);
    const Checkpoint checkpoint = open(file);
    EXPECT_EQ(checkpoint.config.find("model_type")->asString(), "mixtral");
    EXPECT_EQ(checkpoint.config.find("num_local_experts")->asInteger(), 3);
    EXPECT_EQ(checkpoint.config.find("num_experts_per_tok")->asInteger(), 2);
    const TensorInfo* second =
        checkpoint.weights->find("model.layers.0.block_sparse_moe.experts.1.w3.weight");
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(second->shape, (std::vector<std::int64_t>{12, 8}));
    std::vector<float> read(2);
    checkpoint.weights->readFloats(*second, 94, read);
    EXPECT_EQ(read, (std::vector<float>{190.0F, 191.0F}));
}

TEST_F(GgufModelTest, OtherMixturesAreRefused) {
    GgufBuilder file = tinyLlama();
    file.number("llama.expert_count", 3);
    file.number("llama.expert_used_count", 2);
    GgufBuilder other = file;
    other.tensor("blk.0.ffn_up_exps.weight", {8, 12, 2}, 0, zeros(192));
    EXPECT_EQ(sentence(other),
              "tiny.gguf: the tensor \"blk.0.ffn_up_exps.weight\" has shape [2, 12, 8], expected 3 matrices; "
              "the file is damaged or was made to mislead.");
    other = file;
    other.tensor("blk.0.ffn_up.weight", {8, 12}, 0, zeros(96));
    EXPECT_EQ(sentence(other), "tiny.gguf: the tensor \"blk.0.ffn_up.weight\" is not known, a model of the "
                               "architecture llama has none of that name.");
    other = file;
    other.number("llama.expert_gating_func", 2);
    EXPECT_EQ(sentence(other), "tiny.gguf: llama.expert_gating_func: found 2, expected 1.");
    other = file;
    other.real("llama.expert_weights_scale", 2.5F);
    EXPECT_EQ(sentence(other), "tiny.gguf: llama.expert_weights_scale: found 2.5, expected 1.0.");
    other = file;
    other.number("llama.expert_group_count", 2);
    EXPECT_TRUE(sentence(other).starts_with("tiny.gguf: llama.expert_group_count: the key is not known"));
}

/// Tables in the first layers of both stacks are T5's; one in the decoder's second layer would be left out by
/// it, and tells UMT5.
TEST_F(GgufModelTest, TablesOfPositionsTellT5FromUmt5) {
    GgufBuilder file;
    file.text("general.architecture", "t5");
    for (const char* key : {"block_count", "context_length", "feed_forward_length", "attention.head_count",
                            "attention.relative_buckets_count"})
        file.number(fmt::format("t5.{}", key), 4);
    file.number("t5.embedding_length", 8);
    file.number("t5.decoder_block_count", 3);
    file.real("t5.attention.layer_norm_rms_epsilon", 1e-6F);
    file.tensor("token_embd.weight", {8, 5}, 0, zeros(40));
    file.tensor("dec.blk.0.attn_rel_b.weight", {4, 4}, 0, zeros(16));
    const auto field = [&](const char* name) { return *open(file).config.find(name); };
    EXPECT_EQ(field("model_type").asString(), "t5");
    EXPECT_EQ(field("feed_forward_proj").asString(), "relu");
    EXPECT_EQ(field("num_layers").asInteger(), 4);
    EXPECT_EQ(field("num_decoder_layers").asInteger(), 3);
    EXPECT_EQ(field("relative_attention_max_distance").asInteger(), 128);
    EXPECT_TRUE(field("tie_word_embeddings").asBool());
    GgufBuilder third = file;
    third.tensor("dec.blk.2.attn_rel_b.weight", {4, 4}, 0, zeros(16));
    EXPECT_TRUE(
        sentence(third).starts_with("tiny.gguf: the tensor \"dec.blk.2.attn_rel_b.weight\" is not known"));
    file.tensor("dec.blk.1.attn_rel_b.weight", {4, 4}, 0, zeros(16));
    EXPECT_EQ(field("model_type").asString(), "umt5");
    file.tensor("enc.blk.0.ffn_gate.weight", {8, 4}, 0, zeros(32));
    EXPECT_EQ(field("feed_forward_proj").asString(), "gated-gelu");
    file.number("t5.decoder_start_token_id", 5);
    EXPECT_EQ(sentence(file), "tiny.gguf: t5.decoder_start_token_id: found 5, expected a token below 5.");
}

TEST_F(GgufModelTest, RotaryScalingsAreToldInTheWordsOfConfig) {
    GgufBuilder file = tinyLlama();
    file.text("llama.rope.scaling.type", "linear");
    file.real("llama.rope.scaling.factor", 4.0F);
    file.real("llama.rope.freq_base", 500000.0F);
    Checkpoint checkpoint = open(file);
    EXPECT_EQ(checkpoint.config.find("rope_theta")->asReal(), 500000.0);
    const Json* scaling = checkpoint.config.find("rope_scaling");
    EXPECT_EQ(scaling->find("rope_type")->asString(), "linear");
    EXPECT_EQ(scaling->find("factor")->asReal(), 4.0);
    file = tinyLlama();
    file.text("llama.rope.scaling.type", "yarn");
    file.real("llama.rope.scaling.factor", 4.0F);
    file.number("llama.rope.scaling.original_context_length", 16);
    checkpoint = open(file);
    scaling = checkpoint.config.find("rope_scaling");
    EXPECT_EQ(scaling->find("original_max_position_embeddings")->asInteger(), 16);
    file.real("llama.rope.scaling.yarn_log_multiplier", 0.1F);
    EXPECT_EQ(sentence(file),
              "tiny.gguf: llama.rope.scaling.yarn_log_multiplier: found 0.1, expected no such key, as "
              "its meaning differs from that of config.json.");
}

/// Heads of four, theta 500,000: the second pair turns 8192 / (2 pi sqrt(theta)) = 1.84 times within 8,192
/// tokens.
TEST_F(GgufModelTest, DivisorsOfLlama3AreRecognised) {
    const auto scalingOf = [&](float second) {
        GgufBuilder file = tinyLlama();
        file.real("llama.rope.freq_base", 500000.0F);
        const std::vector<float> divisors{1.0F, second};
        file.tensor("rope_freqs.weight", {2}, 0, raw(divisors[0]) + raw(divisors[1]));
        return *open(file).config.find("rope_scaling");
    };
    EXPECT_EQ(scalingOf(2.694530F).find("rope_type")->asString(), "llama3");
    EXPECT_EQ(scalingOf(2.694530F).find("factor")->asReal(), 8.0);
    EXPECT_EQ(scalingOf(3.292262F).find("factor")->asReal(), 32.0);
    const Json other = scalingOf(2.5F);
    EXPECT_EQ(other.find("rope_type")->asString(), "longrope");
    EXPECT_EQ(other.find("long_factor")->items()[1].asReal(), 2.5);
    EXPECT_EQ(other.find("attention_factor")->asReal(), 1.0);
}

TEST_F(GgufModelTest, TwoTensorsThatAreOneAreRefused) {
    GgufBuilder file = tinyLlama();
    for (std::string& key : file.keys)
        for (std::size_t at = key.find("llama."); at != std::string::npos; at = key.find("llama."))
            key.replace(at, 5, "olmo2");
    file.keys[0] = ggufKey("general.architecture", 8, ggufText("olmo2"));
    file.tensor("blk.0.ffn_norm.weight", {8}, 0, zeros(8));
    file.tensor("blk.0.post_attention_norm.weight", {8}, 0, zeros(8));
    EXPECT_EQ(sentence(file),
              "tiny.gguf: the tensors \"blk.0.ffn_norm.weight\" and "
              "\"blk.0.post_attention_norm.weight\" are both there, a model of the architecture olmo2 "
              "has one of them.");
}

/// d = 4: pairs (0, 1), (2, 3) of a head become halves (0, 2), (1, 3).
TEST(GgufRows, PairsBecomeHalves) {
    EXPECT_EQ(*halvesOfPairs(2, 4), (std::vector<std::int64_t>{0, 2, 1, 3, 4, 6, 5, 7}));
}

/// Four heads of size 1 on two key/value heads: q0 q1 q2 q3 k0 k1 v0 v1.
TEST(GgufRows, QueriesKeysAndValuesComeTogether) {
    EXPECT_EQ(*groupedByHead(4, 2, 1), (std::vector<std::int64_t>{0, 1, 4, 6, 2, 3, 5, 7}));
}

} // namespace
} // namespace headscope::test
