// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/checkpoint/tensor_source.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

struct CheckpointFile {
    std::string name; ///< inside the folder
    std::uint64_t bytes = 0;
};

/// A model folder on disk: what it is made of, not yet what it means.
struct Checkpoint {
    std::filesystem::path folder; ///< absolute, holds config.json (symbolic links kept)
    std::string name; ///< what users call it: "org/model" for one from the hub, else the folder's name
    Json config;      ///< config.json: an object
    std::shared_ptr<const TensorSource> weights;
    std::vector<CheckpointFile> files;                  ///< those that were opened, config.json first
    std::optional<std::filesystem::path> tokenizerFile; ///< tokenizer.json, or an older vocabulary file
    std::optional<Json> tokenizerConfig;                ///< tokenizer_config.json
    std::vector<std::string> notes;                     ///< one sentence each
};

/// Opens the model that a path leads to: a folder with config.json and weights, a repository folder of the
/// hub cache, a sentence-transformers folder (see findModelFolder). The weights may be safetensors or files
/// of torch.save, whole or in shards (see openWeights). Throws Error, one sentence each, for everything else:
/// what is missing is named, and what stands in its place; malformed JSON; quantised weights; adapters.
Checkpoint openCheckpoint(const std::filesystem::path& given);

} // namespace headscope
