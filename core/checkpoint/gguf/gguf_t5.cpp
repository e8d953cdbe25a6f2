// SPDX-License-Identifier: GPL-3.0-or-later
// T5, mT5, UMT5 and their encoders alone.
#include "core/checkpoint/gguf/gguf_architecture.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// One of the two stacks, as it is called in the file and in the family.
struct Stack {
    std::string_view stored; ///< "enc"
    std::string_view name;   ///< "encoder"
    std::int64_t layers;
    bool gated;
    bool tables; ///< of positions in every layer, not the first alone
};

void nameAttention(GgufDescription& file, const std::string& stored, const std::string& name) {
    for (const char* one : {"q", "k", "v", "o"})
        file.tensor(fmt::format("{}_{}", stored, one), fmt::format("{}{}", name, one));
}

void nameLayer(GgufDescription& file, const Stack& stack, std::int64_t layer) {
    const std::string stored = fmt::format("{}.blk.{}.", stack.stored, layer);
    const std::string name = fmt::format("{}.block.{}.layer.", stack.name, layer);
    file.tensor(stored + "attn_norm", name + "0.layer_norm");
    nameAttention(file, stored + "attn", name + "0.SelfAttention.");
    if (layer == 0 || stack.tables)
        file.tensor(stored + "attn_rel_b", name + "0.SelfAttention.relative_attention_bias");
    const bool decoder = stack.stored == "dec";
    if (decoder) {
        file.tensor(stored + "cross_attn_norm", name + "1.layer_norm");
        nameAttention(file, stored + "cross_attn", name + "1.EncDecAttention.");
    }
    const std::string last = name + (decoder ? "2." : "1.");
    const std::string forward = last + "DenseReluDense.";
    file.tensor(stored + "ffn_norm", last + "layer_norm");
    if (stack.gated) file.tensor(stored + "ffn_gate", forward + "wi_0");
    file.tensor(stored + "ffn_up", forward + (stack.gated ? "wi_1" : "wi"));
    file.tensor(stored + "ffn_down", forward + "wo");
}

void nameStack(GgufDescription& file, const Stack& stack) {
    for (std::int64_t layer = 0; layer < stack.layers; ++layer) nameLayer(file, stack, layer);
    file.tensor(fmt::format("{}.output_norm", stack.stored), fmt::format("{}.final_layer_norm", stack.name));
}

/// What both architectures share. The greatest distance of the tables and the activation are in no key: 128
/// as published, and ReLU without a gate, GELU with one.
void describeStacks(GgufDescription& file, std::int64_t decoderLayers) {
    const bool gated = file.hasTensor("enc.blk.0.ffn_gate.weight");
    // UMT5 has a table of positions in every layer; a model of one layer is computed alike.
    const bool tables =
        file.hasTensor("enc.blk.1.attn_rel_b.weight") || file.hasTensor("dec.blk.1.attn_rel_b.weight");
    file.set("model_type", tables ? "umt5" : "t5");
    file.set("d_model", Json(file.width()));
    file.set("d_kv", Json(file.headSize()));
    file.set("num_heads", Json(file.heads()));
    file.require("attention.head_count_kv", file.heads());
    file.set("num_layers", Json(file.layers()));
    file.set("d_ff", Json(file.integer("feed_forward_length", 1 << 20)));
    file.set("layer_norm_epsilon", Json(file.real("attention.layer_norm_rms_epsilon")));
    // The same number by another name: these have no other norms. The length limits nothing.
    file.ignore({"attention.layer_norm_epsilon", "context_length"});
    file.set("relative_attention_num_buckets",
             Json(file.integer("attention.relative_buckets_count", 1 << 16)));
    file.set("relative_attention_max_distance", Json(std::int64_t{128}));
    file.set("feed_forward_proj", gated ? "gated-gelu" : "relu");
    describeVocabulary(file);
    file.tensor("token_embd", "shared");
    nameStack(file, {"enc", "encoder", file.layers(), gated, tables});
    if (decoderLayers > 0) nameStack(file, {"dec", "decoder", decoderLayers, gated, tables});
    // Written by old versions of the library, which does not read it.
    file.ignoreTensors(".cross_attn_rel_b.weight");
}

void setArchitecture(GgufDescription& file, const char* name) {
    Json list = Json::array();
    list.items().emplace_back(std::string(name));
    file.set("architectures", std::move(list));
}

} // namespace

void describeT5(GgufDescription& file) {
    const std::int64_t layers =
        file.has("decoder_block_count") ? file.integer("decoder_block_count", 1024) : file.layers();
    describeStacks(file, layers);
    setArchitecture(file, "T5ForConditionalGeneration");
    file.set("num_decoder_layers", Json(layers));
    file.set("is_encoder_decoder", Json(true));
    const std::int64_t words = file.vocabulary();
    const std::int64_t start = file.integer("decoder_start_token_id", 1 << 24, 0);
    if (start >= words) file.refuse("decoder_start_token_id", fmt::format("a token below {}", words));
    file.set("decoder_start_token_id", Json(start));
    file.tensor("output", "lm_head");
}

void describeT5Encoder(GgufDescription& file) {
    describeStacks(file, 0);
    setArchitecture(file, "T5EncoderModel");
}

} // namespace headscope
