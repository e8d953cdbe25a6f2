// SPDX-License-Identifier: GPL-3.0-or-later
// Llama and its relatives: sizes, rotary embeddings and names of tensors.
#include "core/base/error.h"
#include "core/checkpoint/gguf/gguf_architecture.h"

#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace headscope {

namespace {

Json objectOf(std::initializer_list<std::pair<std::string_view, Json>> members) {
    Json object = Json::object();
    for (const auto& [name, value] : members) object.members().emplace_back(name, value);
    return object;
}

Json numbersOf(const std::vector<float>& values) {
    Json list = Json::array();
    for (const float value : values) list.items().emplace_back(static_cast<double>(value));
    return list;
}

/// The divisors that the published Llama 3 models have, by the rule that config.json names for them; null
/// where these are others. The file has the divisors alone.
Json llama3Rotary(const GgufDescription& file, const std::vector<float>& divisors) {
    constexpr double kOriginal = 8192.0;
    constexpr double kLow = 1.0;
    constexpr double kHigh = 4.0;
    const double theta = file.real("rope.freq_base", 10000.0);
    const auto expected = [&](double factor, std::size_t pair) {
        const double part = static_cast<double>(pair) / static_cast<double>(divisors.size());
        const double turns = kOriginal / (2.0 * std::numbers::pi * std::pow(theta, part));
        if (turns > kHigh) return 1.0;
        if (turns < kLow) return factor;
        const double smooth = (turns - kLow) / (kHigh - kLow);
        return 1.0 / ((1.0 - smooth) / factor + smooth);
    };
    for (const double factor : {8.0, 32.0}) {
        bool same = true;
        for (std::size_t pair = 0; pair < divisors.size(); ++pair) {
            const double divisor = expected(factor, pair);
            same &= std::abs(static_cast<double>(divisors[pair]) - divisor) <= 1e-4 * divisor;
        }
        if (same)
            return objectOf({{"rope_type", Json(std::string("llama3"))},
                             {"factor", Json(factor)},
                             {"low_freq_factor", Json(kLow)},
                             {"high_freq_factor", Json(kHigh)},
                             {"original_max_position_embeddings", Json(std::int64_t{8192})}});
    }
    return {};
}

/// A divisor for each pair, as Llama 3 has them: what longrope computes where short and long are the same and
/// nothing is scaled besides.
Json dividedRotary(const std::vector<float>& factors) {
    return objectOf({{"rope_type", Json(std::string("longrope"))},
                     {"short_factor", numbersOf(factors)},
                     {"long_factor", numbersOf(factors)},
                     {"attention_factor", Json(1.0)}});
}

/// The keys with which yarn is tuned have other meanings in the program that writes GGUF than in
/// transformers.
void refuseTunedYarn(const GgufDescription& file) {
    for (const char* key :
         {"rope.scaling.attn_factor", "rope.scaling.yarn_ext_factor", "rope.scaling.yarn_attn_factor",
          "rope.scaling.yarn_beta_fast", "rope.scaling.yarn_beta_slow", "rope.scaling.yarn_log_multiplier"})
        if (file.has(key)) file.refuse(key, "no such key, as its meaning differs from that of config.json");
}

Json yarn(const GgufDescription& file) {
    refuseTunedYarn(file);
    const std::int64_t original = file.integer("rope.scaling.original_context_length", 1 << 24);
    return objectOf({{"rope_type", Json(std::string("yarn"))},
                     {"factor", Json(file.real("rope.scaling.factor"))},
                     {"original_max_position_embeddings", Json(original)}});
}

Json scaling(GgufDescription& file) {
    const auto divisors = file.numbers("rope_freqs.weight");
    const std::string type = file.text("rope.scaling.type", "none");
    if (divisors) {
        if (type != "none") file.refuse("rope.scaling.type", "\"none\" beside the tensor rope_freqs.weight");
        Json known = llama3Rotary(file, *divisors);
        return known.isNull() ? dividedRotary(*divisors) : known;
    }
    if (type == "none") {
        file.ignore({"rope.scaling.factor", "rope.scaling.original_context_length"});
        return {};
    }
    if (type == "linear") {
        file.ignore({"rope.scaling.original_context_length"});
        return objectOf(
            {{"rope_type", Json(std::string("linear"))}, {"factor", Json(file.real("rope.scaling.factor"))}});
    }
    if (type == "yarn") return yarn(file);
    file.refuse("rope.scaling.type", "\"none\", \"linear\" or \"yarn\"");
}

} // namespace

void describeSizes(GgufDescription& file, bool causal) {
    file.set("hidden_size", Json(file.width()));
    file.set("num_hidden_layers", Json(file.layers()));
    file.set("num_attention_heads", Json(file.heads()));
    file.set("intermediate_size", Json(file.integer("feed_forward_length", 1 << 20)));
    file.set("max_position_embeddings", Json(file.integer("context_length", 1 << 24)));
    if (file.boolean("attention.causal", causal) != causal)
        file.refuse("attention.causal", causal ? "true" : "false");
}

void requireWholeRotary(GgufDescription& file) {
    file.require("rope.dimension_count", file.headSize());
}

void describePartialRotary(GgufDescription& file, std::string_view field) {
    const std::int64_t size = file.headSize();
    const std::int64_t turned = file.integer("rope.dimension_count", size, size);
    double part = static_cast<double>(turned) / static_cast<double>(size);
    // The families take the whole part of this product.
    while (static_cast<std::int64_t>(static_cast<double>(size) * part) < turned)
        part = std::nextafter(part, 1.0);
    file.set(field, Json(part));
}

void describeRotary(GgufDescription& file, std::string_view theta) {
    file.set(theta, Json(file.real("rope.freq_base", 10000.0)));
    // What the key of before September 2023 says, rope.scaling.factor says now.
    if (file.real("rope.scale_linear", 1.0) != 1.0) file.refuse("rope.scale_linear", "1.0");
    Json scaled = scaling(file);
    if (!scaled.isNull()) file.set("rope_scaling", std::move(scaled));
}

void describeVocabulary(GgufDescription& file) {
    const std::int64_t words = file.vocabulary();
    file.require("vocab_size", words);
    file.set("vocab_size", Json(words));
    file.set("tie_word_embeddings", Json(!file.hasTensor("output.weight")));
    file.set("pad_token_id", Json()); // changes nothing in any of these families
}

void describeLlamaLike(GgufDescription& file, const LlamaTensors& tensors) {
    file.set("model_type", tensors.modelType);
    describeSizes(file);
    const std::int64_t heads = file.heads();
    const std::int64_t shared = file.keyValueHeads();
    if (shared < 1 || heads % shared != 0)
        file.refuse("attention.head_count_kv", fmt::format("a divisor of {}, the number of heads", heads));
    const std::int64_t size = file.headSize();
    file.set("num_key_value_heads", Json(shared));
    file.set("head_dim", Json(size));
    file.set(tensors.epsilonField, Json(file.real(tensors.epsilonKey)));
    describeRotary(file);
    describeVocabulary(file);

    const float shift = tensors.normShift;
    file.tensor("token_embd", "model.embed_tokens");
    file.tensor("output_norm", {"model.norm", {}, shift});
    file.tensor("output", "lm_head");
    const std::string layer = "model.layers.{}.";
    const auto turned = [&](std::int64_t count) {
        return tensors.pairs ? halvesOfPairs(count, size) : RowOrder();
    };
    file.layerTensor("attn_norm", {layer + "input_layernorm", {}, shift});
    file.layerTensor("attn_q", {layer + "self_attn.q_proj", turned(heads), 0});
    file.layerTensor("attn_k", {layer + "self_attn.k_proj", turned(shared), 0});
    file.layerTensor("attn_v", layer + "self_attn.v_proj");
    file.layerTensor("attn_output", layer + "self_attn.o_proj");
    file.layerTensor("ffn_norm", {layer + "post_attention_layernorm", {}, shift});
    if (tensors.dense) {
        file.layerTensor("ffn_gate", layer + "mlp.gate_proj");
        file.layerTensor("ffn_up", layer + "mlp.up_proj");
        file.layerTensor("ffn_down", layer + "mlp.down_proj");
    }
    file.ignoreTensors(".attn_rot_embd"); // inverse frequencies, which rope.freq_base says too
    file.ignoreTensors(".attn_rot_embd.weight");
}

void describeLlama(GgufDescription& file) {
    file.ignore({"tensor_data_layout"});
    if (file.integer("expert_count", 1 << 20, 0) > 0) return describeMixtral(file);
    file.require("expert_used_count", 0);
    describeLlamaLike(file, {.modelType = "llama", .pairs = true});
    requireWholeRotary(file);
    file.set("attention_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
    file.set("mlp_bias", Json(file.hasTensor("blk.0.ffn_gate.bias")));
}

/// Which layers turn queries and keys is in no key: all but every fourth, as published and as everything that
/// reads the architecture takes it.
void describeSmolLm3(GgufDescription& file) {
    describeLlamaLike(file, {.modelType = "smollm3", .pairs = true});
    requireWholeRotary(file);
    file.set("no_rope_layer_interval", Json(std::int64_t{4}));
    file.set("attention_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
    file.set("mlp_bias", Json(file.hasTensor("blk.0.ffn_gate.bias")));
}

void describeQwen2(GgufDescription& file) {
    describeLlamaLike(file, {.modelType = "qwen2"});
    requireWholeRotary(file);
}

void describeQwen3(GgufDescription& file) {
    describeLlamaLike(file, {.modelType = "qwen3"});
    requireWholeRotary(file);
    file.set("attention_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
    file.layerTensor("attn_q_norm", "model.layers.{}.self_attn.q_norm");
    file.layerTensor("attn_k_norm", "model.layers.{}.self_attn.k_norm");
}

} // namespace headscope
