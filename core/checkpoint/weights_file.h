// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace headscope {

/// A file of weights, open for as long as its model is. Every read first looks whether the file behind the
/// path is still the one that was opened: reads are safe without that, but weights of two versions must not
/// be mixed.
class WeightsFile {
  public:
    /// Throws Error as InputFile does.
    explicit WeightsFile(const std::filesystem::path& path);
    /// One inside the program, which does not change (CHECKed).
    explicit WeightsFile(InputFile embedded);

    const InputFile& input() const { return m_file; }
    std::string name() const { return m_file.path().filename().string(); }
    /// Throws Error when the file was replaced, rewritten or cut since it was opened. Safe from several
    /// threads.
    void readAt(std::uint64_t offset, std::span<std::byte> out) const;
    /// Throws Error when the file is no longer the one that was opened.
    void requireUnchanged() const;
    void dropPages(std::uint64_t offset, std::uint64_t bytes) const { m_file.dropPages(offset, bytes); }

  private:
    struct Stamp {
        std::uint64_t inode = 0;
        std::uint64_t bytes = 0;
        std::int64_t seconds = 0;
        std::int64_t nanoseconds = 0;

        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    static Stamp stampOf(const std::filesystem::path& path);

    Stamp m_stamp; ///< taken before the file is opened
    InputFile m_file;
};

} // namespace headscope
