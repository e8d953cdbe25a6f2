// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/checkpoint/folder_contents.h"

#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// A small model inside the program. Its files are those of a model folder, read from memory.
class Demo {
  public:
    Demo(std::string name, std::map<std::string, std::span<const std::byte>, std::less<>> files)
        : m_name(std::move(name)), m_files(std::move(files)) {}

    const std::string& name() const { return m_name; } ///< as users write it: "demo:constructed"
    bool has(std::string_view file) const { return m_files.contains(file); }
    FolderContents contents() const;
    /// The file must be there (CHECKed).
    InputFile open(const std::string& file) const;

  private:
    std::string m_name;
    std::map<std::string, std::span<const std::byte>, std::less<>> m_files;
};

/// Whether this is the name of a demo, known or not, and no path: "demo:" and what follows.
bool isDemoName(const std::filesystem::path& given);
/// Throws Error with the names of all.
const Demo& findDemo(const std::filesystem::path& given);
const std::vector<Demo>& demos();

} // namespace headscope
