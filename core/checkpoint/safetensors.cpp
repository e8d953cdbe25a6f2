// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/safetensors_header.h"

#include <cstring>
#include <sys/stat.h>
#include <unordered_map>

namespace headscope {

namespace {

/// Size and time of the file behind a path, to notice that it was replaced or rewritten. Reads stay safe
/// without it; this keeps weights of two versions from being mixed.
struct FileStamp {
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t seconds = 0;
    std::int64_t nanoseconds = 0;

    friend bool operator==(const FileStamp&, const FileStamp&) = default;

    static FileStamp of(const std::filesystem::path& path) {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0) return {};
        return {.inode = status.st_ino,
                .bytes = static_cast<std::uint64_t>(status.st_size),
                .seconds = status.st_mtim.tv_sec,
                .nanoseconds = status.st_mtim.tv_nsec};
    }
};

class SafetensorsSource final : public TensorSource {
  public:
    explicit SafetensorsSource(const std::filesystem::path& path)
        : m_stamp(FileStamp::of(path)), m_file(path), m_tensors(readSafetensorsHeader(m_file).tensors) {
        m_byName.reserve(m_tensors.size());
        for (const TensorInfo& tensor : m_tensors) m_byName.emplace(tensor.name, &tensor);
    }

    const std::vector<TensorInfo>& tensors() const override { return m_tensors; }

    const TensorInfo* find(std::string_view name) const override {
        const auto found = m_byName.find(name);
        return found == m_byName.end() ? nullptr : found->second;
    }

    std::string fileName(const TensorInfo&) const override { return m_file.path().filename().string(); }

    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        HS_CHECK(first >= 0 && count >= 0);
        HS_CHECK_LE(first, tensor.elements - count);
        const auto size = static_cast<std::uint64_t>(sizeOf(tensor.dtype));
        HS_CHECK_EQ(out.size(), static_cast<std::uint64_t>(count) * size);
        if (FileStamp::of(m_file.path()) != m_stamp)
            fail(messageName(m_file.path()), "the file changed while it was open", {},
                 "open the model again when it is complete");
        m_file.readAt(tensor.offset + static_cast<std::uint64_t>(first) * size, out);
    }

  private:
    FileStamp m_stamp; ///< taken before the header is read
    InputFile m_file;
    std::vector<TensorInfo> m_tensors;
    std::unordered_map<std::string_view, const TensorInfo*>
        m_byName; ///< keys and values point into m_tensors
};

} // namespace

std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path& path) {
    return std::make_shared<SafetensorsSource>(path);
}

std::map<std::string, std::string> readSafetensorsMetadata(const std::filesystem::path& path) {
    return readSafetensorsHeader(InputFile(path)).metadata;
}

SafetensorsWriter::SafetensorsWriter(const std::filesystem::path& target, const std::vector<Entry>& entries,
                                     const std::vector<std::pair<std::string, std::string>>& metadata)
    : m_file(target) {
    JsonWriter json;
    json.beginObject();
    if (!metadata.empty()) {
        json.key("__metadata__");
        json.beginObject();
        for (const auto& [key, text] : metadata) json.member(key, std::string_view(text));
        json.endObject();
    }
    std::int64_t offset = 0;
    for (const Entry& entry : entries) {
        std::int64_t bytes = sizeOf(entry.dtype);
        json.key(entry.name);
        json.beginObject();
        json.member("dtype", nameOf(entry.dtype));
        json.key("shape");
        json.beginArray();
        for (const std::int64_t extent : entry.shape) {
            HS_CHECK_LE(0, extent);
            HS_CHECK(!__builtin_mul_overflow(bytes, extent, &bytes));
            json.value(extent);
        }
        json.endArray();
        json.key("data_offsets");
        json.beginArray();
        json.value(offset);
        HS_CHECK(!__builtin_add_overflow(offset, bytes, &offset));
        json.value(offset);
        json.endArray();
        json.endObject();
    }
    json.endObject();
    std::string header = json.finish();
    header.back() =
        ' '; // the final line break: the format pads with spaces, so that the data begin at a multiple of 8
    header.append((8 - header.size() % 8) % 8, ' ');
    if (header.size() > kSafetensorsHeaderLimit)
        fail(messageName(target), fmt::format("the header would have {} bytes", header.size()),
             fmt::format("the format holds at most {}", kSafetensorsHeaderLimit),
             "write an .npz file instead");
    const std::uint64_t length = header.size();
    m_file.write(std::as_bytes(std::span(&length, 1)));
    m_file.write(header);
    m_expected = m_file.written() + static_cast<std::uint64_t>(offset);
}

void SafetensorsWriter::write(std::span<const std::byte> bytes) {
    HS_CHECK_LE(m_file.written() + bytes.size(), m_expected);
    m_file.write(bytes);
}

void SafetensorsWriter::commit() {
    HS_CHECK_EQ(m_file.written(), m_expected);
    m_file.commit();
}

} // namespace headscope
