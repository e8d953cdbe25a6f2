// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
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

class Demo;

/// A model folder on disk, or a demo: what it is made of, not yet what it means.
struct Checkpoint {
    /// Absolute, holds config.json (symbolic links kept). Of a demo only its name: nothing stands there.
    std::filesystem::path folder;
    const Demo* demo = nullptr;
    std::string name; ///< what users call it: "org/model" for one from the hub, else the folder's name
    Json config;      ///< config.json: an object
    std::shared_ptr<const TensorSource> weights;
    std::vector<CheckpointFile> files;                  ///< those that were opened, config.json first
    std::optional<std::filesystem::path> tokenizerFile; ///< tokenizer.json, or an older vocabulary file
    std::optional<Json> tokenizerConfig;                ///< tokenizer_config.json
    std::vector<std::string> notes;                     ///< one sentence each

    /// Whether there is such a file beside config.json.
    bool has(const std::string& file) const;
    /// Throws Error when it cannot be opened.
    InputFile open(const std::string& file) const;
};

/// Opens the model that a path leads to: a folder with config.json and weights, a repository folder of the
/// hub cache, a sentence-transformers folder, a demo by its name (see findModelFolder). The weights may be
/// safetensors or files of torch.save, whole or in shards (see openWeights). Throws Error, one sentence each,
/// for everything else: what is missing is named, and what stands in its place; malformed JSON; quantised
/// weights; adapters.
Checkpoint openCheckpoint(const std::filesystem::path& given);

} // namespace headscope
