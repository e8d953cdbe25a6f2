// SPDX-License-Identifier: GPL-3.0-or-later
// Mixtures of experts: Mixtral, Qwen2-MoE, Qwen3-MoE. All experts of a layer stand in one tensor.
#include "core/checkpoint/gguf/gguf_architecture.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::int64_t kMostExperts = 1024;

struct ExpertNames {
    std::string router; ///< {} for the layer, as in the others
    std::string expert; ///< the first {} is the layer, the second the expert
    const char* gate;
    const char* up;
    const char* down;
};

/// Sets how many are chosen of how many; the number of them.
std::int64_t describeExperts(GgufDescription& file, const char* field) {
    const std::int64_t experts = file.integer("expert_count", kMostExperts);
    file.set(field, Json(experts));
    file.set("num_experts_per_tok", Json(file.integer("expert_used_count", experts)));
    // Softmax, and nothing multiplied afterwards: all that these families know.
    file.require("expert_gating_func", 1);
    if (file.real("expert_weights_scale", 1.0) != 1.0) file.refuse("expert_weights_scale", "1.0");
    return experts;
}

void nameExperts(GgufDescription& file, const ExpertNames& names, std::int64_t experts) {
    file.layerTensor("ffn_gate_inp", names.router);
    const auto stacked = [&](const char* stored, const char* own) {
        file.layerTensor(stored, {.name = names.expert + own, .parts = experts});
    };
    stacked("ffn_gate_exps", names.gate);
    stacked("ffn_up_exps", names.up);
    stacked("ffn_down_exps", names.down);
}

/// As files of before April 2024 have them, each expert by itself.
void nameSingleExperts(GgufDescription& file, const ExpertNames& names, std::int64_t experts) {
    const auto single = [&](std::string_view stored, std::int64_t expert, const char* own) {
        const std::size_t place = names.expert.rfind("{}");
        file.layerTensor(fmt::format("{}.{}", stored, expert),
                         fmt::format("{}{}{}{}", names.expert.substr(0, place), expert,
                                     names.expert.substr(place + 2), own));
    };
    for (std::int64_t expert = 0; expert < experts; ++expert) {
        // Without the first layer's there are none, and no names to keep.
        if (!file.hasTensor(fmt::format("blk.0.ffn_gate.{}.weight", expert))) continue;
        single("ffn_gate", expert, names.gate);
        single("ffn_up", expert, names.up);
        single("ffn_down", expert, names.down);
    }
}

/// Whether the weights of the chosen ones are divided by their sum is a key in few files; without it, as the
/// published models have it.
void describeQwenMixture(GgufDescription& file, bool normalised) {
    const std::int64_t experts = describeExperts(file, "num_experts");
    file.set("norm_topk_prob", Json(file.boolean("expert_weights_norm", normalised)));
    file.set("moe_intermediate_size", Json(file.integer("expert_feed_forward_length", 1 << 20)));
    file.set("decoder_sparse_step", Json(std::int64_t{1}));
    const std::string layer = "model.layers.{}.mlp.";
    nameExperts(file, {layer + "gate", layer + "experts.{}.", "gate_proj", "up_proj", "down_proj"}, experts);
}

} // namespace

void describeMixtral(GgufDescription& file) {
    describeLlamaLike(file, {.modelType = "mixtral", .pairs = true, .dense = false});
    requireWholeRotary(file);
    file.set("sliding_window", Json()); // as published
    const std::int64_t experts = describeExperts(file, "num_local_experts");
    if (!file.boolean("expert_weights_norm", true)) file.refuse("expert_weights_norm", "true");
    file.require("expert_feed_forward_length", file.integer("feed_forward_length", 1 << 20));
    const std::string layer = "model.layers.{}.block_sparse_moe.";
    const ExpertNames names{layer + "gate", layer + "experts.{}.", "w1", "w3", "w2"};
    nameExperts(file, names, experts);
    nameSingleExperts(file, names, experts);
}

void describeQwen2Moe(GgufDescription& file) {
    describeLlamaLike(file, {.modelType = "qwen2_moe", .dense = false});
    requireWholeRotary(file);
    describeQwenMixture(file, false);
    file.set("shared_expert_intermediate_size",
             Json(file.integer("expert_shared_feed_forward_length", 1 << 20)));
    file.set("qkv_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
    const std::string layer = "model.layers.{}.mlp.";
    file.layerTensor("ffn_gate_shexp", layer + "shared_expert.gate_proj");
    file.layerTensor("ffn_up_shexp", layer + "shared_expert.up_proj");
    file.layerTensor("ffn_down_shexp", layer + "shared_expert.down_proj");
    file.layerTensor("ffn_gate_inp_shexp", {.name = layer + "shared_expert_gate", .row = true});
}

void describeQwen3Moe(GgufDescription& file) {
    describeLlamaLike(file, {.modelType = "qwen3_moe", .dense = false});
    requireWholeRotary(file);
    describeQwenMixture(file, true);
    file.set("attention_bias", Json(file.hasTensor("blk.0.attn_q.bias")));
    file.layerTensor("attn_q_norm", "model.layers.{}.self_attn.q_norm");
    file.layerTensor("attn_k_norm", "model.layers.{}.self_attn.k_norm");
}

} // namespace headscope
