// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/families/family_tools.h"

#include <string>
#include <vector>

namespace headscope {

/// What every causal decoder's config.json says, under whatever names.
struct DecoderSizes {
    std::int64_t hidden = 0;
    int layers = 0;
    int heads = 0;
    std::int64_t intermediate = 0;
    std::int64_t vocabulary = 0;
    double epsilon = 1e-5;
};

/// The beginning of a causal decoder's spec: sizes, prefixes and the word table `words`; its blocks and all
/// else are left to the family. Throws Error for models that are no single stack and for heads that were cut
/// out.
ModelSpec decoderSpec(const ConfigReader& config, const std::string& family, const DecoderSizes& sizes,
                      const std::string& words);

/// Causal self-attention of hidden / heads numbers a head, scaled by the root of that. Throws Error, with
/// both numbers, unless heads divides hidden.
AttentionSpec causalAttention(const DecoderSizes& sizes);

/// The width of the feed-forward part: absent or null, four times the model's.
std::int64_t innerSizeOf(const ConfigReader& config, const FieldName& field, std::int64_t hiddenSize);

/// n_embed, Bloom's and Falcon's older name, wins over hidden_size.
std::int64_t hiddenSizeByEitherName(const ConfigReader& config, std::int64_t fallback);

/// A learned position for each of the first `rows` - `offset` tokens, where the model ends.
void addPositionTable(ModelSpec& spec, const std::string& table, std::int64_t rows, std::int64_t offset = 0);

// The families, one line each in the table of families.cpp.
ModelSpec bloomSpec(const Checkpoint& checkpoint);
ModelSpec constructedSpec(const Checkpoint& checkpoint);
ModelSpec falconSpec(const Checkpoint& checkpoint);
ModelSpec gpt2Spec(const Checkpoint& checkpoint);
ModelSpec gptBigCodeSpec(const Checkpoint& checkpoint);
ModelSpec gptJSpec(const Checkpoint& checkpoint);
ModelSpec gptNeoSpec(const Checkpoint& checkpoint);
ModelSpec gptNeoXSpec(const Checkpoint& checkpoint);
ModelSpec optSpec(const Checkpoint& checkpoint);

} // namespace headscope
