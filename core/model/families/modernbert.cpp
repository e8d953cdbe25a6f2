// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/modernbert.h"

#include "core/base/error.h"
#include "core/model/families/rotary_config.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::size_t kGlobal = 0; ///< which of the rotary embeddings
constexpr std::size_t kLocal = 1;

/// What all layers have in common.
struct Common {
    AttentionSpec attention;
    FeedForwardSpec forward;
    std::int64_t window = 0; ///< of local layers
    double epsilon = 1e-5;
    bool normBias = false;
    bool attentionBias = false;
    bool forwardBias = false;

    NormSpec norm(const std::string& name) const {
        return {name + ".weight", normBias ? name + ".bias" : std::string(), NormKind::Layer, epsilon};
    }
};

/// layer_types is what transformers 5 writes; before, every so many layers one sees the whole text.
std::vector<bool> localLayers(const ConfigReader& config, int layers) {
    const char* field = "global_attn_every_n_layers";
    const int every = layersOf(config, field, 3);
    std::vector<bool> local;
    for (int layer = 0; layer < layers; ++layer) local.push_back(layer % every != 0);
    const std::optional<std::vector<bool>> listed = slidingLayers(config, layers);
    if (!listed) return local;
    if (config.has(field) && *listed != local)
        fail(config.subject() + ": layer_types", fmt::format("it disagrees with {} = {}", field, every),
             "expected one of them, or both the same");
    return *listed;
}

std::vector<RotarySpec> rotariesOf(const ConfigReader& config, std::int64_t headSize,
                                   std::optional<std::int64_t> positions) {
    RotaryDefaults defaults;
    defaults.headSize = headSize;
    defaults.maxPositions = positions;
    defaults.theta = 160000.0;
    defaults.thetaField = "global_rope_theta";
    defaults.layerType = "full_attention";
    std::vector<RotarySpec> rotaries{rotaryOf(config, defaults)};
    // transformers 4.57 overwrites the usual name with the default of its own.
    config.requireReal("rope_theta", rotaries.front().theta);
    // A null there means the other base.
    if (const char* local = "local_rope_theta"; !config.isNull(local)) {
        defaults.thetaField = local;
        defaults.theta = 10000.0;
    }
    defaults.layerType = "sliding_attention";
    rotaries.push_back(rotaryOf(config, defaults));
    for (const RotarySpec& rotary : rotaries)
        if (rotary.dims != headSize)
            fail(config.subject(), fmt::format("{} of {} dimensions are rotary", rotary.dims, headSize),
                 "expected all of them");
    return rotaries;
}

BlockSpec blockSpec(const Common& common, int layer, bool local) {
    const std::string prefix = fmt::format("layers.{}.", layer);
    BlockSpec block;
    block.attention = common.attention;
    block.attention.rotary = local ? kLocal : kGlobal;
    if (local) block.attention.window = common.window;
    block.attention.projections.fused = linearSpec(prefix + "attn.Wqkv", common.attentionBias);
    block.attention.projections.output = linearSpec(prefix + "attn.Wo", common.attentionBias);
    // The embeddings are normalised: the first layer does not do it again.
    if (layer > 0) block.attentionBranch.before = common.norm(prefix + "attn_norm");
    block.feedForward = common.forward;
    block.feedForward.gateUp = linearSpec(prefix + "mlp.Wi", common.forwardBias);
    block.feedForward.down = linearSpec(prefix + "mlp.Wo", common.forwardBias);
    block.feedForwardBranch.before = common.norm(prefix + "mlp_norm");
    block.weightsOf = static_cast<std::size_t>(layer);
    return block;
}

/// A classifier has a head of the same name.
std::optional<OutputHeadSpec> headOf(const Checkpoint& checkpoint, const ConfigReader& config,
                                     const Common& common, std::int64_t vocabularySize) {
    const std::vector<std::string> noPrefix{""};
    const auto has = [&](const std::string& name) { return hasTensor(checkpoint, noPrefix, name); };
    const bool tied = flagOf(config, "tie_word_embeddings", true);
    const bool biased = flagOf(config, "decoder_bias", true);
    if (!has("head.dense.weight") || has("classifier.weight")) return std::nullopt;
    if ((biased && !has("decoder.bias")) || (!tied && !has("decoder.weight"))) return std::nullopt;
    OutputHeadSpec head;
    head.transform = linearSpec("head.dense", config.boolean("classifier_bias", false));
    head.transformActivation = activationOf(config, "classifier_activation", "gelu");
    head.transformNorm = common.norm("head.norm");
    if (!tied) head.weight = "decoder.weight";
    if (biased) head.bias = "decoder.bias";
    head.vocabularySize = vocabularySize;
    return head;
}

} // namespace

ModelSpec modernbertSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    refusePrunedHeads(config);
    refuseNull(config, "local_attention");
    ModelSpec spec;
    spec.family = "modernbert";
    spec.normEpsilon = epsilonOf(config, "norm_eps", 1e-5);
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    spec.trainedPositions = positionsOrNone(config, "max_position_embeddings", 8192);
    TransformerSpec& stack = spec.main;
    stack.prefixes = {"model.", ""};
    stack.hiddenSize = hiddenSizeOf(config, "hidden_size", 768);

    Common common;
    common.epsilon = spec.normEpsilon;
    common.normBias = config.boolean("norm_bias", false);
    common.attentionBias = config.boolean("attention_bias", false);
    common.forwardBias = config.boolean("mlp_bias", false);
    // As many neighbours on each side, and the token itself.
    common.window = config.integer("local_attention", 128, 0, spec_limits::kPositions) / 2 + 1;
    AttentionSpec& attention = common.attention;
    attention.heads = attention.keyValueHeads = headsOf(config, "num_attention_heads", 12);
    attention.headSize = evenHeadSize(stack.hiddenSize, attention.heads);
    attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
    config.requireInteger("head_dim", attention.headSize);
    common.forward.intermediateSize = intermediateSizeOf(config, "intermediate_size", 1152);
    common.forward.activation = activationOf(config, "hidden_activation", "gelu");

    stack.embedding.words = "embeddings.tok_embeddings.weight";
    stack.embedding.vocabularySize = vocabularySizeOf(config, 50368);
    stack.embedding.width = stack.hiddenSize;
    stack.embedding.norm = common.norm("embeddings.norm");
    paddingIdOf(config, 50283, stack.embedding.vocabularySize);
    stack.rotaries = rotariesOf(config, attention.headSize, spec.trainedPositions);
    const std::vector<bool> local = localLayers(config, layersOf(config, "num_hidden_layers", 22));
    for (std::size_t layer = 0; layer < local.size(); ++layer)
        stack.blocks.push_back(blockSpec(common, static_cast<int>(layer), local[layer]));
    stack.finalNorm = common.norm("final_norm");
    spec.head = headOf(checkpoint, config, common, stack.embedding.vocabularySize);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
