// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/zip_directory.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <optional>
#include <string_view>

namespace headscope {

namespace {

/// A directory of a million entries has some 80 MB.
constexpr std::uint64_t kDirectoryLimit = 100'000'000;

/// Unsigned little-endian numbers, read one after the other. Reading past the end gives zeros and clears
/// ok().
class Fields {
  public:
    explicit Fields(std::string_view bytes) : m_bytes(bytes) {}

    std::uint64_t next(std::size_t bytes) {
        std::uint64_t value = 0;
        const std::string_view taken = text(bytes);
        if (m_ok) std::memcpy(&value, taken.data(), taken.size());
        return value;
    }
    std::string_view text(std::size_t bytes) {
        m_ok = m_ok && bytes <= m_bytes.size();
        if (!m_ok) return {};
        const std::string_view taken = m_bytes.substr(0, bytes);
        m_bytes.remove_prefix(bytes);
        return taken;
    }
    void skip(std::size_t bytes) { text(bytes); }
    bool ok() const { return m_ok; }
    bool atEnd() const { return m_bytes.empty(); }

  private:
    std::string_view m_bytes;
    bool m_ok = true;
};

std::string readBytes(const InputFile& file, std::uint64_t offset, std::uint64_t count) {
    std::string bytes(count, '\0');
    file.readAt(offset, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

[[noreturn]] void refuse(const InputFile& file, std::string found, std::string hint = kDamagedHint) {
    fail(messageName(file.path()), "zip archive: " + std::move(found), {}, std::move(hint));
}

constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kEnd64LocatorBytes = 20;
constexpr std::uint64_t kEnd64Bytes = 56;
constexpr std::uint64_t kEntryBytes = 46;
constexpr std::uint64_t kLocalBytes = 30;

constexpr std::uint64_t kEndMark = 0x06054b50;
constexpr std::uint64_t kEnd64LocatorMark = 0x07064b50;
constexpr std::uint64_t kEnd64Mark = 0x06064b50;
constexpr std::uint64_t kEntryMark = 0x02014b50;
constexpr std::uint64_t kLocalMark = 0x04034b50;

/// Where the directory stands and how many entries it has.
struct Extent {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::uint64_t entries = 0;
    std::uint64_t end = 0; ///< of the directory: where the records about it begin
};

/// The last place where an end record with a comment that reaches the end of the file can begin.
std::uint64_t findEnd(const InputFile& file) {
    const std::uint64_t tail = std::min<std::uint64_t>(file.size(), kEndBytes + 0xffff);
    const std::string bytes = readBytes(file, file.size() - tail, tail);
    for (std::uint64_t back = kEndBytes; back <= tail; ++back) {
        Fields fields(std::string_view(bytes).substr(tail - back));
        if (fields.next(4) != kEndMark) continue;
        fields.skip(16);
        if (fields.next(2) == back - kEndBytes) return file.size() - back;
    }
    refuse(file, "its directory is missing", kIncompleteHint);
}

/// The record of archives with more than 65,535 entries or 4 GiB, if there is one before `end`.
std::optional<Extent> readEnd64(const InputFile& file, std::uint64_t end) {
    if (end < kEnd64LocatorBytes) return std::nullopt;
    const std::string locatorBytes = readBytes(file, end - kEnd64LocatorBytes, kEnd64LocatorBytes);
    Fields locator(locatorBytes);
    if (locator.next(4) != kEnd64LocatorMark) return std::nullopt;
    locator.skip(4);
    const std::uint64_t offset = locator.next(8);
    const std::uint64_t limit = end - kEnd64LocatorBytes;
    if (offset > limit || limit - offset < kEnd64Bytes) refuse(file, "its zip64 record is out of place");
    const std::string recordBytes = readBytes(file, offset, kEnd64Bytes);
    Fields record(recordBytes);
    if (record.next(4) != kEnd64Mark) refuse(file, "its zip64 record is out of place");
    if (record.next(8) != limit - offset - 12) refuse(file, "its zip64 record has the wrong length");
    record.skip(4);
    if (record.next(4) != 0 || record.next(4) != 0)
        refuse(file, "it is one part of several", "join the parts");
    Extent extent;
    extent.entries = record.next(8);
    if (record.next(8) != extent.entries) refuse(file, "it is one part of several", "join the parts");
    extent.bytes = record.next(8);
    extent.offset = record.next(8);
    extent.end = offset;
    return extent;
}

Extent findDirectory(const InputFile& file) {
    if (file.size() < kEndBytes) refuse(file, "its directory is missing", kIncompleteHint);
    const std::uint64_t end = findEnd(file);
    const std::optional<Extent> large = readEnd64(file, end);
    Extent extent;
    if (large) {
        extent = *large;
    } else {
        const std::string bytes = readBytes(file, end, kEndBytes);
        Fields record(bytes);
        record.skip(4);
        if (record.next(2) != 0 || record.next(2) != 0)
            refuse(file, "it is one part of several", "join the parts");
        extent.entries = record.next(2);
        if (record.next(2) != extent.entries) refuse(file, "it is one part of several", "join the parts");
        extent.bytes = record.next(4);
        extent.offset = record.next(4);
        extent.end = end;
    }
    if (extent.bytes > extent.end || extent.offset != extent.end - extent.bytes)
        refuse(file, "its directory is out of place");
    if (extent.bytes > kDirectoryLimit)
        refuse(file,
               fmt::format("its directory has {} bytes, at most {} are read", extent.bytes, kDirectoryLimit),
               "save it as safetensors");
    if (extent.entries > extent.bytes / kEntryBytes)
        refuse(file, fmt::format("its directory has no room for {} entries", extent.entries));
    return extent;
}

/// Sizes and places beyond 32 bits stand in an extra field, in a fixed order, each only where it is needed.
void applyZip64(ZipEntry& entry, std::string_view extra, bool& broken) {
    constexpr std::uint64_t kSaturated = 0xffffffff;
    Fields fields(extra);
    while (!fields.atEnd()) {
        const std::uint64_t id = fields.next(2);
        const std::string_view content = fields.text(fields.next(2));
        // Some writers pad the last extra field with less than a header; that is no field.
        if (!fields.ok()) break;
        if (id != 1) continue;
        Fields values(content);
        for (std::uint64_t* value : {&entry.bytes, &entry.packedBytes, &entry.header})
            if (*value == kSaturated) *value = values.next(8);
        broken = broken || !values.ok();
        return;
    }
    broken =
        broken || entry.bytes == kSaturated || entry.packedBytes == kSaturated || entry.header == kSaturated;
}

ZipEntry readEntry(const InputFile& file, Fields& fields) {
    if (fields.next(4) != kEntryMark) refuse(file, "its directory is malformed");
    fields.skip(4);
    const std::uint64_t flags = fields.next(2);
    const std::uint64_t method = fields.next(2);
    fields.skip(8);
    ZipEntry entry;
    entry.packedBytes = fields.next(4);
    entry.bytes = fields.next(4);
    const std::uint64_t nameBytes = fields.next(2);
    const std::uint64_t extraBytes = fields.next(2);
    const std::uint64_t commentBytes = fields.next(2);
    const std::uint64_t part = fields.next(2);
    fields.skip(6);
    entry.header = fields.next(4);
    entry.name = fields.text(nameBytes);
    const std::string_view extra = fields.text(extraBytes);
    fields.skip(commentBytes);
    if (!fields.ok()) refuse(file, "its directory ends early");

    const std::string name = quotedName(entry.name);
    bool broken = false;
    applyZip64(entry, extra, broken);
    if (broken) refuse(file, fmt::format("the sizes of {} are malformed", name));
    if (part != 0) refuse(file, "it is one part of several", "join the parts");
    constexpr std::uint64_t kEncrypted = 0x2041; // encrypted, strongly encrypted, directory encrypted
    if ((flags & kEncrypted) != 0)
        refuse(file, fmt::format("{} is encrypted", name), "save it without a password");
    if (method != 0 && method != 8)
        refuse(file,
               fmt::format("{} is compressed by method {}, expected stored or deflated data", name, method),
               "save it again, stored or deflated");
    entry.deflated = method == 8;
    if (!entry.deflated && entry.bytes != entry.packedBytes)
        refuse(file,
               fmt::format("{} has {} bytes, of which {} are stored", name, entry.bytes, entry.packedBytes));
    // Deflate cannot pack tighter than 1032 to 1.
    if (entry.deflated && entry.bytes / 1032 > entry.packedBytes)
        refuse(file,
               fmt::format("{} is said to unpack from {} bytes to {}", name, entry.packedBytes, entry.bytes));
    return entry;
}

/// Entries in the order in which they stand, each ending before the next begins.
void checkPlaces(const InputFile& file, std::vector<ZipEntry>& entries, std::uint64_t directory) {
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return entries[a].header < entries[b].header; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        ZipEntry& entry = entries[order[i]];
        entry.limit = i + 1 < order.size() ? entries[order[i + 1]].header : directory;
        const std::uint64_t least = kLocalBytes + entry.name.size();
        if (entry.limit > directory || entry.header > entry.limit || entry.limit - entry.header < least ||
            entry.limit - entry.header - least < entry.packedBytes)
            refuse(file, fmt::format("the data of {} reach into what follows", quotedName(entry.name)));
    }
}

} // namespace

ZipDirectory::ZipDirectory(const InputFile& file) {
    const Extent extent = findDirectory(file);
    const std::string bytes = readBytes(file, extent.offset, extent.bytes);
    Fields fields(bytes);
    m_entries.reserve(extent.entries);
    for (std::uint64_t i = 0; i < extent.entries; ++i) m_entries.push_back(readEntry(file, fields));
    if (!fields.atEnd()) refuse(file, "its directory has more bytes than entries");
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (!m_indices.emplace(m_entries[i].name, i).second)
            refuse(file, fmt::format("the name {} stands twice", quotedName(m_entries[i].name)));
    checkPlaces(file, m_entries, extent.offset);
}

const ZipEntry* ZipDirectory::find(const std::string& name) const {
    const auto found = m_indices.find(name);
    return found == m_indices.end() ? nullptr : &m_entries[found->second];
}

std::uint64_t zipDataOffset(const InputFile& file, const ZipEntry& entry) {
    const std::uint64_t named = kLocalBytes + entry.name.size(); // checked to lie before the limit
    const std::string bytes = readBytes(file, entry.header, named);
    Fields fields(bytes);
    const bool marked = fields.next(4) == kLocalMark;
    fields.skip(4);
    const std::uint64_t method = fields.next(2);
    fields.skip(16);
    const std::uint64_t nameBytes = fields.next(2);
    const std::uint64_t extraBytes = fields.next(2);
    if (!marked || method != (entry.deflated ? 8U : 0U) || nameBytes != entry.name.size() ||
        fields.text(entry.name.size()) != entry.name)
        refuse(file, fmt::format("the directory and the data disagree about {}", quotedName(entry.name)));
    if (entry.limit - entry.header - named - entry.packedBytes < extraBytes)
        refuse(file, fmt::format("the data of {} reach into what follows", quotedName(entry.name)));
    return entry.header + named + extraBytes;
}

} // namespace headscope
