// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/npy_source.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/npz_source.h"
#include "core/checkpoint/numpy_header.h"
#include "core/checkpoint/tensor_table.h"
#include "core/checkpoint/weights_file.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <mutex>

namespace headscope {

namespace {

NumpyHeader readHeader(const InputFile& file) {
    const std::string subject = messageName(file.path());
    std::string head(std::min<std::uint64_t>(file.size(), kNumpyHeaderLimit), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(head)));
    if (head.empty()) fail(subject, "the file is empty", "expected an .npy array", kIncompleteHint);
    if (!isNumpy(head)) {
        if (head.starts_with("PK"))
            fail(subject, "the file is a zip archive", "expected an .npy array",
                 "files of np.savez end in .npz, those of torch.save in .pt");
        if (looksLikeSafetensors(head))
            fail(subject, "the file is in the safetensors format", "expected an .npy array",
                 "give it the ending .safetensors");
        if (const auto foreign = recogniseForeign(head, file.size(), "an .npy array"))
            fail(subject, foreign->found, {}, foreign->hint);
        fail(subject, "the file is of an unknown form", "expected an .npy array", kDamagedHint);
    }
    NumpyHeader header = readNumpyHeader(head, file.size(), subject, kIncompleteHint);
    if (!header.dtype) fail(subject, "it holds texts", "expected an array of numbers");
    if (header.fortranOrder && file.size() > kUnpackedArrayLimit)
        fail(subject, fmt::format("it is in Fortran order and has {} bytes", file.size()),
             fmt::format("at most {} are unpacked", kUnpackedArrayLimit), "save it in C order");
    return header;
}

class NpySource final : public TensorSource {
  public:
    explicit NpySource(const std::filesystem::path& path)
        : m_file(path), m_header(readHeader(m_file.input())), m_table({{.name = path.stem().string(),
                                                                        .dtype = *m_header.dtype,
                                                                        .shape = m_header.shape,
                                                                        .elements = m_header.elements,
                                                                        .offset = m_header.dataOffset}}) {}

    const std::vector<TensorInfo>& tensors() const override { return m_table.tensors(); }
    const TensorInfo* find(std::string_view name) const override { return m_table.find(name); }
    std::string fileName(const TensorInfo&) const override { return m_file.name(); }

    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        checkRead(tensor, first, count, out);
        const std::int64_t size = sizeOf(tensor.dtype);
        if (!m_header.fortranOrder) {
            m_file.readAt(m_header.dataOffset + static_cast<std::uint64_t>(first * size), out);
            return;
        }
        if (count == 0) return;
        storageOrder(m_header).gather(first, count, size, inMemory()->data(), out.data());
    }

    void dropPages(const TensorInfo&) const override {
        m_file.dropPages(m_header.dataOffset, m_file.input().size() - m_header.dataOffset);
        const std::scoped_lock lock(m_mutex);
        m_held.reset();
    }

  private:
    std::shared_ptr<const std::string> inMemory() const {
        const std::scoped_lock lock(m_mutex);
        if (m_held != nullptr) return m_held;
        std::string bytes(static_cast<std::size_t>(m_header.elements * sizeOf(*m_header.dtype)), '\0');
        m_file.readAt(m_header.dataOffset, std::as_writable_bytes(std::span(bytes)));
        m_held = std::make_shared<const std::string>(std::move(bytes));
        return m_held;
    }

    WeightsFile m_file;
    NumpyHeader m_header;
    TensorTable m_table;
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const std::string> m_held;
};

} // namespace

std::shared_ptr<const TensorSource> openNpy(const std::filesystem::path& path) {
    return std::make_shared<const NpySource>(path);
}

} // namespace headscope
