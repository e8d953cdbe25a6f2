// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/folder_contents.h"

#include "core/base/error.h"

namespace headscope {

namespace fs = std::filesystem;

FolderContents listFolder(const fs::path& folder) {
    const std::string subject = escapeForMessage(folder.string());
    std::error_code error;
    FolderContents contents;
    fs::directory_iterator entry(folder, error);
    if (error) fail(subject, "the folder cannot be read", {}, "check its permissions");
    for (; entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        std::error_code ignored;
        if (entry->is_regular_file(ignored))
            contents.files.insert(name);
        else if (entry->is_directory(ignored))
            contents.folders.insert(name);
        else if (entry->is_symlink(ignored))
            contents.brokenLinks.insert(name);
        if (error) break;
    }
    if (error) fail(subject, "the folder cannot be read to its end");
    return contents;
}

bool isHubSnapshot(const fs::path& folder) {
    fs::path path = folder.lexically_normal();
    if (!path.has_filename()) path = path.parent_path(); // written with a slash at the end
    return path.parent_path().filename() == "snapshots";
}

} // namespace headscope
