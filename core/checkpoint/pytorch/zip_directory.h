// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headscope {

/// One file inside a zip archive.
struct ZipEntry {
    std::string name;
    bool deflated = false;
    std::uint64_t packedBytes = 0; ///< in the archive
    std::uint64_t bytes = 0;       ///< unpacked; the same unless deflated
    std::uint64_t header = 0;      ///< where its local header begins
    std::uint64_t limit = 0;       ///< where what follows it begins
};

/// The directory of a zip archive. libzip reads entries but does not tell where their bytes stand; weights of
/// gigabytes are read in place, at offsets, and need that. Only what such files consist of is accepted: one
/// part, stored or deflated entries, no encryption, every name once, no two entries over the same bytes,
/// nothing before, between or after the parts that the format has.
class ZipDirectory {
  public:
    /// Reads and checks the directory, zip64 included. Throws Error naming the file.
    explicit ZipDirectory(const InputFile& file);

    const std::vector<ZipEntry>& entries() const { return m_entries; }
    /// nullptr when there is none of that name.
    const ZipEntry* find(const std::string& name) const;

  private:
    std::vector<ZipEntry> m_entries;
    std::unordered_map<std::string, std::size_t> m_indices;
};

/// Where the bytes of an entry begin: behind its local header, which must agree with the directory.
std::uint64_t zipDataOffset(const InputFile& file, const ZipEntry& entry);

/// The bytes of an entry, unpacked if need be. Throws Error naming the file when the entry has more than
/// `limit` of them or when compressed data do not unpack to what the directory says.
std::string readZipEntry(const InputFile& file, const ZipEntry& entry, std::uint64_t limit);

/// Calls `visit` for each entry with its first `count` bytes, or all where there are fewer: what an entry is,
/// before anybody unpacks it. Checksums are not compared.
void readZipHeads(const InputFile& file, const std::vector<ZipEntry>& entries, std::uint64_t count,
                  const std::function<void(const ZipEntry& entry, std::string_view head)>& visit);

} // namespace headscope
