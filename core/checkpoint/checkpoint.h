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
    std::filesystem::path folder; ///< absolute, as given (symbolic links kept)
    Json config;                  ///< config.json: an object
    std::shared_ptr<const TensorSource> weights;
    std::vector<CheckpointFile> files;                  ///< those that were opened, config.json first
    std::optional<std::filesystem::path> tokenizerFile; ///< tokenizer.json
    std::optional<Json> tokenizerConfig;                ///< tokenizer_config.json
    std::vector<std::string> notes;                     ///< one sentence each
};

/// Opens a folder with config.json and model.safetensors. Throws Error, one sentence each, for: no such
/// folder, a file where a folder is expected, an empty folder, no config.json, no weights (naming what stands
/// there instead and what is read), malformed JSON, quantization_config, adapter-only folders.
Checkpoint openCheckpoint(const std::filesystem::path& folder);

} // namespace headscope
