// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/pytorch/pickle_machine.h"
#include "core/checkpoint/pytorch/storage_places.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace headscope {

namespace {

/// PROTO 2, LONG1 of the ten bytes of 0x1950a86a20f9469cfc6c, STOP: the first pickle of every such file.
constexpr std::string_view kMagic{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15};
constexpr std::int64_t kProtocol = 1001;

/// The pickles one after the other; each says by its STOP where the next begins.
class LegacyReader {
  public:
    explicit LegacyReader(const InputFile& file)
        : m_file(file), m_subject(messageName(file.path())),
          m_pickles(std::min<std::uint64_t>(file.size(), kPickleBytesLimit), '\0') {
        file.readAt(0, std::as_writable_bytes(std::span(m_pickles)));
    }

    PytorchContents read(PytorchLayout layout) {
        m_at = kMagic.size();
        requireProtocol(next());
        requireSystem(next());
        PytorchContents contents;
        contents.dict = readStateDict(next(), m_subject, layout);
        const PickleTree keys = next();
        const PickleValue& list = keys.at(keys.root);
        if (list.kind != PickleKind::List)
            fail(m_subject, fmt::format("the list of storages is {}", nameOf(list.kind)), "expected a list",
                 kDamagedHint);
        for (const PickleIndex index : list.children) {
            const PickleValue& key = keys.at(index);
            if (key.kind != PickleKind::String)
                fail(m_subject, fmt::format("the key of a storage is {}", nameOf(key.kind)),
                     "expected a string", kDamagedHint);
            addStorage(contents, std::string(key.text));
        }
        for (const StridedView& view : contents.dict.views)
            if (!contents.places.contains(view.storage))
                fail(m_subject, fmt::format("the storage {} is not in the file", quotedName(view.storage)),
                     {}, kDamagedHint);
        return contents;
    }

  private:
    PickleTree next() {
        PickleTree tree = readPickle(std::string_view(m_pickles).substr(m_at), m_subject, m_at);
        m_at += tree.bytes;
        return tree;
    }

    void requireProtocol(const PickleTree& tree) const {
        const PickleValue& value = tree.at(tree.root);
        if (value.kind != PickleKind::Integer || value.integer != kProtocol)
            fail(m_subject, "the version of the file format is unknown",
                 fmt::format("expected {}", kProtocol), kDamagedHint);
    }

    void requireSystem(const PickleTree& tree) const {
        const PickleValue& facts = tree.at(tree.root);
        for (std::size_t i = 0; facts.kind == PickleKind::Dict && i < facts.children.size(); i += 2) {
            const PickleValue& key = tree.at(facts.children[i]);
            const PickleValue& value = tree.at(facts.children[i + 1]);
            if (key.kind != PickleKind::String || key.text != "little_endian") continue;
            if (value.kind == PickleKind::Bool && value.integer == 1) return;
            fail(m_subject, "its byte order is \"big\"", "expected \"little\"",
                 "save it again on a machine of today");
        }
        fail(m_subject, "the file does not say its byte order", {}, kDamagedHint);
    }

    /// The storage that stands next: its number of elements, then its bytes.
    void addStorage(PytorchContents& contents, const std::string& key) {
        const auto known = contents.dict.storages.find(key);
        if (known == contents.dict.storages.end())
            fail(m_subject, fmt::format("the storage {} is listed but not described", quotedName(key)), {},
                 kDamagedHint);
        const StorageInfo& storage = known->second;
        const auto bytes = static_cast<std::uint64_t>(storage.elements * sizeOf(storage.dtype));
        std::int64_t elements = 0;
        if (m_file.size() - m_at < sizeof(elements) || m_file.size() - m_at - sizeof(elements) < bytes)
            fail(m_subject, fmt::format("the file ends inside the storage {}", quotedName(key)),
                 fmt::format("expected {} bytes of it", bytes), kIncompleteHint);
        m_file.readAt(m_at, std::as_writable_bytes(std::span(&elements, 1)));
        if (elements != storage.elements)
            fail(m_subject, fmt::format("the storage {} has {} elements", quotedName(key), elements),
                 fmt::format("expected {}", storage.elements), kDamagedHint);
        m_at += sizeof(elements);
        if (!contents.places.try_emplace(key, StoragePlace{.bytes = bytes, .offset = m_at, .packed = {}})
                 .second)
            fail(m_subject, fmt::format("the storage {} is listed twice", quotedName(key)), {}, kDamagedHint);
        m_at += bytes;
    }

    const InputFile& m_file;
    std::string m_subject;
    std::string m_pickles; ///< as much of the file's start as the pickles may take
    std::uint64_t m_at = 0;
};

} // namespace

bool isLegacyPytorch(std::string_view head) {
    return head.starts_with(kMagic);
}

PytorchContents readLegacyPytorch(const InputFile& file, PytorchLayout layout) {
    return LegacyReader(file).read(layout);
}

} // namespace headscope
