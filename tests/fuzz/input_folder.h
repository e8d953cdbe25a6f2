// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/check.h"

#include <filesystem>
#include <fstream>
#include <stdlib.h>
#include <string>
#include <string_view>

namespace headscope::test {

/// A folder in memory, where there is one, that holds the files of one input.
class InputFolder {
  public:
    InputFolder() {
        for (const char* place : {"/dev/shm", "/tmp"}) {
            std::string path = std::string(place) + "/headscope-fuzz-XXXXXX";
            if (::mkdtemp(path.data()) == nullptr) continue;
            m_path = path;
            return;
        }
        HS_CHECK(false);
    }
    ~InputFolder() { std::filesystem::remove_all(m_path); }
    InputFolder(const InputFolder&) = delete;
    InputFolder& operator=(const InputFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    void write(std::string_view name, std::string_view content) const {
        std::ofstream(m_path / name, std::ios::binary) << content;
    }
    void clear() const {
        for (const auto& entry : std::filesystem::directory_iterator(m_path)) std::filesystem::remove(entry);
    }

  private:
    std::filesystem::path m_path;
};

} // namespace headscope::test
