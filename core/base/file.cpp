// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "core/base/check.h"
#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <limits>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace headscope {

namespace {

std::string nameForMessage(const std::filesystem::path& path) {
    return escapeForMessage(path.string());
}

/// Plain words for what the system said; never the library's own text, which depends on the locale.
std::string reasonOf(int code) {
    switch (code) {
    case ENOENT:
        return "there is no such file or folder";
    case EACCES:
    case EPERM:
        return "permission was denied";
    case ENOSPC:
        return "the disk is full";
    case EDQUOT:
        return "the disk quota is used up";
    case EROFS:
        return "the file system is read-only";
    case ENOTDIR:
        return "a part of the path is not a folder";
    case EISDIR:
        return "this is a folder, not a file";
    case ENAMETOOLONG:
        return "the name is too long";
    case EMFILE:
    case ENFILE:
        return "too many files are open";
    case EFBIG:
        return "the file would be larger than the file system or the session's limit allows";
    case EIO:
        return "the disk reported an input/output error";
    case ELOOP:
        return "the path has too many symbolic links";
    default:
        return fmt::format("the system reported error {}", code);
    }
}

} // namespace

InputFile::InputFile(const std::filesystem::path& path) : m_path(path) {
    // Non-blocking, so that a named pipe is refused below instead of waiting for a writer.
    m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m_descriptor < 0) fail(nameForMessage(path), "cannot be opened: " + reasonOf(errno));
    struct stat status {};
    if (::fstat(m_descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        ::close(m_descriptor);
        m_descriptor = -1;
        fail(nameForMessage(path), "this is not a regular file");
    }
    m_size = static_cast<std::uint64_t>(status.st_size);
}

InputFile::InputFile(std::filesystem::path path, std::span<const std::byte> content)
    : m_path(std::move(path)), m_size(content.size()), m_content(content) {}

InputFile::~InputFile() {
    if (m_descriptor >= 0) ::close(m_descriptor);
}

InputFile::InputFile(InputFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_size(other.m_size), m_content(other.m_content) {}

void InputFile::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    if (isEmbedded()) {
        HS_CHECK(offset <= m_size && out.size() <= m_size - offset);
        std::copy_n(m_content.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
        return;
    }
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t got =
            ::pread(m_descriptor, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) fail(nameForMessage(m_path.filename()), "cannot be read: " + reasonOf(errno));
        if (got == 0)
            throw Error({.subject = nameForMessage(m_path.filename()),
                         .found = "the file ended early",
                         .expected = fmt::format("it had {} bytes when it was opened", m_size),
                         .hint = "it was changed or cut while it was open",
                         .byteOffset = offset + done});
        done += static_cast<std::size_t>(got);
    }
}

void InputFile::dropPages(std::uint64_t offset, std::uint64_t bytes) const {
    // A length of 0 would mean "to the end of the file".
    if (bytes == 0 || isEmbedded()) return;
    ::posix_fadvise(m_descriptor, static_cast<off_t>(offset), static_cast<off_t>(bytes), POSIX_FADV_DONTNEED);
}

std::string fileIdentity(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return fmt::format("{}.{} {} {}.{} {}.{}", status.st_dev, status.st_ino, status.st_size,
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                       status.st_ctim.tv_nsec);
}

std::string readWholeFile(const std::filesystem::path& path, std::uint64_t limit) {
    return readWholeFile(InputFile(path), limit);
}

std::string readWholeFile(const InputFile& file, std::uint64_t limit) {
    if (file.size() > limit)
        fail(nameForMessage(file.path().filename()), fmt::format("the file has {} bytes", file.size()),
             fmt::format("at most {} are read", limit));
    std::string content(file.size(), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(content)));
    return content;
}

namespace {

// Temporary names where a signal handler can find them: fixed storage, claimed and released with one atomic
// each.
struct TemporarySlot {
    std::atomic<bool> used{false};
    std::atomic<bool> ready{false};
    std::array<char, 4096> path{};
};
std::array<TemporarySlot, 64> temporarySlots;

int claimSlot(const std::string& path) {
    if (path.size() + 1 > temporarySlots[0].path.size()) return -1;
    for (std::size_t i = 0; i < temporarySlots.size(); ++i) {
        bool expected = false;
        if (!temporarySlots[i].used.compare_exchange_strong(expected, true)) continue;
        std::memcpy(temporarySlots[i].path.data(), path.c_str(), path.size() + 1);
        temporarySlots[i].ready = true;
        return static_cast<int>(i);
    }
    return -1;
}

void releaseSlot(int slot) {
    if (slot < 0) return;
    temporarySlots[static_cast<std::size_t>(slot)].ready = false;
    temporarySlots[static_cast<std::size_t>(slot)].used = false;
}

constexpr std::size_t kBufferBytes = std::size_t{1} << 20U;

} // namespace

void removeTemporaryFiles() noexcept {
    for (const TemporarySlot& slot : temporarySlots)
        if (slot.ready) ::unlink(slot.path.data());
}

AtomicFile::AtomicFile(std::filesystem::path target) : m_target(std::move(target)) {
    std::error_code ignored;
    if (std::filesystem::is_directory(m_target, ignored))
        fail(nameForMessage(m_target), "this is a folder, not a file");
    const std::filesystem::path folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
    if (!std::filesystem::is_directory(folder, ignored))
        fail(nameForMessage(m_target), fmt::format("the folder {} does not exist", nameForMessage(folder)),
             {}, "make it first");
    std::string pattern = (folder / ".headscope-XXXXXX").string();
    m_descriptor = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (m_descriptor < 0) fail(nameForMessage(m_target), "cannot be written: " + reasonOf(errno));
    m_temporary = pattern;
    m_slot = claimSlot(std::filesystem::absolute(m_temporary).string());
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(m_descriptor, 0666 & ~mask);
}

AtomicFile::~AtomicFile() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
        ::unlink(m_temporary.c_str());
    }
    releaseSlot(m_slot);
}

void AtomicFile::flush() {
    std::size_t done = 0;
    while (done < m_buffer.size()) {
        const ssize_t put = ::write(m_descriptor, m_buffer.data() + done, m_buffer.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail(nameForMessage(m_target), "cannot be written: " + reasonOf(errno));
        done += static_cast<std::size_t>(put);
    }
    m_buffer.clear();
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write(std::string_view bytes) {
    HS_CHECK(m_descriptor >= 0);
    m_written += bytes.size();
    while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, kBufferBytes - m_buffer.size());
        m_buffer += piece;
        bytes.remove_prefix(piece.size());
        if (m_buffer.size() == kBufferBytes) flush();
    }
}

void AtomicFile::overwrite(std::uint64_t offset, std::span<const std::byte> bytes) {
    HS_CHECK(m_descriptor >= 0);
    HS_CHECK_LE(offset + bytes.size(), m_written);
    flush();
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t put = ::pwrite(m_descriptor, bytes.data() + done, bytes.size() - done,
                                     static_cast<off_t>(offset + done));
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail(nameForMessage(m_target), "cannot be written: " + reasonOf(errno));
        done += static_cast<std::size_t>(put);
    }
}

void AtomicFile::commit() {
    HS_CHECK(m_descriptor >= 0);
    flush();
    if (::fsync(m_descriptor) != 0) fail(nameForMessage(m_target), "cannot be written: " + reasonOf(errno));
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail(nameForMessage(m_target), "cannot be written: " + reasonOf(errno));
    ::close(m_descriptor);
    m_descriptor = -1;
    releaseSlot(std::exchange(m_slot, -1));
}

std::uint64_t freeDiskBytes(const std::filesystem::path& folder) {
    struct statvfs status {};
    if (::statvfs(folder.empty() ? "." : folder.c_str(), &status) != 0) return 0;
    return static_cast<std::uint64_t>(status.f_bavail) * status.f_frsize;
}

namespace {

std::uint64_t readNumber(const char* path) {
    std::ifstream in(path);
    std::uint64_t number = 0;
    return in >> number ? number : 0;
}

} // namespace

std::uint64_t availableMemoryBytes() {
    std::uint64_t available = 0;
    std::ifstream in("/proc/meminfo");
    std::string key;
    std::uint64_t kibibytes = 0;
    std::string unit;
    while (in >> key >> kibibytes && std::getline(in, unit))
        if (key == "MemAvailable:") available = kibibytes * 1024;
    // A container's limit counts when it is lower ("max" reads as 0: none).
    const std::uint64_t limit = readNumber("/sys/fs/cgroup/memory.max");
    const std::uint64_t used = readNumber("/sys/fs/cgroup/memory.current");
    if (limit > used && limit - used < available) available = limit - used;
    return available;
}

} // namespace headscope
