// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace headscope {

/// The names in a folder, one level deep. Symbolic links count as what they lead to, wherever that is: in a
/// hub cache every file is one.
struct FolderContents {
    std::set<std::string> files;
    std::set<std::string> folders;
    std::set<std::string> brokenLinks; ///< links whose target is missing (a download that is incomplete)

    bool has(const std::string& name) const { return files.contains(name); }
    bool empty() const { return files.empty() && folders.empty() && brokenLinks.empty(); }
};

/// Throws Error when the folder cannot be listed.
FolderContents listFolder(const std::filesystem::path& folder);

/// Whether the folder is a snapshot of the hub cache, in which files are often missing.
bool isHubSnapshot(const std::filesystem::path& folder);

} // namespace headscope
