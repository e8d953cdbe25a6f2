// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/output_path.h"

#include "core/base/byte_text.h"
#include "core/base/error.h"
#include "core/base/file.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <system_error>
#include <unistd.h>

namespace headscope {

namespace fs = std::filesystem;

namespace {

std::string nameOf(const fs::path& path) {
    return escapeForMessage(path.string());
}

fs::path folderOf(const fs::path& target) {
    return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Symbolic links resolved as far as the path exists; the path itself where the system refuses.
fs::path resolved(const fs::path& path) {
    std::error_code failed;
    fs::path result = fs::weakly_canonical(path, failed);
    return failed ? path : result;
}

bool isBelow(const fs::path& path, const fs::path& folder) {
    const auto end = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return end.first == folder.end();
}

bool holdsModel(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "config.json", ignored) && fs::exists(folder / "model.safetensors", ignored);
}

void refuseModelFolder(const fs::path& target, const fs::path& folder, const OutputRules& rules) {
    const auto refuse = [&](const fs::path& model) {
        fail(nameOf(target), "this is inside the model folder " + nameOf(model),
             "nothing is ever written there", "choose another folder");
    };
    if (!rules.modelFolder.empty() && isBelow(resolved(folder), resolved(rules.modelFolder)))
        refuse(rules.modelFolder);
    // Other models than the one that is open.
    for (fs::path place = resolved(folder); place.has_relative_path(); place = place.parent_path())
        if (holdsModel(place)) refuse(place);
}

void requireFolder(const fs::path& target, const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_directory(folder, ignored)) {
        if (::access(folder.c_str(), W_OK | X_OK) == 0) return;
        fail(nameOf(target),
             fmt::format("there is no permission to write into the folder {}", nameOf(folder)), {},
             "choose another folder");
    }
    if (fs::exists(folder, ignored)) fail(nameOf(target), nameOf(folder) + " is not a folder");
    fail(nameOf(target), fmt::format("the folder {} does not exist", nameOf(folder)), {}, "make it first");
}

} // namespace

void checkOutputFile(const fs::path& target, const OutputRules& rules) {
    requireFolder(target, folderOf(target));
    std::error_code ignored;
    if (fs::is_directory(target, ignored)) fail(nameOf(target), "this is a folder", "expected a file name");
    if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))
        fail(nameOf(target), "this is no regular file", "only such a file is replaced");
    std::vector<fs::path> inputs = rules.inputs;
    if (fs::is_regular_file(rules.modelFolder, ignored)) { // an attention file
        inputs.push_back(rules.modelFolder);
        const fs::path beside = fs::path(rules.modelFolder).replace_extension(".json");
        if (resolved(target) == resolved(beside))
            fail(nameOf(target),
                 "what is said about " + nameOf(rules.modelFolder.filename()) + " is read here",
                 "nothing else is written there", "choose another name");
    }
    for (const fs::path& input : inputs)
        if (fs::equivalent(target, input, ignored))
            fail(nameOf(target), "this file is the input", "an input is never replaced",
                 "choose another name");
    refuseModelFolder(target, folderOf(target), rules);
}

void checkOutputFolder(const fs::path& target, const OutputRules& rules) {
    std::error_code ignored;
    if (fs::exists(target, ignored)) {
        requireFolder(target, target);
    } else {
        // "out/" names the folder out, whose parent is the one that must exist.
        const fs::path bare = target.has_filename() ? target : target.parent_path();
        requireFolder(target, folderOf(bare));
    }
    refuseModelFolder(target, target, rules);
}

void requireDiskSpace(const fs::path& target, std::uint64_t bytes) {
    const std::uint64_t available = freeDiskBytes(folderOf(target));
    if (available == 0 || bytes <= available) return;
    fail(nameOf(target), fmt::format("the file would take {}", byteText(bytes)),
         fmt::format("the disk has {} free", byteText(available)), "choose another disk or a shorter text");
}

} // namespace headscope
