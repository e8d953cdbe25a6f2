// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/npz_source.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/numpy_header.h"
#include "core/checkpoint/pytorch/strided_runs.h"
#include "core/checkpoint/pytorch/zip_directory.h"
#include "core/checkpoint/tensor_table.h"
#include "core/checkpoint/weights_file.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <set>

namespace headscope {

namespace {

constexpr std::size_t kMostEntries = 10'000;
constexpr std::uint64_t kTextBytes = 64'000'000;
constexpr std::int64_t kMostTexts = 1'000'000;

void requireNpz(const InputFile& file) {
    const std::string subject = messageName(file.path());
    std::string head(std::min<std::uint64_t>(file.size(), 512), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(head)));
    if (head.starts_with("PK")) return;
    if (head.empty()) fail(subject, "the file is empty", "expected an .npz archive", kIncompleteHint);
    if (isNumpy(head))
        fail(subject, "the file is a single array (.npy)", "expected an .npz archive",
             "give it the ending .npy");
    if (const auto foreign = recogniseForeign(head, file.size(), "an .npz archive"))
        fail(subject, foreign->found, {}, foreign->hint);
    if (looksLikeSafetensors(head))
        fail(subject, "the file is in the safetensors format", "expected an .npz archive",
             "give it the ending .safetensors");
    fail(subject, "the file is of an unknown form", "expected an .npz archive", kDamagedHint);
}

/// An array and the entry that holds it.
struct NpzArray {
    ZipEntry entry;
    std::uint64_t offset = 0; ///< of the entry's bytes in the file, unless deflated
    NumpyHeader header;

    bool inPlace() const { return !entry.deflated && !header.fortranOrder; }
};

std::string subjectOf(const InputFile& file, std::string_view array) {
    return fmt::format("{}: array {}", messageName(file.path()), quotedName(array));
}

bool isOfTorchSave(const ZipDirectory& directory) {
    return std::any_of(directory.entries().begin(), directory.entries().end(),
                       [](const ZipEntry& entry) { return entry.name.ends_with("/data.pkl"); });
}

/// By name, without ".npy".
std::vector<std::pair<std::string, NpzArray>> readArrays(const InputFile& file) {
    requireNpz(file);
    const ZipDirectory directory(file);
    const std::string subject = messageName(file.path());
    if (directory.entries().size() > kMostEntries)
        fail(subject, fmt::format("it holds {} entries", directory.entries().size()),
             fmt::format("at most {} are read", kMostEntries));
    std::vector<std::pair<std::string, NpzArray>> arrays;
    std::set<std::string> names;
    readZipHeads(
        file, directory.entries(), kNumpyHeaderLimit, [&](const ZipEntry& entry, std::string_view head) {
            if (!isNumpy(head)) return;
            std::string name = entry.name;
            if (constexpr std::string_view kEnding = ".npy"; name.ends_with(kEnding))
                name.resize(name.size() - kEnding.size());
            if (!names.insert(name).second)
                fail(subject, fmt::format("the name {} stands twice", quotedName(name)), {}, kDamagedHint);
            NpzArray array{.entry = entry,
                           .offset = zipDataOffset(file, entry),
                           .header = readNumpyHeader(head, entry.bytes, subjectOf(file, name), kDamagedHint)};
            if (!array.inPlace() && entry.bytes > kUnpackedArrayLimit)
                fail(subjectOf(file, name),
                     fmt::format("it is {} and has {} bytes",
                                 entry.deflated ? "compressed" : "in Fortran order", entry.bytes),
                     fmt::format("at most {} are unpacked", kUnpackedArrayLimit),
                     "save it with np.savez, in C order");
            arrays.emplace_back(std::move(name), std::move(array));
        });
    if (arrays.empty() && isOfTorchSave(directory))
        fail(subject, "the file is one of torch.save", "expected an .npz archive", "give it the ending .pt");
    return arrays;
}

class NpzSource final : public TensorSource {
  public:
    explicit NpzSource(const std::filesystem::path& path) : m_file(path), m_table(readTable()) {}

    const std::vector<TensorInfo>& tensors() const override { return m_table.tensors(); }
    const TensorInfo* find(std::string_view name) const override { return m_table.find(name); }
    std::string fileName(const TensorInfo&) const override { return m_file.name(); }

    void readRaw(const TensorInfo& tensor, std::int64_t first, std::int64_t count,
                 std::span<std::byte> out) const override {
        checkRead(tensor, first, count, out);
        const std::int64_t size = sizeOf(tensor.dtype);
        const NpzArray& array = m_arrays[m_table.indexOf(tensor)];
        const std::uint64_t data = array.header.dataOffset;
        if (array.inPlace()) {
            m_file.readAt(array.offset + data + static_cast<std::uint64_t>(first * size), out);
            return;
        }
        if (count == 0) return;
        const std::shared_ptr<const std::string> bytes = inMemory(array);
        storageOrder(array.header).gather(first, count, size, bytes->data() + data, out.data());
        // Whoever read the end is done with the array, as a rule.
        if (first + count == tensor.elements) forget(array);
    }

    void dropPages(const TensorInfo& tensor) const override {
        const NpzArray& array = m_arrays[m_table.indexOf(tensor)];
        m_file.dropPages(array.offset, array.entry.packedBytes);
        forget(array);
    }

    std::map<std::string, NpzTexts> takeTexts() { return std::move(m_texts); }

  private:
    std::vector<TensorInfo> readTable() {
        std::vector<TensorInfo> tensors;
        std::uint64_t textBytes = 0;
        for (auto& [name, array] : readArrays(m_file.input())) {
            if (array.header.text) {
                textBytes += array.entry.bytes;
                m_texts.emplace(name, readTexts(name, array, textBytes));
                continue;
            }
            tensors.push_back({.name = name,
                               .dtype = *array.header.dtype,
                               .shape = array.header.shape,
                               .elements = array.header.elements,
                               .offset = array.offset + array.header.dataOffset});
            m_arrays.push_back(std::move(array));
        }
        return tensors;
    }

    NpzTexts readTexts(const std::string& name, const NpzArray& array, std::uint64_t bytesSoFar) const;

    /// The whole entry. It is kept until another is wanted, since an array is read in many pieces.
    std::shared_ptr<const std::string> inMemory(const NpzArray& array) const {
        const std::scoped_lock lock(m_mutex);
        if (m_held != nullptr && m_heldArray == &array) return m_held;
        m_held.reset();
        m_file.requireUnchanged();
        m_held = std::make_shared<const std::string>(
            readZipEntry(m_file.input(), array.entry, kUnpackedArrayLimit));
        m_heldArray = &array;
        return m_held;
    }

    void forget(const NpzArray& array) const {
        const std::scoped_lock lock(m_mutex);
        if (m_heldArray == &array) m_held.reset();
    }

    WeightsFile m_file;
    std::map<std::string, NpzTexts> m_texts;
    std::vector<NpzArray> m_arrays; ///< one per tensor
    TensorTable m_table;            ///< after what readTable() fills
    mutable std::mutex m_mutex;
    mutable std::shared_ptr<const std::string> m_held;
    mutable const NpzArray* m_heldArray = nullptr;
};

/// One element of '<U', padded with zeros.
std::string textOfCodePoints(std::string_view bytes, const std::string& subject) {
    std::u32string text(bytes.size() / sizeof(char32_t), U'\0');
    if (!bytes.empty()) std::memcpy(text.data(), bytes.data(), bytes.size());
    text.resize(text.find_last_not_of(U'\0') + 1);
    for (const char32_t point : text)
        if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
            fail(subject, fmt::format("a text holds the number {:#x}, which is no character",
                                      static_cast<std::uint32_t>(point)));
    return toUtf8(text);
}

NpzTexts NpzSource::readTexts(const std::string& name, const NpzArray& array,
                              std::uint64_t bytesSoFar) const {
    const std::string subject = subjectOf(m_file.input(), name);
    const NumpyHeader& header = array.header;
    if (header.elements > kMostTexts)
        fail(subject, fmt::format("it holds {} texts", header.elements),
             fmt::format("at most {} are read", kMostTexts));
    if (bytesSoFar > kTextBytes)
        fail(subject, fmt::format("with it the texts of the file take {} bytes", bytesSoFar),
             fmt::format("at most {} are read", kTextBytes));
    const std::string bytes = readZipEntry(m_file.input(), array.entry, kTextBytes);
    NpzTexts texts{.shape = header.shape, .texts = {}};
    const auto width = static_cast<std::size_t>(header.elementBytes);
    storageOrder(header).forEach(0, header.elements, [&](std::int64_t element, std::int64_t elements) {
        for (std::int64_t i = element; i < element + elements; ++i) {
            const std::string_view one = std::string_view(bytes).substr(
                header.dataOffset + static_cast<std::size_t>(i) * width, width);
            if (header.text == NumpyHeader::Text::Unicode) {
                texts.texts.push_back(textOfCodePoints(one, subject));
            } else {
                texts.texts.emplace_back(one.substr(0, one.find_last_not_of('\0') + 1));
                requireUtf8(texts.texts.back(), subject);
            }
        }
    });
    return texts;
}

} // namespace

NpzContents openNpz(const std::filesystem::path& path) {
    const auto source = std::make_shared<NpzSource>(path);
    NpzContents contents;
    contents.texts = source->takeTexts();
    contents.numbers = source;
    return contents;
}

} // namespace headscope
