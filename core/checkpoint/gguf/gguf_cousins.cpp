// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders that change more of Llama than a switch.
#include "core/checkpoint/gguf/gguf_architecture.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

const std::string kLayer = "model.layers.{}.";

LlamaTensors withLayerNorms(const char* modelType, const char* epsilonField) {
    LlamaTensors tensors{.modelType = modelType};
    tensors.epsilonKey = "attention.layer_norm_epsilon";
    tensors.epsilonField = epsilonField;
    return tensors;
}

Json listOf(const std::vector<float>& values) {
    Json list = Json::array();
    for (const float value : values) list.items().emplace_back(static_cast<double>(value));
    return list;
}

/// Divisors for short and for long texts. The factor that goes with them follows from the two lengths.
void describeLongRope(GgufDescription& file, std::int64_t original) {
    const auto shortFactors = file.numbers("rope_factors_short.weight");
    const auto longFactors = file.numbers("rope_factors_long.weight");
    if (!shortFactors || !longFactors) return;
    const double ratio =
        static_cast<double>(file.integer("context_length", 1 << 24)) / static_cast<double>(original);
    const double factor =
        ratio > 1.0 ? std::sqrt(1.0 + std::log(ratio) / std::log(static_cast<double>(original))) : 1.0;
    const double given = file.real("rope.scaling.attn_factor", factor);
    if (std::abs(given - factor) > 1e-5 * factor)
        file.refuse("rope.scaling.attn_factor",
                    fmt::format("{}, which follows from the two lengths", factor));
    Json scaling = Json::object();
    scaling.members().emplace_back("type", Json(std::string("longrope")));
    scaling.members().emplace_back("short_factor", listOf(*shortFactors));
    scaling.members().emplace_back("long_factor", listOf(*longFactors));
    file.set("rope_scaling", std::move(scaling));
}

} // namespace

void describePhi2(GgufDescription& file) {
    describeLlamaLike(file, withLayerNorms("phi", "layer_norm_eps"));
    describePartialRotary(file);
    file.tensor("output_norm", "model.final_layernorm");
    file.layerTensor("attn_output", kLayer + "self_attn.dense");
    file.layerTensor("ffn_up", kLayer + "mlp.fc1");
    file.layerTensor("ffn_down", kLayer + "mlp.fc2");
}

void describePhi3(GgufDescription& file) {
    describeLlamaLike(file, {.modelType = "phi3"});
    describePartialRotary(file);
    const std::int64_t original = file.integer("rope.scaling.original_context_length", 1 << 24,
                                               file.integer("context_length", 1 << 24));
    file.set("original_max_position_embeddings", Json(original));
    describeLongRope(file, original);
    // 0 says that there is none, as in Phi-4.
    const std::int64_t window = file.integer("attention.sliding_window", std::int64_t{1} << 40, 0);
    file.set("sliding_window", window > 0 ? Json(window) : Json());
    file.layerTensor("attn_qkv", kLayer + "self_attn.qkv_proj");
    file.layerTensor("ffn_up", kLayer + "mlp.gate_up_proj");
}

void describeStableLm(GgufDescription& file) {
    describeLlamaLike(file, withLayerNorms("stablelm", "layer_norm_eps"));
    describePartialRotary(file);
    file.set("use_parallel_residual", Json(file.boolean("use_parallel_residual", true)));
    file.set("use_qkv_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
}

void describeStarcoder2(GgufDescription& file) {
    describeLlamaLike(file, withLayerNorms("starcoder2", "norm_epsilon"));
    requireWholeRotary(file);
    file.set("use_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
    file.set("sliding_window", Json());
    file.note(
        "a GGUF file of this architecture does not say the window of attention that published StarCoder2 "
        "models have (4096 tokens): none is applied");
    file.layerTensor("ffn_up", kLayer + "mlp.c_fc");
    file.layerTensor("ffn_down", kLayer + "mlp.c_proj");
}

void describeOlmo2(GgufDescription& file) {
    describeLlamaLike(file, {.modelType = "olmo2"});
    requireWholeRotary(file);
    file.layerTensor("attn_q_norm", kLayer + "self_attn.q_norm");
    file.layerTensor("attn_k_norm", kLayer + "self_attn.k_norm");
    file.layerTensor("post_attention_norm", kLayer + "post_attention_layernorm");
    file.layerTensor("post_ffw_norm", kLayer + "post_feedforward_layernorm");
}

void describeGranite(GgufDescription& file) {
    LlamaTensors tensors{.modelType = "granite"};
    tensors.pairs = true;
    describeLlamaLike(file, tensors);
    requireWholeRotary(file);
    file.set("attention_multiplier", Json(file.real("attention.scale", 1.0)));
    file.set("embedding_multiplier", Json(file.real("embedding_scale", 1.0)));
    file.set("residual_multiplier", Json(file.real("residual_scale", 1.0)));
    file.set("logits_scaling", Json(file.real("logit_scale", 1.0)));
    file.set("attention_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
    file.set("mlp_bias", Json(file.hasTensor("blk.0.ffn_gate.bias")));
}

void describeCohere(GgufDescription& file) {
    describeLlamaLike(file, withLayerNorms("cohere", "layer_norm_eps"));
    requireWholeRotary(file);
    file.set("logit_scale", Json(file.real("logit_scale")));
    file.set("attention_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
    file.set("use_qk_norm", Json(file.hasTensor("blk.0.attn_q_norm.weight")));
    file.layerTensor("attn_q_norm", kLayer + "self_attn.q_norm");
    file.layerTensor("attn_k_norm", kLayer + "self_attn.k_norm");
}

void describeCohere2(GgufDescription& file) {
    describeLlamaLike(file, withLayerNorms("cohere2", "layer_norm_eps"));
    requireWholeRotary(file);
    file.set("logit_scale", Json(file.real("logit_scale")));
    file.set("sliding_window", Json(file.integer("attention.sliding_window", std::int64_t{1} << 40)));
    file.set("sliding_window_pattern", Json(file.integer("attention.sliding_window_pattern", 1024, 4)));
}

} // namespace headscope
