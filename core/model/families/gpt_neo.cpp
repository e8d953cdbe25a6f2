// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-Neo: layers that see everything before them alternate with layers that see a window; scores are not
// scaled.
#include "core/base/error.h"
#include "core/model/families/gpt.h"

#include <fmt/format.h>

namespace headscope {

namespace {

[[noreturn]] void refuseTypes(const std::string& found) {
    fail("config.json: attention_types", found,
         "expected lists of kinds and how often each is repeated, as [[[\"global\", \"local\"], 12]]");
}

std::vector<std::string> kindsIn(const Json& list) {
    std::vector<std::string> kinds;
    for (const Json& kind : list.items()) {
        if (!kind.isString()) refuseTypes(fmt::format("a kind of layer is {}", kind.typeName()));
        kinds.push_back(kind.asString());
    }
    return kinds;
}

/// attention_types written out, one kind a layer.
std::vector<std::string> expandedTypes(const ConfigReader& config) {
    std::vector<std::string> expanded;
    const auto repeat = [&](const std::vector<std::string>& kinds, std::int64_t count) {
        constexpr std::int64_t kMost = spec_limits::kLayers;
        if (count <= 0) return;
        if (count > kMost || std::ssize(expanded) + count * std::ssize(kinds) > kMost)
            refuseTypes(fmt::format("it describes more than {} layers", kMost));
        for (std::int64_t n = 0; n < count; ++n) expanded.insert(expanded.end(), kinds.begin(), kinds.end());
    };
    refuseNulls(config, {"attention_types", "attention_layers"});
    const Json* types = config.value("attention_types");
    if (types == nullptr) {
        repeat({"global", "local"}, 12);
        return expanded;
    }
    if (!types->isArray()) refuseTypes(fmt::format("found {}", types->typeName()));
    for (const Json& entry : types->items()) {
        const bool known = entry.isArray() && entry.items().size() == 2 && entry.items()[0].isArray() &&
                           entry.items()[1].isInteger();
        if (!known) refuseTypes("an entry is no list with a number behind it");
        const std::vector<std::string> kinds = kindsIn(entry.items()[0]);
        if (!kinds.empty()) repeat(kinds, entry.items()[1].asInteger());
    }
    return expanded;
}

/// For each layer whether it is local. The file's attention_layers wins, but attention_types must fit too.
std::vector<bool> localLayers(const ConfigReader& config, int layers) {
    std::vector<std::string> kinds = expandedTypes(config);
    const int named = layersOf(config, "num_layers", 24);
    if (kinds.size() != static_cast<std::size_t>(named))
        fail(config.subject() + ": attention_types", fmt::format("kinds for {} layers", kinds.size()),
             fmt::format("expected {}, as num_layers says", named));
    if (const auto given = config.strings("attention_layers")) kinds = *given;
    const std::string subject = config.subject() + ": attention_layers";
    if (kinds.size() < static_cast<std::size_t>(layers))
        fail(subject, fmt::format("kinds for {} layers", kinds.size()), fmt::format("expected {}", layers));
    std::vector<bool> local;
    for (int layer = 0; layer < layers; ++layer) {
        const std::string& kind = kinds[static_cast<std::size_t>(layer)];
        if (kind != "global" && kind != "local")
            fail(subject, fmt::format("layer {} is \"{}\"", layer, escapeForMessage(kind, 40)),
                 "expected global or local");
        local.push_back(kind == "local");
    }
    return local;
}

} // namespace

ModelSpec gptNeoSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    DecoderSizes sizes;
    sizes.hidden = hiddenSizeOf(config, "hidden_size", 2048);
    sizes.layers = layersOf(config, {"num_layers", "num_hidden_layers"}, 24);
    sizes.heads = headsOf(config, {"num_heads", "num_attention_heads"}, 16);
    sizes.intermediate = innerSizeOf(config, "intermediate_size", sizes.hidden);
    sizes.vocabulary = vocabularySizeOf(config, 50257);
    sizes.epsilon = epsilonOf(config, "layer_norm_epsilon", 1e-5);
    ModelSpec spec = decoderSpec(config, "gpt_neo", sizes, "wte.weight");
    addPositionTable(spec, "wpe.weight", positionsOf(config, "max_position_embeddings", 2048));
    const std::vector<bool> local = localLayers(config, sizes.layers);
    const std::int64_t window = positionsOf(config, "window_size", 256);
    for (int layer = 0; layer < sizes.layers; ++layer) {
        const std::string prefix = fmt::format("h.{}.", layer);
        BlockSpec block;
        block.weightsOf = static_cast<std::size_t>(layer);
        block.attention = causalAttention(sizes);
        block.attention.scale = 1.0;
        if (local[static_cast<std::size_t>(layer)]) block.attention.window = window;
        ProjectionSpec& projections = block.attention.projections;
        projections.query = linearSpec(prefix + "attn.attention.q_proj", false);
        projections.key = linearSpec(prefix + "attn.attention.k_proj", false);
        projections.value = linearSpec(prefix + "attn.attention.v_proj", false);
        projections.output = linearSpec(prefix + "attn.attention.out_proj");
        block.attentionBranch.before = layerNormSpec(prefix + "ln_1", sizes.epsilon);
        block.feedForward.intermediateSize = sizes.intermediate;
        block.feedForward.activation = activationOf(config, "activation_function", "gelu_new");
        block.feedForward.up = linearSpec(prefix + "mlp.c_fc");
        block.feedForward.down = linearSpec(prefix + "mlp.c_proj");
        block.feedForwardBranch.before = layerNormSpec(prefix + "ln_2", sizes.epsilon);
        spec.main.blocks.push_back(std::move(block));
    }
    spec.main.finalNorm = layerNormSpec("ln_f", sizes.epsilon);
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", true), sizes.vocabulary);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
