// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-J: neighbouring numbers of a head are rotated as a pair; attention and feed-forward part read the same
// normalised input.
#include "core/base/error.h"
#include "core/model/families/gpt.h"

#include <fmt/format.h>

namespace headscope {

namespace {

/// The first rotary_dim numbers of each head.
RotarySpec rotarySpec(const ConfigReader& config, const AttentionSpec& attention) {
    RotarySpec rotary;
    rotary.interleaved = true;
    const bool isNull = config.isNull("rotary_dim");
    // null: a table as wide as the model, which fits the heads only where there is one.
    rotary.dims = isNull ? attention.headSize * attention.heads
                         : config.integer("rotary_dim", 64, 0, spec_limits::kHeadSize);
    if (rotary.dims < 2 || rotary.dims % 2 != 0 || rotary.dims > attention.headSize)
        fail(config.subject() + ": rotary_dim",
             fmt::format("{}{} of the {} numbers of a head would be rotated", isNull ? "null: " : "",
                         rotary.dims, attention.headSize),
             "expected an even number, from 2 to all of them");
    return rotary;
}

/// A tied head has its bias all the same.
std::optional<OutputHeadSpec> headSpec(const Checkpoint& checkpoint, bool tied, std::int64_t vocabulary) {
    std::optional<OutputHeadSpec> head = languageHead(checkpoint, tied, vocabulary);
    const std::vector<std::string> noPrefix{""};
    if (!head || !hasTensor(checkpoint, noPrefix, "lm_head.bias")) return std::nullopt;
    head->bias = "lm_head.bias";
    return head;
}

} // namespace

ModelSpec gptJSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    DecoderSizes sizes;
    sizes.hidden = hiddenSizeOf(config, {"n_embd", "hidden_size"}, 4096);
    sizes.layers = layersOf(config, {"n_layer", "num_hidden_layers"}, 28);
    sizes.heads = headsOf(config, {"n_head", "num_attention_heads"}, 16);
    sizes.intermediate = innerSizeOf(config, "n_inner", sizes.hidden);
    sizes.vocabulary = vocabularySizeOf(config, 50400);
    sizes.epsilon = epsilonOf(config, "layer_norm_epsilon", 1e-5);
    ModelSpec spec = decoderSpec(config, "gptj", sizes, "wte.weight");
    spec.main.maxPositions = positionsOf(config, {"n_positions", "max_position_embeddings"}, 2048);
    for (int layer = 0; layer < sizes.layers; ++layer) {
        const std::string prefix = fmt::format("h.{}.", layer);
        BlockSpec block;
        block.weightsOf = static_cast<std::size_t>(layer);
        block.parallel = true;
        block.attention = causalAttention(sizes);
        block.attention.rotary = 0;
        ProjectionSpec& projections = block.attention.projections;
        projections.query = linearSpec(prefix + "attn.q_proj", false);
        projections.key = linearSpec(prefix + "attn.k_proj", false);
        projections.value = linearSpec(prefix + "attn.v_proj", false);
        projections.output = linearSpec(prefix + "attn.out_proj", false);
        block.attentionBranch.before = layerNormSpec(prefix + "ln_1", sizes.epsilon);
        block.feedForward.intermediateSize = sizes.intermediate;
        block.feedForward.activation = activationOf(config, "activation_function", "gelu_new");
        block.feedForward.up = linearSpec(prefix + "mlp.fc_in");
        block.feedForward.down = linearSpec(prefix + "mlp.fc_out");
        spec.main.blocks.push_back(std::move(block));
    }
    spec.main.rotaries = {rotarySpec(config, spec.main.blocks.front().attention)};
    spec.main.finalNorm = layerNormSpec("ln_f", sizes.epsilon);
    spec.head = headSpec(checkpoint, config.boolean("tie_word_embeddings", false), sizes.vocabulary);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
