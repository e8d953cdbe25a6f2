// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/pytorch/zip_directory.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <zip.h>

namespace headscope {

namespace {

[[noreturn]] void refuse(const InputFile& file, const ZipEntry& entry) {
    fail(messageName(file.path()),
         fmt::format("zip archive: the compressed data of {} do not unpack", quotedName(entry.name)), {},
         kDamagedHint);
}

/// Compressed entries, by libzip, which opens the file once more for them.
class Unpacker {
  public:
    explicit Unpacker(const InputFile& file) : m_file(file) {}

    /// The first out.size() bytes; where these are all, the checksum is compared.
    void unpack(const ZipEntry& entry, std::string& out) {
        if (m_archive == nullptr) m_archive.reset(zip_open(m_file.path().c_str(), ZIP_RDONLY, nullptr));
        if (m_archive == nullptr) refuse(m_file, entry);
        const zip_int64_t index = zip_name_locate(m_archive.get(), entry.name.c_str(), ZIP_FL_ENC_RAW);
        if (index < 0) refuse(m_file, entry);
        const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> data(
            zip_fopen_index(m_archive.get(), static_cast<zip_uint64_t>(index), 0), zip_fclose);
        if (data == nullptr) refuse(m_file, entry);
        std::size_t done = 0;
        while (done < out.size()) {
            const zip_int64_t got = zip_fread(data.get(), out.data() + done, out.size() - done);
            if (got <= 0) refuse(m_file, entry);
            done += static_cast<std::size_t>(got);
        }
        if (out.size() < entry.bytes) return;
        // The checksum is compared where the data end, which must be here.
        char more = 0;
        if (zip_fread(data.get(), &more, 1) != 0) refuse(m_file, entry);
    }

  private:
    const InputFile& m_file;
    std::unique_ptr<zip_t, decltype(&zip_discard)> m_archive{nullptr, zip_discard};
};

} // namespace

std::string readZipEntry(const InputFile& file, const ZipEntry& entry, std::uint64_t limit) {
    if (entry.bytes > limit)
        fail(messageName(file.path()),
             fmt::format("zip archive: {} has {} bytes", quotedName(entry.name), entry.bytes),
             fmt::format("at most {} are read", limit), "save it as safetensors");
    const std::uint64_t offset = zipDataOffset(file, entry);
    std::string bytes(entry.bytes, '\0');
    if (entry.deflated)
        Unpacker(file).unpack(entry, bytes);
    else
        file.readAt(offset, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

void readZipHeads(const InputFile& file, const std::vector<ZipEntry>& entries, std::uint64_t count,
                  const std::function<void(const ZipEntry& entry, std::string_view head)>& visit) {
    Unpacker unpacker(file);
    std::string head;
    for (const ZipEntry& entry : entries) {
        head.resize(std::min(entry.bytes, count));
        const std::uint64_t offset = zipDataOffset(file, entry);
        if (entry.deflated)
            unpacker.unpack(entry, head);
        else
            file.readAt(offset, std::as_writable_bytes(std::span(head)));
        visit(entry, head);
    }
}

} // namespace headscope
