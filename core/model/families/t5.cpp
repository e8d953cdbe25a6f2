// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/t5.h"

#include "core/base/error.h"

#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Where the relatives differ.
struct Differences {
    std::string family;
    std::int64_t feedForward = 1024;
    std::int64_t layers = 8;
    std::int64_t heads = 6;
    std::int64_t vocabulary = 250112;
    const char* projection = "gated-gelu";
    bool tied = true;
    bool tableInEveryBlock = false; ///< else block 0's serves its whole stack
};

/// What both stacks have in common.
struct Common {
    std::int64_t hidden = 0;
    std::int64_t headSize = 0;
    int heads = 0;
    double epsilon = 1e-6;
    FeedForwardSpec forward; ///< without names
    bool gated = false;
    BucketBias buckets; ///< without a table
    std::int64_t vocabulary = 0;
    std::vector<std::string> words{"shared.weight", "encoder.embed_tokens.weight"}; ///< where they may stand
};

/// "gated-gelu" means the tanh form, a plain "gelu" the erf form; newer files say both parts outright.
void readProjection(const ConfigReader& config, const char* fallback, Common& common) {
    refuseNull(config, "feed_forward_proj");
    const std::string text = config.string("feed_forward_proj", fallback);
    const bool gated = text.starts_with("gated-");
    const std::string activation = text == "gated-gelu" ? "gelu_new" : text.substr(gated ? 6 : 0);
    if (activation.find('-') != std::string::npos)
        fail(config.subject() + ": feed_forward_proj",
             fmt::format("found \"{}\"", escapeForMessage(text, 40)),
             "expected an activation, or gated- and one");
    common.gated = flagOf(config, "is_gated_act", gated);
    common.forward.activation = activationOf(config, "dense_act_fn", activation);
}

Common commonOf(const ConfigReader& config, const Differences& differences) {
    Common common;
    refuseNulls(config,
                {{"d_kv", "head_dim"}, "relative_attention_num_buckets", "relative_attention_max_distance"});
    common.hidden = hiddenSizeOf(config, {"d_model", "hidden_size"}, 512);
    common.headSize = config.integer({"d_kv", "head_dim"}, 64, 1, spec_limits::kHeadSize);
    common.heads = headsOf(config, {"num_heads", "num_attention_heads"}, differences.heads);
    common.epsilon = epsilonOf(config, "layer_norm_epsilon", 1e-6);
    common.vocabulary = vocabularySizeOf(config, differences.vocabulary);
    common.forward.intermediateSize = intermediateSizeOf(config, "d_ff", differences.feedForward);
    readProjection(config, differences.projection, common);
    // Fewer than four buckets have no place for a distance, in either direction.
    common.buckets.buckets = config.integer("relative_attention_num_buckets", 32, 4, 1 << 16);
    common.buckets.maxDistance =
        config.integer("relative_attention_max_distance", 128, common.buckets.buckets / 2 + 1, 1 << 24);
    return common;
}

AttentionSpec attentionSpec(const Common& common, const std::string& prefix) {
    AttentionSpec attention;
    attention.heads = attention.keyValueHeads = common.heads;
    attention.headSize = common.headSize;
    attention.scale = 1.0; // the training left it out
    attention.projections.query = linearSpec(prefix + "q", false);
    attention.projections.key = linearSpec(prefix + "k", false);
    attention.projections.value = linearSpec(prefix + "v", false);
    attention.projections.output = linearSpec(prefix + "o", false);
    return attention;
}

BlockSpec blockSpec(const Common& common, const std::string& prefix, bool decoder) {
    const auto norm = [&](int layer) {
        return rmsNormSpec(fmt::format("{}layer.{}.layer_norm", prefix, layer), common.epsilon);
    };
    BlockSpec block;
    block.attention = attentionSpec(common, prefix + "layer.0.SelfAttention.");
    block.attention.causal = decoder;
    block.attentionBranch.before = norm(0);
    if (decoder) {
        block.cross.emplace();
        block.cross->attention = attentionSpec(common, prefix + "layer.1.EncDecAttention.");
        block.cross->branch.before = norm(1);
    }
    const int last = decoder ? 2 : 1;
    const std::string forward = fmt::format("{}layer.{}.DenseReluDense.", prefix, last);
    block.feedForward = common.forward;
    block.feedForward.up = linearSpec(forward + (common.gated ? "wi_1" : "wi"), false);
    if (common.gated) block.feedForward.gate = linearSpec(forward + "wi_0", false);
    block.feedForward.down = linearSpec(forward + "wo", false);
    block.feedForwardBranch.before = norm(last);
    return block;
}

TransformerSpec stackSpec(const Checkpoint& checkpoint, const Common& common, const Differences& differences,
                          bool decoder, int layers) {
    const std::string name = decoder ? "decoder." : "encoder.";
    TransformerSpec stack;
    stack.prefixes = {"", "transformer."}; // the second: behind a classifier
    stack.hiddenSize = common.hidden;
    stack.embedding.words = sharedTensor(checkpoint, stack.prefixes, common.words);
    stack.embedding.vocabularySize = common.vocabulary;
    stack.embedding.width = common.hidden;
    stack.finalNorm = rmsNormSpec(name + "final_layer_norm", common.epsilon);
    for (int layer = 0; layer < layers; ++layer) {
        BlockSpec block = blockSpec(common, fmt::format("{}block.{}.", name, layer), decoder);
        BucketBias buckets = common.buckets;
        buckets.bidirectional = !decoder;
        buckets.table = fmt::format("{}block.{}.layer.0.SelfAttention.relative_attention_bias.weight", name,
                                    differences.tableInEveryBlock ? layer : 0);
        block.attention.position = buckets;
        block.weightsOf = static_cast<std::size_t>(layer);
        stack.blocks.push_back(std::move(block));
    }
    return stack;
}

/// A folder that was saved from the encoder alone, with a classifier of tokens or without.
bool isEncoderAlone(const ConfigReader& config) {
    const auto names = config.strings("architectures");
    return names && !names->empty() &&
           (names->front().ends_with("EncoderModel") || names->front().ends_with("ForTokenClassification"));
}

/// As many as the encoder has, where absent or null.
int decoderLayersOf(const ConfigReader& config, int encoderLayers) {
    const char* field = "num_decoder_layers";
    return config.has(field) ? layersOf(config, field, encoderLayers) : encoderLayers;
}

ModelSpec likeT5(const Checkpoint& checkpoint, const Differences& differences) {
    const ConfigReader config(checkpoint.config, "config.json");
    Common common = commonOf(config, differences);
    refusePrunedHeads(config);
    const bool encoderAlone = isEncoderAlone(config);
    if (encoderAlone) config.requireFalse("is_decoder"); // else upstream makes a decoder of it
    if (!encoderAlone) common.words.emplace_back("decoder.embed_tokens.weight");
    ModelSpec spec;
    spec.family = differences.family;
    spec.normEpsilon = common.epsilon;
    spec.initializerRange = config.real("initializer_factor", 1.0, 0.0, 1e6);
    const int layers = layersOf(config, {"num_layers", "num_hidden_layers"}, differences.layers);
    spec.main = stackSpec(checkpoint, common, differences, false, layers);
    if (!encoderAlone) {
        refuseNull(config, "is_encoder_decoder");
        config.requireTrue("is_encoder_decoder");   // else the decoder would not read the encoder
        config.requireFalse("tie_encoder_decoder"); // upstream it replaces weights as they are loaded
        spec.decoder = stackSpec(checkpoint, common, differences, true, decoderLayersOf(config, layers));
        const std::int64_t last = common.vocabulary - 1;
        spec.decoderStart =
            config.integer("decoder_start_token_id", config.integer("pad_token_id", 0, 0, last), 0, last);
        const bool tied = flagOf(config, "tie_word_embeddings", differences.tied);
        spec.head = languageHead(checkpoint, tied, common.vocabulary);
        if (tied) spec.head->inputScale = 1.0 / std::sqrt(static_cast<double>(common.hidden));
    }
    completeSpec(spec);
    return spec;
}

} // namespace

ModelSpec t5Spec(const Checkpoint& checkpoint) {
    return likeT5(checkpoint, {.family = "t5",
                               .feedForward = 2048,
                               .layers = 6,
                               .heads = 8,
                               .vocabulary = 32128,
                               .projection = "relu"});
}

ModelSpec mt5Spec(const Checkpoint& checkpoint) {
    return likeT5(checkpoint, {.family = "mt5", .tied = false});
}

ModelSpec umt5Spec(const Checkpoint& checkpoint) {
    return likeT5(checkpoint, {.family = "umt5", .tableInEveryBlock = true});
}

} // namespace headscope
