// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/llama_like.h"

#include "core/base/error.h"

#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace headscope {

namespace {

BlockSpec blockSpec(const std::string& prefix, const AttentionSpec& attention, const FeedForwardSpec& forward,
                    const NormSpec& norm) {
    const auto named = [&](const std::string& name) {
        return NormSpec{prefix + name + ".weight", {}, norm.kind, norm.epsilon};
    };
    BlockSpec block;
    block.attention = attention;
    block.attention.projections.query = linearSpec(prefix + "self_attn.q_proj", false);
    block.attention.projections.key = linearSpec(prefix + "self_attn.k_proj", false);
    block.attention.projections.value = linearSpec(prefix + "self_attn.v_proj", false);
    block.attention.projections.output = linearSpec(prefix + "self_attn.o_proj", false);
    block.attentionBranch.before = named("input_layernorm");
    block.feedForward = forward;
    block.feedForward.gate = linearSpec(prefix + "mlp.gate_proj", false);
    block.feedForward.up = linearSpec(prefix + "mlp.up_proj", false);
    block.feedForward.down = linearSpec(prefix + "mlp.down_proj", false);
    block.feedForwardBranch.before = named("post_attention_layernorm");
    return block;
}

/// head_dim, or what follows from its absence.
std::int64_t headSizeOf(const ConfigReader& config, const LlamaLikeDefaults& defaults,
                        std::int64_t hiddenSize, int heads) {
    const char* field = "head_dim";
    const NullHeadSize null = defaults.nullHeadSize;
    if (null == NullHeadSize::NotNull || null == NullHeadSize::NotMissing) refuseNull(config, field);
    if (null == NullHeadSize::NotMissing && !config.has(field))
        fail(config.subject(), "head_dim is missing", "transformers cannot read this",
             fmt::format("add \"head_dim\": {}", hiddenSize / heads));
    if (const auto size = config.optionalInteger(field, 1, spec_limits::kHeadSize)) return *size;
    if (!config.isNull(field) && defaults.headSize > 0) return defaults.headSize;
    // As upstream: what is left over where the heads do not divide the model size is not used.
    if (hiddenSize < heads)
        fail(config.subject(), fmt::format("a model size of {} for {} heads", hiddenSize, heads),
             "expected at least one number for each head");
    return hiddenSize / heads;
}

AttentionSpec attentionSpec(const ConfigReader& config, const LlamaLikeDefaults& defaults,
                            std::int64_t hiddenSize) {
    AttentionSpec attention;
    attention.causal = true;
    attention.heads = headsOf(config, "num_attention_heads", defaults.heads);
    const char* shared = "num_key_value_heads";
    if (defaults.keyValueHeadsNotNull) refuseNull(config, shared);
    const bool asHeads = config.isNull(shared) || defaults.keyValueHeads == 0;
    attention.keyValueHeads =
        keyValueHeadsOf(config, shared, attention.heads, asHeads ? attention.heads : defaults.keyValueHeads);
    attention.headSize = headSizeOf(config, defaults, hiddenSize, attention.heads);
    if (attention.headSize > spec_limits::kHeadSize)
        fail(config.subject(), fmt::format("heads of {} numbers", attention.headSize),
             fmt::format("expected at most {}", spec_limits::kHeadSize));
    attention.scale = 1.0 / std::sqrt(static_cast<double>(attention.headSize));
    attention.rotary = 0;
    return attention;
}

RotaryDefaults rotaryDefaults(const ConfigReader& config, const LlamaLikeDefaults& defaults,
                              std::int64_t headSize, std::optional<std::int64_t> maxPositions) {
    RotaryDefaults rotary;
    rotary.headSize = headSize;
    rotary.theta = defaults.theta;
    rotary.partialFactor = defaults.partialFactor;
    rotary.maxPositions = maxPositions;
    rotary.originalPositions = defaults.originalPositions;
    rotary.oldTypeWins = defaults.oldRotaryTypeWins;
    rotary.interleaved = defaults.interleaved;
    rotary.layerType = defaults.rotaryLayerType;
    rotary.forms = defaults.forms;
    rotary.wholeHead = defaults.wholeHead;
    rotary.roundsUp = defaults.roundsUp;
    rotary.headSizeNull = defaults.nullHeadSize == NullHeadSize::Unscaled && !config.has("head_dim");
    return rotary;
}

} // namespace

ModelSpec llamaLikeSpec(const Checkpoint& checkpoint, const ConfigReader& config,
                        const LlamaLikeDefaults& defaults) {
    refusePrunedHeads(config);
    ModelSpec spec;
    spec.family = defaults.family;
    spec.normEpsilon = epsilonOf(config, defaults.epsilonField, defaults.epsilon);
    spec.initializerRange = config.real("initializer_range", 0.02, 0.0, 1e6);
    spec.trainedPositions = positionsOrNone(config, "max_position_embeddings", defaults.maxPositions);
    TransformerSpec& stack = spec.main;
    stack.prefixes = defaults.prefixes;
    stack.hiddenSize = hiddenSizeOf(config, "hidden_size", defaults.hiddenSize);
    stack.embedding.words = "embed_tokens.weight";
    stack.embedding.vocabularySize = vocabularySizeOf(config, defaults.vocabularySize);
    stack.embedding.width = stack.hiddenSize;
    paddingIdOf(config, defaults.paddingId, stack.embedding.vocabularySize);
    stack.finalNorm = NormSpec{"norm.weight", {}, defaults.norm, spec.normEpsilon};

    const AttentionSpec attention = attentionSpec(config, defaults, stack.hiddenSize);
    stack.rotaries = {
        rotaryOf(config, rotaryDefaults(config, defaults, attention.headSize, spec.trainedPositions))};
    FeedForwardSpec forward;
    forward.intermediateSize = intermediateSizeOf(config, "intermediate_size", defaults.intermediateSize);
    forward.activation = activationOf(config, defaults.activationField, defaults.activation);
    const int layers = layersOf(config, "num_hidden_layers", defaults.layers);
    for (int layer = 0; layer < layers; ++layer) {
        stack.blocks.push_back(
            blockSpec(fmt::format("layers.{}.", layer), attention, forward, *stack.finalNorm));
        stack.blocks.back().weightsOf = static_cast<std::size_t>(layer);
    }
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", defaults.tied),
                             stack.embedding.vocabularySize);
    return spec;
}

void addBias(LinearSpec& linear) {
    constexpr std::string_view kEnding = "weight";
    linear.bias = linear.weight.substr(0, linear.weight.size() - kEnding.size()) + "bias";
}

void addAttentionBiases(ModelSpec& spec, bool output) {
    for (BlockSpec& block : spec.main.blocks) {
        ProjectionSpec& projections = block.attention.projections;
        for (LinearSpec* linear : {&projections.query, &projections.key, &projections.value})
            addBias(*linear);
        if (output) addBias(projections.output);
    }
}

void addFeedForwardBiases(ModelSpec& spec) {
    for (BlockSpec& block : spec.main.blocks)
        for (LinearSpec* linear : {&block.feedForward.gate, &block.feedForward.up, &block.feedForward.down})
            addBias(*linear);
}

void addHeadNorms(ModelSpec& spec, HeadNormSpec::Scope scope, NormKind kind) {
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const std::string prefix = fmt::format("layers.{}.self_attn.", layer);
        spec.main.blocks[layer].attention.headNorm =
            HeadNormSpec{scope, rmsNormSpec(prefix + "q_norm", spec.normEpsilon, kind),
                         rmsNormSpec(prefix + "k_norm", spec.normEpsilon, kind)};
    }
}

std::optional<std::int64_t> windowOf(const ConfigReader& config, std::optional<std::int64_t> fallback) {
    const char* field = "sliding_window";
    if (config.isNull(field)) return std::nullopt;
    const auto window = config.optionalInteger(field, 1, std::int64_t{1} << 40);
    return window ? window : fallback;
}

std::vector<bool> slidingByPattern(const ConfigReader& config, const ModelSpec& spec, std::int64_t fallback) {
    const char* field = "sliding_window_pattern";
    if (!config.has("layer_types")) refuseNull(config, field);
    const std::int64_t pattern = config.integer(field, fallback, 1, spec_limits::kLayers);
    return slidingOr(config, spec, [&](int layer) { return (layer + 1) % pattern != 0; });
}

void setWindow(ModelSpec& spec, std::optional<std::int64_t> window, const std::vector<bool>& sliding) {
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        if (!sliding[layer]) continue;
        if (!window)
            fail("config.json",
                 fmt::format("layer {} is sliding_attention but there is no sliding_window", layer),
                 "expected a sliding_window");
        spec.main.blocks[layer].attention.window = window;
    }
}

std::vector<bool> slidingOr(const ConfigReader& config, const ModelSpec& spec,
                            const std::function<bool(int layer)>& isSliding) {
    const int layers = static_cast<int>(spec.main.blocks.size());
    if (auto given = slidingLayers(config, layers)) return *given;
    std::vector<bool> sliding;
    for (int layer = 0; layer < layers; ++layer) sliding.push_back(isSliding(layer));
    return sliding;
}

} // namespace headscope
