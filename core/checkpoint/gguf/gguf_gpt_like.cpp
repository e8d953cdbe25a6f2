// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-2 and other decoders with layer norms.
#include "core/checkpoint/gguf/gguf_architecture.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// The fused matrix of queries, keys and values, with its rows together by head as the family has them.
void fusedTensor(GgufDescription& file, const std::string& name, std::int64_t keyValueHeads) {
    file.layerTensor("attn_qkv", {name, groupedByHead(file.heads(), keyValueHeads, file.headSize()), 0.0F});
}

} // namespace

void describeGpt2(GgufDescription& file) {
    file.set("model_type", "gpt2");
    file.set("n_embd", Json(file.width()));
    file.set("n_layer", Json(file.layers()));
    file.set("n_head", Json(file.heads()));
    file.require("attention.head_count_kv", file.heads());
    file.set("n_inner", Json(file.integer("feed_forward_length", 1 << 20)));
    file.set("n_positions", Json(file.integer("context_length", 1 << 24)));
    file.set("layer_norm_epsilon", Json(file.real("attention.layer_norm_epsilon")));
    describeVocabulary(file);
    file.keepLinearsOutIn();

    file.tensor("token_embd", "transformer.wte");
    file.tensor("position_embd", "transformer.wpe");
    file.tensor("output_norm", "transformer.ln_f");
    file.tensor("output", "lm_head");
    file.layerTensor("attn_norm", "transformer.h.{}.ln_1");
    file.layerTensor("attn_qkv", "transformer.h.{}.attn.c_attn");
    file.layerTensor("attn_output", "transformer.h.{}.attn.c_proj");
    file.layerTensor("ffn_norm", "transformer.h.{}.ln_2");
    file.layerTensor("ffn_up", "transformer.h.{}.mlp.c_fc");
    file.layerTensor("ffn_down", "transformer.h.{}.mlp.c_proj");
}

void describeGptNeoX(GgufDescription& file) {
    file.set("model_type", "gpt_neox");
    describeSizes(file);
    file.require("attention.head_count_kv", file.heads());
    describePartialRotary(file, "rotary_pct");
    describeRotary(file, "rotary_emb_base");
    describeVocabulary(file);
    file.set("layer_norm_eps", Json(file.real("attention.layer_norm_epsilon")));
    file.set("use_parallel_residual", Json(file.boolean("use_parallel_residual", true)));
    file.set("attention_bias", Json(file.hasTensor("blk.0.attn_qkv.bias")));

    const std::string layer = "gpt_neox.layers.{}.";
    file.tensor("token_embd", "gpt_neox.embed_in");
    file.tensor("output_norm", "gpt_neox.final_layer_norm");
    file.tensor("output", "embed_out");
    fusedTensor(file, layer + "attention.query_key_value", file.heads());
    file.layerTensor("attn_norm", layer + "input_layernorm");
    file.layerTensor("attn_output", layer + "attention.dense");
    file.layerTensor("ffn_norm", layer + "post_attention_layernorm");
    file.layerTensor("ffn_up", layer + "mlp.dense_h_to_4h");
    file.layerTensor("ffn_down", layer + "mlp.dense_4h_to_h");
}

void describeFalcon(GgufDescription& file) {
    const bool bothNorms = file.hasTensor("blk.0.attn_norm_2.weight");
    const std::int64_t shared = file.integer("attention.head_count_kv", 1024, 1);
    // One norm and a key for each query: the models with ALiBi, of which the file does not say that they have
    // it.
    if (shared < 1 || file.heads() % shared != 0 || (!bothNorms && shared == file.heads() && shared > 1))
        file.refuse("attention.head_count_kv", "key/value heads that several heads share");
    const std::string text = file.text("tensor_data_layout", "jploski");
    if (text != "jploski") file.refuse("tensor_data_layout", "\"jploski\"");
    file.set("model_type", "falcon");
    describeSizes(file);
    file.set("ffn_hidden_size", Json(file.integer("feed_forward_length", 1 << 20)));
    file.set("layer_norm_epsilon", Json(file.real("attention.layer_norm_epsilon")));
    file.set("new_decoder_architecture", Json(bothNorms || shared > 1));
    file.set("num_ln_in_parallel_attn", Json(std::int64_t{bothNorms ? 2 : 1}));
    file.set("num_kv_heads", Json(shared));
    file.set("multi_query", Json(true));
    file.set("bias", Json(file.hasTensor("blk.0.attn_qkv.bias")));
    describeRotary(file);
    requireWholeRotary(file);
    describeVocabulary(file);

    const std::string layer = "transformer.h.{}.";
    file.tensor("token_embd", "transformer.word_embeddings");
    file.tensor("output_norm", "transformer.ln_f");
    file.tensor("output", "lm_head");
    fusedTensor(file, layer + "self_attention.query_key_value", shared);
    file.layerTensor("attn_norm", layer + (bothNorms ? "ln_mlp" : "input_layernorm"));
    file.layerTensor("attn_norm_2", layer + "ln_attn");
    file.layerTensor("attn_output", layer + "self_attention.dense");
    file.layerTensor("ffn_up", layer + "mlp.dense_h_to_4h");
    file.layerTensor("ffn_down", layer + "mlp.dense_4h_to_h");
}

void describeBloom(GgufDescription& file) {
    file.set("model_type", "bloom");
    file.set("hidden_size", Json(file.width()));
    file.set("n_layer", Json(file.layers()));
    file.set("n_head", Json(file.heads()));
    file.require("attention.head_count_kv", file.heads());
    file.require("feed_forward_length", 4 * file.width());
    file.ignore({"context_length"}); // ALiBi has no end
    file.set("layer_norm_epsilon", Json(file.real("attention.layer_norm_epsilon")));
    describeVocabulary(file);

    const std::string layer = "transformer.h.{}.";
    file.tensor("token_embd", "transformer.word_embeddings");
    file.tensor("token_embd_norm", "transformer.word_embeddings_layernorm");
    file.tensor("output_norm", "transformer.ln_f");
    file.tensor("output", "lm_head");
    fusedTensor(file, layer + "self_attention.query_key_value", file.heads());
    file.layerTensor("attn_norm", layer + "input_layernorm");
    file.layerTensor("attn_output", layer + "self_attention.dense");
    file.layerTensor("ffn_norm", layer + "post_attention_layernorm");
    file.layerTensor("ffn_up", layer + "mlp.dense_h_to_4h");
    file.layerTensor("ffn_down", layer + "mlp.dense_4h_to_h");
}

} // namespace headscope
