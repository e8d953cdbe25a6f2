// SPDX-License-Identifier: GPL-3.0-or-later
// The generations of Gemma. Their norms are stored with the one added that the model adds itself.
#include "core/checkpoint/gguf/gguf_architecture.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr float kShift = -1.0F;

/// The factor of the scores is in no key. All published models have the head's size in it, but for the
/// largest of each generation, which is told by its number of layers and has width / heads.
void describeScale(GgufDescription& file, std::int64_t layersOfLargest) {
    const bool largest = file.layers() == layersOfLargest;
    file.set("query_pre_attn_scalar", Json(largest ? file.width() / file.heads() : file.headSize()));
}

/// Outputs of both branches are normalised too.
void describeOutputNorms(GgufDescription& file) {
    const std::string layer = "model.layers.{}.";
    file.layerTensor("post_attention_norm", {layer + "post_attention_layernorm", {}, kShift});
    file.layerTensor("ffn_norm", {layer + "pre_feedforward_layernorm", {}, kShift});
    file.layerTensor("post_ffw_norm", {layer + "post_feedforward_layernorm", {}, kShift});
}

void describeGemmaLike(GgufDescription& file, const char* modelType) {
    describeLlamaLike(file, {.modelType = modelType, .normShift = kShift});
    requireWholeRotary(file);
}

} // namespace

void describeGemma(GgufDescription& file) {
    describeGemmaLike(file, "gemma");
}

void describeGemma2(GgufDescription& file) {
    describeGemmaLike(file, "gemma2");
    describeScale(file, 46);
    describeOutputNorms(file);
    file.set("attn_logit_softcapping", Json(file.real("attn_logit_softcapping")));
    file.set("final_logit_softcapping", Json(file.real("final_logit_softcapping")));
    file.set("sliding_window", Json(file.integer("attention.sliding_window", std::int64_t{1} << 40)));
}

void describeGemma3(GgufDescription& file) {
    describeGemmaLike(file, "gemma3_text");
    describeScale(file, 62);
    describeOutputNorms(file);
    file.layerTensor("attn_q_norm", {"model.layers.{}.self_attn.q_norm", {}, kShift});
    file.layerTensor("attn_k_norm", {"model.layers.{}.self_attn.k_norm", {}, kShift});
    if (file.has("final_logit_softcapping"))
        file.set("final_logit_softcapping", Json(file.real("final_logit_softcapping")));
    file.set("sliding_window", Json(file.integer("attention.sliding_window", std::int64_t{1} << 40)));
    file.set("sliding_window_pattern", Json(file.integer("attention.sliding_window_pattern", 1024, 6)));
    file.set("rope_local_base_freq", Json(file.real("rope.freq_base_swa", 10000.0)));
}

} // namespace headscope
