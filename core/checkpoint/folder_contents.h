// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace headscope {

/// The names in a model folder, one level deep.
struct FolderContents {
    std::set<std::string> files; ///< regular files, also behind symbolic links
    std::set<std::string> folders;
    std::set<std::string> brokenLinks; ///< links whose target is missing (a hub cache that is incomplete)

    bool has(const std::string& name) const { return files.contains(name); }
};

/// Lists a folder that is to hold a model and has config.json. Throws Error for everything else that a user
/// may point at, saying what it is instead: no folder, a file, an empty folder, a hub cache folder, an
/// adapter, a pipeline.
FolderContents readModelFolder(const std::filesystem::path& folder);

/// Throws Error unless model.safetensors is there, naming the weights that are there instead.
void requireWeights(const std::filesystem::path& folder, const FolderContents& contents);

} // namespace headscope
