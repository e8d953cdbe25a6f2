// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headscope {

/// Where a result may not go.
struct OutputRules {
    std::filesystem::path modelFolder;         ///< nothing is ever written below it; empty: none
    std::vector<std::filesystem::path> inputs; ///< files that were read
};

/// Throws Error unless a file may be written as `target`: its folder must exist (none is made), `target` must
/// be no folder, no device, none of the inputs (whatever name they are reached by) and not below the model
/// folder or any other folder that holds a model.
void checkOutputFile(const std::filesystem::path& target, const OutputRules& rules);

/// The same for a folder that may be made: its parent must exist.
void checkOutputFolder(const std::filesystem::path& target, const OutputRules& rules);

/// Throws Error naming both numbers when the file system of `target` has fewer than `bytes` free.
void requireDiskSpace(const std::filesystem::path& target, std::uint64_t bytes);

} // namespace headscope
