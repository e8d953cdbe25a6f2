// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace headscope::test {

/// A folder of its own for one test, removed with everything in it at the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path operator/(std::string_view name) const { return m_path / name; }
    /// Writes `content` as file `name` and returns its path.
    std::filesystem::path write(std::string_view name, std::string_view content) const;

  private:
    std::filesystem::path m_path;
};

std::string readBytes(const std::filesystem::path& path);

/// tests/data/<name>
std::filesystem::path dataPath(std::string_view name);

/// The folder of the MiniLM checkpoint, or an empty path when it is not there (tests then skip and say so).
std::filesystem::path minilmFolder();

} // namespace headscope::test
