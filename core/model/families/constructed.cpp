// SPDX-License-Identifier: GPL-3.0-or-later
// The family of the demos, models that were made by hand: attention alone, y = x + attention(x), no norm, no
// bias and no feed-forward part.
#include "core/model/families/gpt.h"

#include <fmt/format.h>

namespace headscope {

ModelSpec constructedSpec(const Checkpoint& checkpoint) {
    const ConfigReader config(checkpoint.config, "config.json");
    DecoderSizes sizes;
    sizes.hidden = hiddenSizeOf(config, "hidden_size", 256);
    sizes.layers = layersOf(config, "num_hidden_layers", 2);
    sizes.heads = headsOf(config, "num_attention_heads", 4);
    sizes.vocabulary = vocabularySizeOf(config, 1024);
    ModelSpec spec = decoderSpec(config, "headscope_constructed", sizes, "embed_tokens.weight");
    spec.main.prefixes = {""};
    addPositionTable(spec, "embed_positions.weight", positionsOf(config, "max_position_embeddings", 512));
    for (int layer = 0; layer < sizes.layers; ++layer) {
        const std::string prefix = fmt::format("layers.{}.attention.", layer);
        BlockSpec block;
        block.weightsOf = static_cast<std::size_t>(layer);
        block.attention = causalAttention(sizes);
        block.attention.projections.query = linearSpec(prefix + "query", false);
        block.attention.projections.key = linearSpec(prefix + "key", false);
        block.attention.projections.value = linearSpec(prefix + "value", false);
        block.attention.projections.output = linearSpec(prefix + "output", false);
        spec.main.blocks.push_back(std::move(block));
    }
    completeSpec(spec);
    spec.head = languageHead(checkpoint, flagOf(config, "tie_word_embeddings", true), sizes.vocabulary);
    return spec;
}

} // namespace headscope
