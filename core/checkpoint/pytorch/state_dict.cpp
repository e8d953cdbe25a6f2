// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/state_dict.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <fmt/format.h>
#include <unordered_set>

namespace headscope {

namespace {

// Limits far beyond any model, so that a small file that names one tensor a million times stays small here.
constexpr std::size_t kDimensionLimit = 16;
constexpr std::size_t kTensorLimit = 500'000;
/// Containers in each other; one that holds itself ends here.
constexpr std::size_t kNestingLimit = 8;
constexpr std::size_t kNameBytesLimit = std::size_t{64} << 20U; ///< of all names together
/// Leaves room for sums of places in 64 bits.
constexpr std::int64_t kStorageBytesLimit = std::int64_t{1} << 60U;

class StateDictReader {
  public:
    StateDictReader(const PickleTree& tree, const std::string& subject) : m_tree(tree), m_subject(subject) {}

    StateDict read(PytorchLayout layout) {
        readStorages();
        if (layout == PytorchLayout::Nested)
            readNested();
        else
            readNamed(findTensors());
        if (m_dict.tensors.empty())
            fail(m_subject, "the file holds no tensors",
                 layout == PytorchLayout::Nested ? "expected a tensor, or lists or dictionaries of tensors"
                                                 : "expected a dictionary of tensors");
        if (m_others == 1)
            m_dict.notes.push_back(fmt::format("{}: {} is no tensor and not read", m_subject, m_firstOther));
        if (m_others > 1)
            m_dict.notes.push_back(fmt::format("{}: {} entries are no tensors and not read, the first is {}",
                                               m_subject, m_others, m_firstOther));
        return std::move(m_dict);
    }

  private:
    static bool isCall(const PickleValue& value, PickleGlobal global) {
        return value.kind == PickleKind::Call && value.global->global == global;
    }

    /// The arguments of a call, of which there must be at least `count`.
    const std::vector<PickleIndex>& argumentsOf(const PickleValue& call, std::size_t count,
                                                const std::string& subject) const {
        const std::vector<PickleIndex>& arguments = m_tree.at(call.children[0]).children;
        if (arguments.size() < count)
            fail(subject,
                 fmt::format("{}.{} is called with {} values", call.global->module, call.global->name,
                             arguments.size()),
                 fmt::format("expected at least {}", count), kDamagedHint);
        return arguments;
    }

    /// The description of the tensor that a value is, without the parameter around it; nullptr for others.
    const PickleValue* tensorIn(const PickleValue& value) const {
        const PickleValue* inner = &value;
        // A call's arguments are older than the call, so this ends.
        while (isCall(*inner, PickleGlobal::RebuildParameter))
            inner = &m_tree.at(argumentsOf(*inner, 1, m_subject)[0]);
        return isCall(*inner, PickleGlobal::RebuildTensor) ? inner : nullptr;
    }

    void readNamed(const PickleValue& dict) {
        for (std::size_t i = 0; i < dict.children.size(); i += 2)
            addEntry(std::string(nameIn(dict, i)), m_tree.at(dict.children[i + 1]));
    }

    /// Depth first, so that the order is that of the file.
    void readNested() {
        struct Place {
            std::string name;
            std::size_t depth;
            PickleIndex value;
        };
        std::vector<Place> open{{"", 0, m_tree.root}};
        std::size_t visited = 0;
        std::size_t nameBytes = 0;
        while (!open.empty()) {
            // A list may stand in many others: what is small in the file need not be small here.
            if (++visited > kTensorLimit) refuseCount();
            const Place place = std::move(open.back());
            open.pop_back();
            const PickleValue& value = m_tree.at(place.value);
            const bool isDict = value.kind == PickleKind::Dict;
            if (!isDict && value.kind != PickleKind::List && value.kind != PickleKind::Tuple) {
                addEntry(place.name.empty() ? "tensor" : place.name, value);
                continue;
            }
            if (place.depth == kNestingLimit)
                fail(m_subject, fmt::format("lists stand in each other more than {} deep", kNestingLimit),
                     "expected tensors, or lists or dictionaries of them");
            const std::string before = place.name.empty() ? "" : place.name + ".";
            const std::size_t step = isDict ? 2 : 1;
            for (std::size_t i = value.children.size(); i >= step; i -= step) {
                std::string name = before;
                name += isDict ? keyIn(value, i - 2) : fmt::format("{}", i - 1);
                nameBytes += name.size();
                if (open.size() == kTensorLimit || nameBytes > kNameBytesLimit) refuseCount();
                open.push_back({std::move(name), place.depth + 1, value.children[i - 1]});
            }
        }
    }

    /// Of a nested dictionary: the layers of a model may stand there by their numbers.
    std::string keyIn(const PickleValue& dict, std::size_t place) const {
        const PickleValue& key = m_tree.at(dict.children[place]);
        if (key.kind == PickleKind::Integer) return fmt::format("{}", key.integer);
        if (key.kind != PickleKind::String)
            fail(m_subject, fmt::format("a name is {}", nameOf(key.kind)),
                 "expected a string or a whole number");
        return std::string(key.text);
    }

    std::string_view nameIn(const PickleValue& dict, std::size_t place) const {
        const PickleValue& key = m_tree.at(dict.children[place]);
        if (key.kind != PickleKind::String)
            fail(m_subject, fmt::format("a name is {}", nameOf(key.kind)), "expected a string");
        return key.text;
    }

    void addEntry(std::string name, const PickleValue& value) {
        if (!m_names.insert(name).second)
            fail(m_subject, fmt::format("the name {} stands twice", quotedName(name)));
        if (const PickleValue* tensor = tensorIn(value))
            addTensor(std::move(name), *tensor);
        else if (m_others++ == 0)
            m_firstOther = quotedName(name);
    }

    /// The dictionary of the model's tensors inside what was saved.
    const PickleValue& findTensors() {
        const PickleValue& root = m_tree.at(m_tree.root);
        if (root.kind != PickleKind::Dict)
            fail(m_subject, fmt::format("the file holds {}", nameOf(root.kind)),
                 "expected a dictionary of tensors");
        for (const std::string_view wrapper : {"state_dict", "model"})
            for (std::size_t i = 0; i < root.children.size(); i += 2) {
                const PickleValue& key = m_tree.at(root.children[i]);
                const PickleValue& value = m_tree.at(root.children[i + 1]);
                if (key.kind != PickleKind::String || key.text != wrapper || value.kind != PickleKind::Dict)
                    continue;
                if (root.children.size() > 2)
                    m_dict.notes.push_back(
                        fmt::format("{}: this is a training checkpoint, of which only {} is read", m_subject,
                                    quotedName(wrapper)));
                return value;
            }
        return root;
    }

    // --- Storages.

    void readStorages() {
        for (const PickleValue& value : m_tree.values) {
            if (value.kind != PickleKind::Storage) continue;
            StorageInfo info = readStorage(m_tree.at(value.children[0]));
            const auto [known, isNew] = m_dict.storages.try_emplace(info.key, info);
            if (!isNew && (known->second.dtype != info.dtype || known->second.elements != info.elements))
                fail(m_subject, fmt::format("the storage {} is described in two ways", quotedName(info.key)),
                     {}, kDamagedHint);
        }
    }

    /// ("storage", type, key, device, number of elements); files before PyTorch 1.6 add a view, long unused.
    StorageInfo readStorage(const PickleValue& id) const {
        const auto refuse = [&](const std::string& found) { fail(m_subject, found, {}, kDamagedHint); };
        if (id.kind != PickleKind::Tuple || id.children.size() < 5 || id.children.size() > 6)
            refuse("a storage is not described by its type, key, device and size");
        const auto part = [&](std::size_t i) -> const PickleValue& { return m_tree.at(id.children[i]); };
        if (part(0).kind != PickleKind::String || part(0).text != "storage")
            refuse("a persistent id does not name a storage");
        if (part(1).kind != PickleKind::Global || part(1).global->global != PickleGlobal::StorageType)
            refuse("a storage has no type");
        if (part(2).kind != PickleKind::String)
            refuse("the key of a storage is " + std::string(nameOf(part(2).kind)));
        if (part(4).kind != PickleKind::Integer || part(4).integer < 0)
            refuse(fmt::format("the size of the storage {} is no whole number from 0",
                               quotedName(part(2).text)));
        if (id.children.size() == 6 && part(5).kind != PickleKind::None)
            refuse(fmt::format("the storage {} is a view of another", quotedName(part(2).text)));
        StorageInfo info{std::string(part(2).text), part(1).global->dtype, part(4).integer};
        if (info.elements > kStorageBytesLimit / sizeOf(info.dtype))
            refuse(fmt::format("the storage {} has more than 2^60 bytes", quotedName(info.key)));
        return info;
    }

    // --- Tensors.

    [[noreturn]] void refuseCount() const {
        fail(m_subject, fmt::format("the file names more than {} tensors", kTensorLimit), {},
             "save it as safetensors");
    }

    /// Entries of a size or of strides: none negative.
    std::vector<std::int64_t> readCounts(PickleIndex index, const char* what,
                                         const std::string& subject) const {
        const PickleValue* value = &m_tree.at(index);
        if (isCall(*value, PickleGlobal::Size)) value = &m_tree.at(argumentsOf(*value, 1, subject)[0]);
        if (value->kind != PickleKind::Tuple)
            fail(subject, fmt::format("{} stands for its {}", nameOf(value->kind), what), "expected a tuple",
                 kDamagedHint);
        if (value->children.size() > kDimensionLimit)
            fail(subject, fmt::format("{} entries stand in its {}", value->children.size(), what),
                 fmt::format("at most {} are read", kDimensionLimit), kDamagedHint);
        std::vector<std::int64_t> counts;
        for (const PickleIndex child : value->children) {
            const PickleValue& entry = m_tree.at(child);
            if (entry.kind != PickleKind::Integer || entry.integer < 0)
                fail(subject,
                     fmt::format("{} stands in its {}",
                                 entry.kind == PickleKind::Integer ? fmt::format("{}", entry.integer)
                                                                   : nameOf(entry.kind),
                                 what),
                     "expected whole numbers from 0 to 2^63 - 1", kDamagedHint);
            counts.push_back(entry.integer);
        }
        return counts;
    }

    void addTensor(std::string name, const PickleValue& call) {
        if (m_dict.tensors.size() == kTensorLimit) refuseCount();
        const std::string subject = m_subject + ": tensor " + quotedName(name);
        const std::vector<PickleIndex>& arguments = argumentsOf(call, 4, subject);
        const PickleValue& storageId = m_tree.at(arguments[0]);
        if (storageId.kind != PickleKind::Storage)
            fail(subject, fmt::format("its storage is {}", nameOf(storageId.kind)), "expected a storage",
                 kDamagedHint);
        const StorageInfo storage = readStorage(m_tree.at(storageId.children[0]));
        const PickleValue& offset = m_tree.at(arguments[1]);
        if (offset.kind != PickleKind::Integer || offset.integer < 0)
            fail(subject,
                 offset.kind == PickleKind::Integer ? fmt::format("its offset is {}", offset.integer)
                                                    : fmt::format("its offset is {}", nameOf(offset.kind)),
                 "expected a whole number from 0", kDamagedHint);
        StridedView view;
        view.storage = storage.key;
        view.offset = offset.integer;
        view.shape = readCounts(arguments[2], "size", subject);
        view.strides = readCounts(arguments[3], "strides", subject);
        if (view.strides.size() != view.shape.size())
            fail(subject,
                 fmt::format("it has {} dimensions and {} strides", view.shape.size(), view.strides.size()),
                 {}, kDamagedHint);
        TensorInfo info;
        info.name = std::move(name);
        info.dtype = storage.dtype;
        info.shape = view.shape;
        info.elements = checkExtent(view, storage, subject);
        m_dict.tensors.push_back(std::move(info));
        m_dict.views.push_back(std::move(view));
    }

    /// Every element must lie inside the storage. Returns the number of elements.
    static std::int64_t checkExtent(const StridedView& view, const StorageInfo& storage,
                                    const std::string& subject) {
        std::int64_t elements = 1;
        std::int64_t bytes = 0;
        std::int64_t last = view.offset;
        bool overflow = false;
        for (std::size_t i = 0; i < view.shape.size(); ++i) {
            overflow |= __builtin_mul_overflow(elements, view.shape[i], &elements);
            std::int64_t step = 0;
            overflow |=
                view.shape[i] > 0 && __builtin_mul_overflow(view.shape[i] - 1, view.strides[i], &step);
            overflow |= __builtin_add_overflow(last, step, &last);
        }
        overflow |= __builtin_mul_overflow(elements, sizeOf(storage.dtype), &bytes);
        if (overflow)
            fail(subject,
                 fmt::format("size {} with strides {} reaches beyond 2^63 bytes", shapeText(view.shape),
                             shapeText(view.strides)),
                 {}, kDamagedHint);
        if (elements == 0 ? view.offset > storage.elements : last >= storage.elements)
            fail(subject,
                 fmt::format("size {} with strides {} from {} reaches beyond its storage",
                             shapeText(view.shape), shapeText(view.strides), view.offset),
                 fmt::format("which has {} elements", storage.elements), kDamagedHint);
        return elements;
    }

    const PickleTree& m_tree;
    const std::string& m_subject;
    StateDict m_dict;
    std::unordered_set<std::string> m_names;
    std::string m_firstOther;
    std::size_t m_others = 0; ///< values that are no tensors
};

} // namespace

StateDict readStateDict(const PickleTree& tree, const std::string& subject, PytorchLayout layout) {
    return StateDictReader(tree, subject).read(layout);
}

} // namespace headscope
