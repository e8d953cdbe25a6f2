// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace headscope {

/// A file of the source tree that is inside the program.
struct EmbeddedFile {
    std::string_view path; ///< below the folder that was embedded: "constructed/config.json"
    std::span<const std::byte> content;
};

/// All files of resources/demos. The source with its table is written by cmake/EmbeddedFiles.cmake.
std::span<const EmbeddedFile> embeddedDemoFiles();

} // namespace headscope
