// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/folder_contents.h"
#include "core/checkpoint/tensor_source.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace headscope {

struct Weights {
    std::shared_ptr<const TensorSource> tensors;
    std::vector<std::string> files; ///< names of those that were opened
    std::vector<std::string> notes; ///< one sentence each
};

/// Opens the weights of a model folder. Of what may stand side by side the first is taken: one
/// model.safetensors, the files that model.safetensors.index.json names, all numbered files without an index,
/// the same three forms of pytorch_model.bin, and only then a variant (model.fp16.safetensors). Throws Error
/// for none of these (naming what stands there instead), for files that are missing or contradict each other,
/// and for what the formats refuse.
Weights openWeights(const std::filesystem::path& folder, const FolderContents& contents);

} // namespace headscope
