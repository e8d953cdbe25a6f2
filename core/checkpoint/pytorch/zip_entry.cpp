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

/// Compressed entries are the exception (torch.save stores), so libzip may open the file once more for each.
/// It also checks their checksum.
void unpack(const InputFile& file, const ZipEntry& entry, std::string& out) {
    int code = 0;
    const std::unique_ptr<zip_t, decltype(&zip_discard)> archive(
        zip_open(file.path().c_str(), ZIP_RDONLY, &code), zip_discard);
    if (archive == nullptr) refuse(file, entry);
    const zip_int64_t index = zip_name_locate(archive.get(), entry.name.c_str(), ZIP_FL_ENC_RAW);
    if (index < 0) refuse(file, entry);
    const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> data(
        zip_fopen_index(archive.get(), static_cast<zip_uint64_t>(index), 0), zip_fclose);
    if (data == nullptr) refuse(file, entry);
    std::size_t done = 0;
    while (done < out.size()) {
        const zip_int64_t got = zip_fread(data.get(), out.data() + done, out.size() - done);
        if (got <= 0) refuse(file, entry);
        done += static_cast<std::size_t>(got);
    }
    // The checksum is compared where the data end, which must be here.
    char more = 0;
    if (zip_fread(data.get(), &more, 1) != 0) refuse(file, entry);
}

} // namespace

std::string readZipEntry(const InputFile& file, const ZipEntry& entry, std::uint64_t limit) {
    if (entry.bytes > limit)
        fail(messageName(file.path()),
             fmt::format("zip archive: {} has {} bytes", quotedName(entry.name), entry.bytes),
             fmt::format("at most {} are read", limit), "save the model as safetensors");
    const std::uint64_t offset = zipDataOffset(file, entry);
    std::string bytes(entry.bytes, '\0');
    if (entry.deflated)
        unpack(file, entry, bytes);
    else
        file.readAt(offset, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

} // namespace headscope
