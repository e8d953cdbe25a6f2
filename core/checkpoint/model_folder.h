// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/demos.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headscope {

/// Where a model stands.
struct ModelFolder {
    std::filesystem::path folder; ///< holds config.json
    std::string name; ///< what users call it: "org/model" for one from the hub, else the folder's name
    FolderContents contents;
    std::vector<std::string> notes; ///< one sentence each
    const Demo* demo = nullptr;     ///< whose files these are, in no folder
};

/// Finds the folder with config.json from what a user points at: that folder itself, a repository folder of
/// the hub cache (the snapshot that refs/main names, else the newest), a sentence-transformers folder whose
/// model stands in a folder of its own, or the name of a demo. Throws Error for everything else, saying what
/// it is instead: no folder, a file, an empty folder, an adapter, a pipeline, the cache itself.
ModelFolder findModelFolder(const std::filesystem::path& given);

} // namespace headscope
