// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/pytorch/pickle_machine.h"
#include "core/checkpoint/pytorch/storage_places.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::string_view kPickleName = "/data.pkl";

/// The one folder at the root that holds data.pkl, "archive/" with its slash.
std::string findRoot(const ZipDirectory& directory, const std::string& subject) {
    std::string root;
    for (const ZipEntry& entry : directory.entries()) {
        if (!entry.name.ends_with(kPickleName)) continue;
        const std::string folder = entry.name.substr(0, entry.name.size() - kPickleName.size());
        if (folder.empty() || folder.find('/') != std::string::npos) continue;
        if (!root.empty())
            fail(subject, "the zip archive holds two files data.pkl", "expected one", kDamagedHint);
        root = folder + "/";
    }
    if (!root.empty()) return root;
    if (std::any_of(directory.entries().begin(), directory.entries().end(),
                    [](const ZipEntry& entry) { return entry.name.ends_with(".npy"); }))
        fail(subject, "the file is an .npz archive of numpy", "expected a file written by torch.save",
             "give it the ending .npz");
    fail(subject, "the zip archive holds no data.pkl", "expected a file written by torch.save");
}

void refuseTorchScript(const ZipDirectory& directory, const std::string& root, const std::string& subject) {
    const bool isProgram =
        directory.find(root + "constants.pkl") != nullptr ||
        std::any_of(directory.entries().begin(), directory.entries().end(),
                    [&](const ZipEntry& entry) { return entry.name.starts_with(root + "code/"); });
    if (isProgram)
        fail(subject, "the file is a TorchScript program, which would have to be run",
             "expected plain tensors", "save its tensors instead, of a model the state_dict");
}

void requireLittleEndian(const InputFile& file, const ZipDirectory& directory, const std::string& root) {
    const ZipEntry* entry = directory.find(root + "byteorder");
    if (entry == nullptr) return;
    const std::string order = readZipEntry(file, *entry, 64);
    if (order != "little")
        fail(messageName(file.path()), fmt::format("its byte order is {}", quotedName(order)),
             "expected \"little\"", "save it again on a machine of today");
}

} // namespace

PytorchContents readPytorchArchive(const InputFile& file, PytorchLayout layout) {
    const std::string subject = messageName(file.path());
    const ZipDirectory directory(file);
    const std::string root = findRoot(directory, subject);
    refuseTorchScript(directory, root, subject);
    requireLittleEndian(file, directory, root);

    const std::string pickle = readZipEntry(file, *directory.find(root + "data.pkl"), kPickleBytesLimit);
    PytorchContents contents;
    contents.dict = readStateDict(readPickle(pickle, subject + ": data.pkl"), subject, layout);
    for (const StridedView& view : contents.dict.views) {
        const auto [place, isNew] = contents.places.try_emplace(view.storage);
        if (!isNew) continue;
        const StorageInfo& storage = contents.dict.storages.at(view.storage);
        const ZipEntry* entry = directory.find(root + "data/" + view.storage);
        if (entry == nullptr)
            fail(subject, fmt::format("the storage {} is not in the zip archive", quotedName(view.storage)),
                 {}, kDamagedHint);
        if (entry->bytes != static_cast<std::uint64_t>(storage.elements * sizeOf(storage.dtype)))
            fail(subject, fmt::format("the storage {} has {} bytes", quotedName(view.storage), entry->bytes),
                 fmt::format("expected {} for {} elements of {}", storage.elements * sizeOf(storage.dtype),
                             storage.elements, nameOf(storage.dtype)),
                 kDamagedHint);
        place->second.bytes = entry->bytes;
        place->second.offset = zipDataOffset(file, *entry);
        if (entry->deflated) place->second.packed = *entry;
    }
    return contents;
}

} // namespace headscope
