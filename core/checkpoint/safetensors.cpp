// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/safetensors.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/safetensors_header.h"
#include "core/checkpoint/tensor_table.h"
#include "core/checkpoint/weights_file.h"

namespace headscope {

namespace {

class SafetensorsSource final : public TensorSource {
  public:
    explicit SafetensorsSource(const std::filesystem::path& path)
        : m_file(path), m_table(readSafetensorsHeader(m_file.input()).tensors) {}
    explicit SafetensorsSource(InputFile embedded)
        : m_file(std::move(embedded)), m_table(readSafetensorsHeader(m_file.input()).tensors) {}

    const std::vector<TensorInfo>& tensors() const override { return m_table.tensors(); }
    const TensorInfo* find(std::string_view name) const override { return m_table.find(name); }
    std::string fileName(const TensorInfo&) const override { return m_file.name(); }

    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        checkRead(tensor, first, count, out);
        const auto size = static_cast<std::uint64_t>(sizeOf(tensor.dtype));
        m_file.readAt(tensor.offset + static_cast<std::uint64_t>(first) * size, out);
    }

    void dropPages(const TensorInfo& tensor) const override {
        m_file.dropPages(tensor.offset, static_cast<std::uint64_t>(tensor.elements * sizeOf(tensor.dtype)));
    }

  private:
    WeightsFile m_file;
    TensorTable m_table;
};

} // namespace

std::shared_ptr<const TensorSource> openSafetensors(const std::filesystem::path& path) {
    return std::make_shared<SafetensorsSource>(path);
}

std::shared_ptr<const TensorSource> openSafetensors(InputFile embedded) {
    return std::make_shared<SafetensorsSource>(std::move(embedded));
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
