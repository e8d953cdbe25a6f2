// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/model/families/deberta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::int64_t kMostBuckets = spec_limits::kPositions;

bool listsLayerNorm(const ConfigReader& config) {
    // "none", "layer_norm", or several with bars between them.
    std::string listed = config.string("norm_rel_ebd", "none");
    std::transform(listed.begin(), listed.end(), listed.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    if (listed != "none" && listed != "layer_norm") config.refuse("norm_rel_ebd", "none or layer_norm");
    return listed == "layer_norm";
}

RelativeTableSpec relativeTable(const DebertaConfig& config) {
    const ConfigReader& reader = config.reader;
    refuseNull(reader, "position_buckets");
    RelativeTableSpec table;
    table.table = "encoder.rel_embeddings.weight";
    table.maxPositions = config.relativePositions;
    table.buckets = reader.integer("position_buckets", -1, -kMostBuckets, kMostBuckets);
    table.span = table.buckets > 0 ? table.buckets : config.relativePositions;
    // Beyond the middle, distances are told apart by ln(distance / middle) / ln((positions - 1) / middle).
    const std::int64_t middle = table.buckets / 2;
    if (table.buckets > 0 && (middle == 0 || table.maxPositions - 1 == middle))
        fail(reader.subject() + ": position_buckets",
             fmt::format("{} buckets for {} positions", table.buckets, table.maxPositions),
             "expected at least 2, and not half of them to be the positions but one");
    if (listsLayerNorm(reader)) table.norm = layerNormSpec("encoder.LayerNorm", config.epsilon);
    return table;
}

std::optional<ConvolutionSpec> convolution(const DebertaConfig& config) {
    const ConfigReader& reader = config.reader;
    const std::int64_t kernel = reader.integer("conv_kernel_size", 0, -1, spec_limits::kPositions);
    if (kernel <= 0) return std::nullopt;
    if (kernel % 2 == 0)
        fail(reader.subject() + ": conv_kernel_size", fmt::format("{}", kernel), "expected an odd number");
    refuseNulls(reader, {"conv_groups", "conv_act"});
    ConvolutionSpec spec;
    spec.weight = "encoder.conv.conv.weight";
    spec.bias = "encoder.conv.conv.bias";
    spec.kernel = kernel;
    spec.groups = reader.integer("conv_groups", 1, 1, config.hidden);
    if (config.hidden % spec.groups != 0)
        fail(reader.subject() + ": conv_groups",
             fmt::format("{} groups for a model size of {}", spec.groups, config.hidden),
             "expected a number that divides it");
    spec.activation = activationOf(reader, "conv_act", "tanh");
    spec.norm = layerNormSpec("encoder.conv.LayerNorm", config.epsilon);
    return spec;
}

} // namespace

ModelSpec debertaV2Spec(const Checkpoint& checkpoint) {
    const DebertaDefaults defaults{
        .family = "deberta-v2", .hidden = 1536, .layers = 24, .vocabulary = 128100};
    const DebertaConfig config(checkpoint, defaults);
    refuseNulls(config.reader, {"attention_head_size", "norm_rel_ebd", "conv_kernel_size"});
    // Another size does not fit the output projection upstream.
    config.reader.requireInteger("attention_head_size", config.headSize);
    ModelSpec spec = debertaLikeSpec(checkpoint, config, defaults);
    const auto listed = [&](const std::string& term) {
        return std::find(config.terms.begin(), config.terms.end(), term) != config.terms.end() ? 1 : 0;
    };
    const double parts = 1.0 + listed("c2p") + listed("p2c");
    if (config.hasTerm("c2p") || config.hasTerm("p2c")) spec.main.relativeTable = relativeTable(config);
    const bool shared = config.reader.boolean("share_att_key", false);
    for (std::size_t layer = 0; layer < spec.main.blocks.size(); ++layer) {
        const std::string prefix = fmt::format("encoder.layer.{}.attention.self.", layer);
        AttentionSpec& attention = spec.main.blocks[layer].attention;
        attention.scale = 1.0 / std::sqrt(static_cast<double>(config.headSize) * parts);
        attention.projections.query = linearSpec(prefix + "query_proj");
        attention.projections.key = linearSpec(prefix + "key_proj");
        attention.projections.value = linearSpec(prefix + "value_proj");
        if (!spec.main.relativeTable) continue;
        Disentangled terms;
        if (config.hasTerm("c2p"))
            terms.positionKey = linearSpec(prefix + (shared ? "key_proj" : "pos_key_proj"));
        if (config.hasTerm("p2c"))
            terms.positionQuery = linearSpec(prefix + (shared ? "query_proj" : "pos_query_proj"));
        attention.position = terms;
    }
    spec.main.convolution = convolution(config);
    completeSpec(spec);
    return spec;
}

} // namespace headscope
