// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/pytorch_file.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/pytorch/storage_places.h"
#include "core/checkpoint/pytorch/strided_runs.h"
#include "core/checkpoint/tensor_table.h"
#include "core/checkpoint/weights_file.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <mutex>

namespace headscope {

namespace {

/// Shorter runs are gathered in memory: reading each by itself would cost more than reading all.
constexpr std::int64_t kLeastRunBytes = 4096;

[[noreturn]] void refuseOtherForms(const InputFile& file, std::string_view head, PytorchLayout layout) {
    const std::string subject = messageName(file.path());
    if (file.size() == 0)
        fail(subject, "the file is empty", "expected a file written by torch.save", kIncompleteHint);
    if (const auto foreign = recogniseForeign(head, file.size(), "weights"))
        fail(subject, foreign->found, {}, foreign->hint);
    if (head.size() >= 262 && head.substr(257, 5) == "ustar")
        fail(subject, "the file is a tar archive, the form of PyTorch before 0.1.10",
             "expected a file written by torch.save since",
             "load it and save it again with a PyTorch of today");
    if (head.starts_with("\x80"))
        fail(subject, "the file is a plain pickle", "expected a file written by torch.save",
             "where you trust it, load it and save its tensors with torch.save");
    if (looksLikeSafetensors(head))
        fail(subject, "the file is in the safetensors format", "expected a file written by torch.save",
             layout == PytorchLayout::Nested ? "give it the ending .safetensors"
                                             : "name it model.safetensors");
    fail(subject, "the file is of an unknown form", "expected a file written by torch.save", kDamagedHint);
}

PytorchContents readContents(const InputFile& file, PytorchLayout layout) {
    std::string head(std::min<std::uint64_t>(file.size(), 512), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(head)));
    if (head.starts_with("PK\x03\x04")) return readPytorchArchive(file, layout);
    if (isLegacyPytorch(head)) return readLegacyPytorch(file, layout);
    refuseOtherForms(file, head, layout);
}

/// A tensor's place: where its storage stands and which of its elements it takes.
struct Location {
    StridedRuns runs;
    const StoragePlace* place;

    bool inPlace(std::int64_t elementBytes) const {
        return !place->packed && (runs.contiguous() || runs.run() * elementBytes >= kLeastRunBytes);
    }
};

class PytorchSource final : public TensorSource {
  public:
    PytorchSource(const std::filesystem::path& path, PytorchLayout layout, std::vector<std::string>& notes)
        : m_file(path), m_contents(readContents(m_file.input(), layout)),
          m_table(std::move(m_contents.dict.tensors)) {
        notes = std::move(m_contents.dict.notes);
        m_locations.reserve(m_table.tensors().size());
        for (const StridedView& view : m_contents.dict.views)
            m_locations.push_back({StridedRuns(view), &m_contents.places.at(view.storage)});
        for (std::size_t i = 0; i < m_locations.size(); ++i)
            requireReadable(m_table.tensors()[i], m_locations[i]);
        m_contents.dict = {};
    }

    const std::vector<TensorInfo>& tensors() const override { return m_table.tensors(); }
    const TensorInfo* find(std::string_view name) const override { return m_table.find(name); }
    std::string fileName(const TensorInfo&) const override { return m_file.name(); }

    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        checkRead(tensor, first, count, out);
        const std::int64_t size = sizeOf(tensor.dtype);
        const Location& location = m_locations[m_table.indexOf(tensor)];
        if (location.inPlace(size)) {
            location.runs.forEach(first, count, [&](std::int64_t element, std::int64_t elements) {
                const auto bytes = static_cast<std::size_t>(elements * size);
                m_file.readAt(location.place->offset + static_cast<std::uint64_t>(element * size),
                              out.first(bytes));
                out = out.subspan(bytes);
            });
            return;
        }
        if (count == 0) return;
        const std::shared_ptr<const std::string> storage = inMemory(*location.place);
        location.runs.gather(first, count, size, storage->data(), out.data());
        // Whoever read the end is done with the tensor, as a rule.
        if (first + count == tensor.elements) forget(*location.place);
    }

    void dropPages(const TensorInfo& tensor) const override {
        const StoragePlace& place = *m_locations[m_table.indexOf(tensor)].place;
        if (place.packed)
            m_file.dropPages(place.packed->header, place.packed->packedBytes);
        else
            m_file.dropPages(place.offset, place.bytes);
        forget(place);
    }

  private:
    void requireReadable(const TensorInfo& tensor, const Location& location) const {
        if (location.inPlace(sizeOf(tensor.dtype)) || location.place->bytes <= kUnpackedStorageLimit) return;
        fail(messageName(m_file.name()) + ": tensor " + quotedName(tensor.name),
             fmt::format("its storage is {} and has {} bytes",
                         location.place->packed ? "compressed" : "not in the tensor's order",
                         location.place->bytes),
             fmt::format("at most {} are unpacked", kUnpackedStorageLimit), "save it as safetensors");
    }

    /// The whole storage. It is kept until another is wanted, since a tensor is read in many pieces.
    std::shared_ptr<const std::string> inMemory(const StoragePlace& place) const {
        const std::scoped_lock lock(m_mutex);
        if (m_held != nullptr && m_heldPlace == &place) return m_held;
        m_held.reset();
        m_file.requireUnchanged();
        std::string bytes;
        if (place.packed) {
            bytes = readZipEntry(m_file.input(), *place.packed, kUnpackedStorageLimit);
        } else {
            bytes.resize(place.bytes);
            m_file.readAt(place.offset, std::as_writable_bytes(std::span(bytes)));
        }
        m_held = std::make_shared<const std::string>(std::move(bytes));
        m_heldPlace = &place;
        return m_held;
    }

    void forget(const StoragePlace& place) const {
        const std::scoped_lock lock(m_mutex);
        if (m_heldPlace == &place) m_held.reset();
    }

    WeightsFile m_file;
    PytorchContents m_contents; ///< afterwards only the places
    TensorTable m_table;
    std::vector<Location> m_locations; ///< one per tensor
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const std::string> m_held;
    mutable const StoragePlace* m_heldPlace = nullptr;
};

} // namespace

PytorchFile openPytorch(const std::filesystem::path& path, PytorchLayout layout) {
    PytorchFile file;
    file.tensors = std::make_shared<PytorchSource>(path, layout, file.notes);
    return file;
}

} // namespace headscope
