// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/gguf/gguf_source.h"

#include "core/base/check.h"
#include "core/checkpoint/tensor_table.h"
#include "core/checkpoint/weights_file.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace headscope {

namespace {

std::vector<TensorInfo> infosOf(const std::vector<GgufPart>& parts) {
    std::vector<TensorInfo> infos;
    for (std::size_t file = 0; file < parts.size(); ++file)
        for (const GgufTensor& tensor : parts[file].header.tensors)
            infos.push_back({.name = tensor.name,
                             .dtype = tensor.type->dtype,
                             .shape = tensor.shape,
                             .elements = tensor.elements,
                             .file = file,
                             .offset = tensor.offset});
    return infos;
}

/// The keys of the first part, the tensors of all.
GgufHeader joinedHeader(const std::vector<GgufPart>& parts) {
    GgufHeader header = parts.front().header;
    for (std::size_t file = 1; file < parts.size(); ++file)
        header.tensors.insert(header.tensors.end(), parts[file].header.tensors.begin(),
                              parts[file].header.tensors.end());
    return header;
}

/// Numbers that are decoded at once: their blocks and they stay in the processor's cache.
constexpr std::int64_t kPiece = std::int64_t{1} << 15U;
constexpr std::int64_t kLargestBlock = 256;

/// Decodes elements of one quantised tensor.
class BlockReader {
  public:
    BlockReader(const WeightsFile& file, const GgufTensor& tensor)
        : m_file(file), m_tensor(tensor), m_type(*tensor.type) {}

    void read(std::int64_t first, std::span<float> out) {
        HS_CHECK_LE(m_type.blockElements, kLargestBlock);
        const std::int64_t inside = first % m_type.blockElements;
        if (inside != 0) { // starts within a block
            const std::int64_t count = std::min(m_type.blockElements - inside, size(out));
            partOfBlock(first - inside, inside, out.first(static_cast<std::size_t>(count)));
            first += count;
            out = out.subspan(static_cast<std::size_t>(count));
        }
        while (size(out) >= m_type.blockElements) {
            const std::int64_t most = std::min(kPiece, size(out));
            const std::int64_t count = most - most % m_type.blockElements;
            blocks(first, out.first(static_cast<std::size_t>(count)));
            first += count;
            out = out.subspan(static_cast<std::size_t>(count));
        }
        if (!out.empty()) partOfBlock(first, 0, out);
    }

  private:
    static std::int64_t size(std::span<float> out) { return static_cast<std::int64_t>(out.size()); }

    void blocks(std::int64_t first, std::span<float> out) {
        const std::int64_t count = size(out) / m_type.blockElements;
        m_bytes.resize(static_cast<std::size_t>(count * m_type.blockBytes));
        m_file.readAt(m_tensor.offset +
                          static_cast<std::uint64_t>(first / m_type.blockElements * m_type.blockBytes),
                      m_bytes);
        m_type.decode(m_bytes.data(), out);
    }

    void partOfBlock(std::int64_t first, std::int64_t inside, std::span<float> out) {
        std::array<float, kLargestBlock> block{};
        blocks(first, std::span(block).first(static_cast<std::size_t>(m_type.blockElements)));
        std::copy_n(block.begin() + inside, out.size(), out.begin());
    }

    const WeightsFile& m_file;
    const GgufTensor& m_tensor;
    const GgufType& m_type;
    std::vector<std::byte> m_bytes;
};

} // namespace

struct GgufSource::Opened {
    explicit Opened(const std::filesystem::path& path)
        : parts(openGgufParts(path)), header(joinedHeader(parts)), table(infosOf(parts)) {}

    const WeightsFile& fileOf(const TensorInfo& tensor) const { return *parts[tensor.file].file; }

    std::vector<GgufPart> parts;
    GgufHeader header;
    TensorTable table;
};

GgufSource::GgufSource(const std::filesystem::path& path) : m_opened(std::make_unique<Opened>(path)) {}
GgufSource::~GgufSource() = default;

const GgufHeader& GgufSource::header() const {
    return m_opened->header;
}

const GgufTensor& GgufSource::stored(const TensorInfo& tensor) const {
    return m_opened->header.tensors[m_opened->table.indexOf(tensor)];
}

const std::vector<TensorInfo>& GgufSource::tensors() const {
    return m_opened->table.tensors();
}

const TensorInfo* GgufSource::find(std::string_view name) const {
    return m_opened->table.find(name);
}

const std::vector<GgufPart>& GgufSource::parts() const {
    return m_opened->parts;
}

std::string GgufSource::fileName(const TensorInfo& tensor) const {
    return m_opened->fileOf(tensor).name();
}

void GgufSource::readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                         std::span<std::byte> out) const {
    checkRead(tensor, first, count, out);
    const auto size = static_cast<std::uint64_t>(sizeOf(tensor.dtype));
    const GgufTensor& own = stored(tensor);
    if (!own.type->isQuantised()) {
        m_opened->fileOf(tensor).readAt(own.offset + static_cast<std::uint64_t>(first) * size, out);
        return;
    }
    BlockReader reader(m_opened->fileOf(tensor), own);
    if (reinterpret_cast<std::uintptr_t>(out.data()) % alignof(float) == 0) {
        reader.read(first, {reinterpret_cast<float*>(out.data()), static_cast<std::size_t>(count)});
        return;
    }
    std::vector<float> numbers(static_cast<std::size_t>(count));
    reader.read(first, numbers);
    std::memcpy(out.data(), numbers.data(), out.size());
}

void GgufSource::dropPages(const TensorInfo& tensor) const {
    const GgufTensor& own = stored(tensor);
    m_opened->fileOf(tensor).dropPages(own.offset, own.bytes);
}

} // namespace headscope
