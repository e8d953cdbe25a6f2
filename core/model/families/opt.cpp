// SPDX-License-Identifier: GPL-3.0-or-later
// OPT: positions two rows into their table; the smaller checkpoints have word vectors of another width, or
// normalise after each branch.
#include "core/model/families/gpt.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::int64_t kPositionOffset = 2;
constexpr double kEpsilon = 1e-5; // in no config

/// Switches that all layers share.
struct Switches {
    bool normBefore = true;
    bool affine = true; ///< norms have weight and bias
    bool bias = true;   ///< of the linear maps

    NormSpec norm(const std::string& name) const {
        NormSpec norm;
        if (affine) norm = layerNormSpec(name, kEpsilon);
        norm.epsilon = kEpsilon;
        return norm;
    }
    BranchSpec branch(const std::string& name) const {
        BranchSpec branch;
        (normBefore ? branch.before : branch.after) = norm(name);
        return branch;
    }
};

BlockSpec blockSpec(const ConfigReader& config, const DecoderSizes& sizes, const Switches& switches,
                    int layer) {
    const std::string prefix = fmt::format("layers.{}.", layer);
    BlockSpec block;
    block.weightsOf = static_cast<std::size_t>(layer);
    block.attention = causalAttention(sizes);
    ProjectionSpec& projections = block.attention.projections;
    projections.query = linearSpec(prefix + "self_attn.q_proj", switches.bias);
    projections.key = linearSpec(prefix + "self_attn.k_proj", switches.bias);
    projections.value = linearSpec(prefix + "self_attn.v_proj", switches.bias);
    projections.output = linearSpec(prefix + "self_attn.out_proj", switches.bias);
    block.attentionBranch = switches.branch(prefix + "self_attn_layer_norm");
    block.feedForward.intermediateSize = sizes.intermediate;
    block.feedForward.activation = activationOf(config, "activation_function", "relu");
    block.feedForward.up = linearSpec(prefix + "fc1", switches.bias);
    block.feedForward.down = linearSpec(prefix + "fc2", switches.bias);
    block.feedForwardBranch = switches.branch(prefix + "final_layer_norm");
    return block;
}

/// Word vectors of another width go through a projection on the way in and on the way out.
void setWordWidth(TransformerSpec& stack, std::int64_t width) {
    stack.outputSize = stack.embedding.width = width;
    if (width == stack.hiddenSize) return;
    stack.embedding.projection = linearSpec("project_in", false);
    stack.embedding.place = EmbeddingSpec::ProjectionPlace::AfterWords;
    stack.outputProjection = linearSpec("project_out", false);
}

} // namespace

ModelSpec optSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    DecoderSizes sizes;
    sizes.hidden = hiddenSizeOf(config, "hidden_size", 768);
    sizes.layers = layersOf(config, "num_hidden_layers", 12);
    sizes.heads = headsOf(config, "num_attention_heads", 12);
    sizes.intermediate = intermediateSizeOf(config, "ffn_dim", 3072);
    sizes.vocabulary = vocabularySizeOf(config, 50272);
    sizes.epsilon = kEpsilon;
    ModelSpec spec = decoderSpec(config, "opt", sizes, "embed_tokens.weight");
    spec.initializerRange = config.real("init_std", 0.02, 0.0, 1e6);
    spec.main.prefixes = {"model.decoder.", "decoder."};
    const char* width = "word_embed_proj_dim"; // null means the same as none
    setWordWidth(spec.main, config.has(width) ? hiddenSizeOf(config, width, 0) : sizes.hidden);
    addPositionTable(spec, "embed_positions.weight",
                     positionsOf(config, "max_position_embeddings", 2048) + kPositionOffset, kPositionOffset);
    paddingIdOf(config, 1, sizes.vocabulary); // refused where the word table has no such row
    Switches switches;
    switches.normBefore = flagOf(config, "do_layer_norm_before", true);
    switches.affine = flagOf(config, "layer_norm_elementwise_affine", true);
    switches.bias = flagOf(config, "enable_bias", true);
    for (int layer = 0; layer < sizes.layers; ++layer)
        spec.main.blocks.push_back(blockSpec(config, sizes, switches, layer));
    if (switches.normBefore && !config.boolean("_remove_final_layer_norm", false))
        spec.main.finalNorm = switches.norm("final_layer_norm");
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", true), sizes.vocabulary);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
