// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/adapter/apply_adapter.h"

#include "core/base/error.h"
#include "core/checkpoint/adapter/adapted_source.h"
#include "core/checkpoint/adapter/adapter_config.h"
#include "core/checkpoint/folder_contents.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/pytorch/pytorch_file.h"
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kConfigLimit = std::uint64_t{1} << 24U;
constexpr const char* kConfigName = "adapter_config.json";

Json readConfig(const fs::path& folder) {
    const std::string text = readWholeFile(folder / kConfigName, kConfigLimit);
    if (const auto foreign = recogniseForeign(std::string_view(text).substr(0, 512), text.size(), "JSON"))
        fail(kConfigName, foreign->found, {}, foreign->hint);
    Json json =
        parseJson(text, kConfigName, {.allowNonFinite = true, .allowByteOrderMark = true, .maxDepth = 512});
    if (!json.isObject())
        fail(kConfigName, fmt::format("this is {}", json.typeName()), "expected a JSON object");
    return json;
}

/// The files of an adapter, opened.
struct Adapter {
    AdapterConfig config;
    std::string file;
    std::shared_ptr<const TensorSource> tensors;
};

Adapter openAdapter(const fs::path& folder, std::vector<std::string>& notes) {
    const std::string subject = escapeForMessage(folder.string());
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        fail(subject, fs::exists(folder, ignored) ? "this is no folder" : "there is no such folder",
             "expected the folder of a LoRA adapter");
    const FolderContents contents = listFolder(folder);
    if (!contents.has(kConfigName))
        fail(subject, "the folder has no adapter_config.json", "expected the folder of a LoRA adapter");
    Adapter adapter{AdapterConfig(readConfig(folder)), "adapter_model.safetensors", nullptr};
    if (contents.has(adapter.file)) {
        adapter.tensors = openSafetensors(folder / adapter.file);
        return adapter;
    }
    adapter.file = "adapter_model.bin";
    if (!contents.has(adapter.file))
        fail(subject, "the adapter has no weights",
             "expected adapter_model.safetensors or adapter_model.bin");
    PytorchFile file = openPytorch(folder / adapter.file);
    for (std::string& note : file.notes) notes.push_back(std::move(note));
    adapter.tensors = std::move(file.tensors);
    return adapter;
}

/// What the adapter has for one module of the model.
struct Halves {
    const TensorInfo* a = nullptr;
    const TensorInfo* b = nullptr;
};

/// The module that a name ending in `.KEY.weight` is of; old files have the adapter's own name in between.
std::optional<std::string> moduleOf(std::string_view name, std::string_view key) {
    for (const char* ending : {".weight", ".default.weight"}) {
        const std::string whole = fmt::format(".{}{}", key, ending);
        if (name.size() > whole.size() && name.ends_with(whole))
            return std::string(name.substr(0, name.size() - whole.size()));
    }
    return std::nullopt;
}

std::map<std::string, Halves> halvesOf(const Adapter& adapter) {
    std::map<std::string, Halves> modules;
    for (const TensorInfo& tensor : adapter.tensors->tensors()) {
        const auto a = moduleOf(tensor.name, "lora_A");
        const auto b = moduleOf(tensor.name, "lora_B");
        if (!a && !b)
            fail(messageName(adapter.file) + ": tensor " + quotedName(tensor.name),
                 "it is no half of a LoRA product",
                 "expected names that end in lora_A.weight and lora_B.weight",
                 "merge the adapter into its base model first");
        const TensorInfo*& half = a ? modules[*a].a : modules[*b].b;
        if (half != nullptr)
            fail(messageName(adapter.file),
                 fmt::format("the tensor {} is there under two names", quotedName(tensor.name)));
        half = &tensor;
    }
    return modules;
}

/// Finds the model's matrix of a module, whichever class the adapter was made with: that may have had one
/// member more around the model, or one less.
class MatrixFinder {
  public:
    explicit MatrixFinder(const TensorSource& weights) : m_weights(weights) {}

    const TensorInfo* find(std::string_view module) const {
        for (const std::string_view start : {"base_model.model.", "base_model."})
            if (module.starts_with(start)) {
                module.remove_prefix(start.size());
                break;
            }
        const std::string name = fmt::format("{}.weight", module);
        if (const TensorInfo* whole = m_weights.find(name)) return whole;
        const std::size_t part = name.find('.');
        if (const TensorInfo* inner = m_weights.find(std::string_view(name).substr(part + 1))) return inner;
        const std::string ending = fmt::format(".{}", name);
        const TensorInfo* only = nullptr;
        for (const TensorInfo& tensor : m_weights.tensors()) {
            if (!tensor.name.ends_with(ending)) continue;
            if (only != nullptr) return nullptr;
            only = &tensor;
        }
        return only;
    }

  private:
    const TensorSource& m_weights;
};

void requireShapes(const Adapter& adapter, const std::string& module, const Halves& halves) {
    const std::string subject = messageName(adapter.file) + ": module " + quotedName(module);
    if (halves.a == nullptr || halves.b == nullptr)
        fail(subject, halves.a == nullptr ? "lora_A is missing" : "lora_B is missing", "expected both halves",
             "save the adapter again, whole, with PEFT's save_pretrained");
    const std::int64_t rank = adapter.config.rankOf(module);
    const auto& a = halves.a->shape;
    const auto& b = halves.b->shape;
    if (a.size() != 2 || b.size() != 2 || a[0] != rank || b[1] != rank)
        fail(subject, fmt::format("lora_A has shape {} and lora_B {}", shapeText(a), shapeText(b)),
             fmt::format("expected [{}, in] and [out, {}] from adapter_config.json", rank, rank));
}

AdaptedTensor adaptedTensor(const Adapter& adapter, const std::string& module, const Halves& halves,
                            const Checkpoint& checkpoint) {
    requireShapes(adapter, module, halves);
    const std::string subject = messageName(adapter.file) + ": module " + quotedName(module);
    const TensorInfo* matrix = MatrixFinder(*checkpoint.weights).find(module);
    if (matrix == nullptr)
        fail(subject, "the model has no such matrix", "expected one for each module of the adapter",
             adapter.config.baseModel().empty()
                 ? std::string("the adapter belongs to another model")
                 : fmt::format("its base model is {}", quotedName(adapter.config.baseModel())));
    const bool transposed = adapter.config.fanInFanOut() && !checkpoint.linearsAreOutIn;
    std::vector<std::int64_t> expected{halves.b->shape[0], halves.a->shape[1]};
    if (transposed) std::swap(expected[0], expected[1]);
    if (matrix->shape != expected)
        fail(subject, fmt::format("its product has shape {}", shapeText(expected)),
             fmt::format("expected {}, that of {}", shapeText(matrix->shape), quotedName(matrix->name)),
             adapter.config.baseModel().empty()
                 ? std::string("the adapter belongs to another model")
                 : fmt::format("its base model is {}", quotedName(adapter.config.baseModel())));
    return {.name = matrix->name,
            .a = halves.a->name,
            .b = halves.b->name,
            .scale = static_cast<float>(adapter.config.scaleOf(module)),
            .transposed = transposed};
}

std::string lastPart(const std::string& path) {
    const fs::path plain(path);
    return (plain.has_filename() ? plain : plain.parent_path()).filename().string();
}

void noteAdapter(Checkpoint& checkpoint, const Adapter& adapter, const fs::path& folder, std::size_t count) {
    checkpoint.notes.push_back(fmt::format("the LoRA adapter {} is added to the weights ({} {})",
                                           quotedName(lastPart(folder.string())), count,
                                           count == 1 ? "matrix" : "matrices"));
    const std::string& base = adapter.config.baseModel();
    if (!base.empty() && lastPart(base) != lastPart(checkpoint.name))
        checkpoint.notes.push_back(
            fmt::format("adapter_config.json names the base model {}, and the model is {}", quotedName(base),
                        quotedName(checkpoint.name)));
}

} // namespace

bool isAdapterFolder(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / kConfigName, ignored) && !fs::exists(folder / "config.json", ignored);
}

void applyAdapter(Checkpoint& checkpoint, const fs::path& folder) {
    const Adapter adapter = openAdapter(folder, checkpoint.notes);
    std::vector<AdaptedTensor> adapted;
    std::map<std::string, std::string> moduleFor;
    for (const auto& [module, halves] : halvesOf(adapter)) {
        adapted.push_back(adaptedTensor(adapter, module, halves, checkpoint));
        const auto [first, isNew] = moduleFor.emplace(adapted.back().name, module);
        if (!isNew)
            fail(messageName(adapter.file) + ": module " + quotedName(module),
                 fmt::format("it is the same matrix as {}", quotedName(first->second)),
                 "expected one product for each");
    }
    if (adapted.empty())
        fail(messageName(adapter.file), "the adapter holds no tensors", "expected lora_A and lora_B");
    noteAdapter(checkpoint, adapter, folder, adapted.size());
    checkpoint.weights = adaptTensors(checkpoint.weights, adapter.tensors, std::move(adapted));
    fs::path whole = fs::absolute(folder);
    if (!whole.has_filename()) whole = whole.parent_path(); // "folder/"
    for (const std::string& name : {std::string(kConfigName), adapter.file})
        checkpoint.files.push_back(
            {.name = name, .bytes = fs::file_size(whole / name), .path = whole / name});
    checkpoint.adapter = whole;
}

} // namespace headscope
