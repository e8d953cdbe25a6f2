// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headscope {

/// A file opened for reading at given offsets. Every read checks what the system returned, so a file that
/// shrinks or vanishes while it is open is an Error, never a crash (which is why nothing is memory-mapped).
class InputFile {
  public:
    /// Throws Error{subject = file name} when it cannot be opened or is not a regular file.
    explicit InputFile(const std::filesystem::path& path);
    /// A file inside the program: `content` outlives all files.
    InputFile(std::filesystem::path path, std::span<const std::byte> content);
    ~InputFile();
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&&) = delete;

    std::uint64_t size() const { return m_size; } ///< bytes, when it was opened
    const std::filesystem::path& path() const { return m_path; }
    bool isEmbedded() const { return m_descriptor < 0; } ///< inside the program, not on a disk
    /// Fills `out` from `offset`; throws Error on a short read. Safe from several threads at once.
    void readAt(std::uint64_t offset, std::span<std::byte> out) const;
    /// Tells the system that [offset, offset + bytes) will not be read again soon, so that it need not keep
    /// those pages in memory. Advice only: reading them again is right and merely slower.
    void dropPages(std::uint64_t offset, std::uint64_t bytes) const;

  private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::uint64_t m_size = 0;
    std::span<const std::byte> m_content; ///< where it is embedded
};

/// Where the file stands on the disk, its size and its times of writing and of change, as one text: differs
/// once the file is written to or another takes its place, also where that one is made to look as old. Empty
/// when there is none.
std::string fileIdentity(const std::filesystem::path& path);

/// The whole file. Throws Error when it is larger than `limit` bytes (both numbers are said) or unreadable.
std::string readWholeFile(const std::filesystem::path& path, std::uint64_t limit);
std::string readWholeFile(const InputFile& file, std::uint64_t limit);

/// A file that appears under its name only when complete: bytes go to a temporary file in the same folder,
/// commit() renames it. The destructor removes an uncommitted file, and removeTemporaryFiles() does so from a
/// signal handler.
class AtomicFile {
  public:
    /// Throws Error when the folder does not exist or is not writable. Makes no folders.
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Throws Error (disk full, ...) naming the target.
    void write(std::span<const std::byte> bytes);
    void write(std::string_view bytes);
    /// Replaces bytes written before, [offset, offset + size) within written(): for formats whose headers
    /// hold what is known only after the data. Throws Error naming the target.
    void overwrite(std::uint64_t offset, std::span<const std::byte> bytes);
    std::uint64_t written() const { return m_written; }
    /// Flushes, syncs, renames. Throws Error; afterwards nothing may be written.
    void commit();

  private:
    void flush();

    std::filesystem::path m_target;
    std::filesystem::path m_temporary;
    int m_descriptor = -1;
    int m_slot = -1; ///< where the signal handler finds the temporary name
    std::uint64_t m_written = 0;
    std::string m_buffer;
};

/// Unlinks the temporary files of all AtomicFiles alive now. Async-signal-safe.
void removeTemporaryFiles() noexcept;

/// Free bytes for an unprivileged writer on the file system of `folder`; 0 when it cannot be told.
std::uint64_t freeDiskBytes(const std::filesystem::path& folder);
/// Memory the system can hand out without swapping (MemAvailable, within the cgroup's limit); 0 when unknown.
std::uint64_t availableMemoryBytes();

} // namespace headscope
