// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/config_reader.h"
#include "core/model/families.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What the families share in reading config.json. Fallbacks are the defaults of the transformers (4.57)
/// class.
namespace headscope {

/// Sizes within spec_limits, and what else no class can do without: a null is refused like a wrong value,
/// since transformers fails on it. All throw Error.
std::int64_t hiddenSizeOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback);
int layersOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback);
int headsOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback);
std::int64_t intermediateSizeOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback);
std::int64_t vocabularySizeOf(const ConfigReader& config, std::int64_t fallback,
                              const FieldName& field = "vocab_size");
std::int64_t positionsOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback);
double epsilonOf(const ConfigReader& config, const FieldName& field, double fallback);
Activation activationOf(const ConfigReader& config, const FieldName& field, std::string_view fallback);

/// Where positions come from no table: nullopt when null, as what most classes then need is nothing.
std::optional<std::int64_t> positionsOrNone(const ConfigReader& config, const FieldName& field,
                                            std::int64_t fallback);

/// A switch that is `fallback` when absent, and false when null, as in Python.
bool flagOf(const ConfigReader& config, const FieldName& field, bool fallback);

/// hiddenSize / heads. Throws Error with both numbers unless heads divides it.
std::int64_t evenHeadSize(std::int64_t hiddenSize, int heads);
/// Key/value heads; absent or null: `fallback`. Throws Error unless they divide the heads.
int keyValueHeadsOf(const ConfigReader& config, const FieldName& field, int heads, int fallback);
/// pad_token_id: `fallback` when absent, nullopt when null. Throws Error when it is no row of the word table,
/// counted from its end where negative: transformers cannot build such a model.
std::optional<std::int64_t> paddingIdOf(const ConfigReader& config, std::optional<std::int64_t> fallback,
                                        std::int64_t vocabularySize);

/// A field that may be absent but not null, under none of its names. Throws Error.
void refuseNull(const ConfigReader& config, const FieldName& field);
void refuseNulls(const ConfigReader& config, std::initializer_list<FieldName> fields);
/// Heads that were cut out of layers are not rebuilt: refused by name.
void refusePrunedHeads(const ConfigReader& config);

/// layer_types: nullopt when absent; else as many as layers, each "full_attention" or "sliding_attention".
/// Throws Error for other lengths and, by name, for kinds of layers that are not computed.
std::optional<std::vector<bool>> slidingLayers(const ConfigReader& config, int layers);

/// True when the weights have `name` under one of the prefixes.
bool hasTensor(const Checkpoint& checkpoint, std::span<const std::string> prefixes, const std::string& name);
/// The first of `names` that the weights have under one of the prefixes, or the first of all.
std::string firstTensor(const Checkpoint& checkpoint, std::span<const std::string> prefixes,
                        const std::vector<std::string>& names);
/// The same for a table that a model keeps once and a file may hold under several of `names`. Refused where
/// those differ: then it depends on their order in the file which of them transformers reads.
std::string sharedTensor(const Checkpoint& checkpoint, std::span<const std::string> prefixes,
                         const std::vector<std::string>& names);

/// The head of a language model: the word table where it is tied to it, else lm_head (or `name`); none where
/// the folder was saved without.
std::optional<OutputHeadSpec> languageHead(const Checkpoint& checkpoint, bool tied, std::int64_t vocabulary,
                                           const std::string& name = "lm_head");

/// Fills in what follows from the stacks: `stacks`, the sizes and the limit of positions.
void completeSpec(ModelSpec& spec);

} // namespace headscope
