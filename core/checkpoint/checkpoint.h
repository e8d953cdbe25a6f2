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
    std::filesystem::path path; ///< where it stands
};

class Demo;
class GgufSource;

/// A model folder on disk, a GGUF file, or a demo: what it is made of, not yet what it means.
struct Checkpoint {
    /// Absolute, holds config.json (symbolic links kept), or the GGUF file (the first of its parts), beside
    /// which nothing else counts. Of a demo only its name: nothing stands there.
    std::filesystem::path folder;
    const Demo* demo = nullptr;
    std::string name; ///< what users call it: "org/model" for one from the hub, else the folder's name
    Json config;      ///< config.json: an object; of a GGUF file what its keys say in those words
    std::shared_ptr<const TensorSource> weights;
    std::shared_ptr<const GgufSource> gguf; ///< the file itself, where the model is one: it has the tokenizer
    /// "Q4_K, Q6_K": the types of quantised weights, that of most numbers first; empty where none are. Maps
    /// are then those of the quantised weights and are to be labelled so.
    std::string quantisation;
    /// GPT-2's matrices are kept as [out, in], as all others are, and not as its own files have them.
    bool linearsAreOutIn = false;
    std::filesystem::path adapter; ///< the folder of the adapter that was added to the weights; may be empty
    std::vector<CheckpointFile> files; ///< those that were opened, config.json first, the adapter's last
    std::optional<std::filesystem::path> tokenizerFile; ///< tokenizer.json, or an older vocabulary file
    std::optional<Json> tokenizerConfig;                ///< tokenizer_config.json
    std::vector<std::string> notes;                     ///< one sentence each

    /// Whether there is such a file beside config.json.
    bool has(const std::string& file) const;
    /// Throws Error when it cannot be opened.
    InputFile open(const std::string& file) const;
};

/// Whether a path leads to a .gguf file.
bool isGgufFile(const std::filesystem::path& path);

/// Opens the model that a path leads to: a folder with config.json and weights, a repository folder of the
/// hub cache, a sentence-transformers folder, a demo by its name (see findModelFolder), or a .gguf file. The
/// weights of a folder may be safetensors or files of torch.save, whole or in shards (see openWeights).
/// Throws Error, one sentence each, for everything else: what is missing is named, and what stands in its
/// place; malformed JSON; quantised weights of a folder; adapters alone; what readGgufHeader and describeGguf
/// refuse. With `adapter`, the folder of a LoRA adapter, that is added to the weights (see applyAdapter).
Checkpoint openCheckpoint(const std::filesystem::path& given, const std::filesystem::path& adapter = {});

} // namespace headscope
