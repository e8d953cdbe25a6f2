// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/weights.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/joined_source.h"
#include "core/checkpoint/pytorch/pytorch_file.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/shard_index.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kIndexLimit = 100'000'000;

/// One kind of files that weights come in.
struct Form {
    std::string_view stem;
    std::string_view ending;
    bool pytorch;
};
constexpr Form kForms[] = {{"model", ".safetensors", false}, {"pytorch_model", ".bin", true}};

/// The files of one form in a folder. `variant` is "" or what stands between the stem and the ending: "fp16".
class FormReader {
  public:
    FormReader(const fs::path& folder, const FolderContents& contents, const Form& form, std::string variant)
        : m_folder(folder), m_contents(contents), m_form(form), m_variant(std::move(variant)),
          m_stem(std::string(form.stem) + (m_variant.empty() ? "" : "." + m_variant)) {}

    /// nullopt when the folder has none of this form.
    std::optional<Weights> open() const {
        const std::string whole = m_stem + std::string(m_form.ending);
        const std::string index = std::string(m_form.stem) + std::string(m_form.ending) + ".index" +
                                  (m_variant.empty() ? "" : "." + m_variant) + ".json";
        for (const std::string& name : {whole, index})
            if (m_contents.brokenLinks.contains(name))
                fail(subject(), escapeForMessage(name) + " is a link to a file that is not there", {},
                     "finish the download");
        if (m_contents.has(whole)) return openWhole(whole, index);
        if (m_contents.has(index)) return openIndexed(index);
        const std::vector<std::string> names(m_contents.files.begin(), m_contents.files.end());
        const std::vector<std::string> shards = numberedShards(names, m_stem, m_form.ending, subject());
        if (shards.empty()) return std::nullopt;
        return openNumbered(shards, index);
    }

  private:
    std::string subject() const { return escapeForMessage(m_folder.string()); }

    std::shared_ptr<const TensorSource> openFile(const std::string& name, Weights& weights) const {
        weights.files.push_back(name);
        if (!m_form.pytorch) return openSafetensors(m_folder / name);
        PytorchFile file = openPytorch(m_folder / name);
        std::move(file.notes.begin(), file.notes.end(), std::back_inserter(weights.notes));
        return std::move(file.tensors);
    }

    Weights openWhole(const std::string& whole, const std::string& index) const {
        Weights weights;
        weights.tensors = openFile(whole, weights);
        if (m_contents.has(index))
            weights.notes.push_back(escapeForMessage(index) + " is ignored: " + escapeForMessage(whole) +
                                    " is there");
        return weights;
    }

    Weights openIndexed(const std::string& indexName) const {
        const std::string indexSubject = escapeForMessage(indexName);
        const std::string text = readWholeFile(m_folder / indexName, kIndexLimit);
        if (const auto foreign = recogniseForeign(std::string_view(text).substr(0, 512), text.size(), "JSON"))
            fail(indexSubject, foreign->found, {}, foreign->hint);
        if (text.empty()) fail(indexSubject, "the file is empty", "expected a JSON object", kIncompleteHint);
        const ShardIndex index = parseShardIndex(text, indexSubject, m_form.ending);
        for (const std::string& name : index.files)
            if (!m_contents.has(name))
                fail(indexSubject,
                     fmt::format("it names {}, which is not in the folder", escapeForMessage(name)), {},
                     "finish the download");
        Weights weights;
        weights.files.push_back(indexName);
        std::vector<Shard> shards;
        for (const std::string& name : index.files) shards.push_back({name, openFile(name, weights)});
        weights.tensors = joinShards(std::move(shards), &index, indexSubject);
        return weights;
    }

    Weights openNumbered(const std::vector<std::string>& names, const std::string& index) const {
        Weights weights;
        std::vector<Shard> shards;
        for (const std::string& name : names) shards.push_back({name, openFile(name, weights)});
        weights.tensors = joinShards(std::move(shards), nullptr, {});
        weights.notes.push_back(fmt::format("{} is missing: all {} numbered files are read",
                                            escapeForMessage(index), names.size()));
        return weights;
    }

    const fs::path& m_folder;
    const FolderContents& m_contents;
    const Form& m_form;
    std::string m_variant;
    std::string m_stem;
};

/// What stands between stem and ending in the names of a form: "fp16" of model.fp16.safetensors and of
/// model.fp16-00001-of-00002.safetensors.
std::set<std::string> variantsOf(const FolderContents& contents, const Form& form) {
    std::set<std::string> variants;
    const std::string start = std::string(form.stem) + ".";
    for (const std::string& name : contents.files) {
        if (!name.starts_with(start) || !name.ends_with(form.ending)) continue;
        if (name.size() <= start.size() + form.ending.size()) continue;
        std::string variant = name.substr(start.size(), name.size() - start.size() - form.ending.size());
        constexpr std::size_t kNumbering = std::string_view("-00001-of-00002").size();
        if (variant.size() > kNumbering && variant.substr(variant.size() - 9, 4) == "-of-")
            variant.resize(variant.size() - kNumbering);
        variants.insert(std::move(variant));
    }
    return variants;
}

std::optional<Weights> openVariant(const fs::path& folder, const FolderContents& contents, const Form& form) {
    const std::set<std::string> variants = variantsOf(contents, form);
    if (variants.empty()) return std::nullopt;
    if (variants.size() > 1)
        fail(escapeForMessage(folder.string()),
             fmt::format("the weights are there in several variants, {} and {}",
                         quotedName(*variants.begin()), quotedName(*std::next(variants.begin()))),
             fmt::format("expected {}{} or one variant", form.stem, form.ending), "keep one of them");
    auto weights = FormReader(folder, contents, form, *variants.begin()).open();
    if (weights)
        weights->notes.push_back(fmt::format("the weights are those of the variant {}: there are no others",
                                             quotedName(*variants.begin())));
    return weights;
}

/// Files that hold weights in a form that is not read, most telling first.
std::optional<std::string> otherWeights(const FolderContents& contents) {
    for (const char* name : {"adapter_model.safetensors", "adapter_model.bin", "tf_model.h5",
                             "flax_model.msgpack", "rust_model.ot", "model.onnx"})
        if (contents.has(name)) return name;
    for (const char* ending : {".safetensors", ".gguf", ".bin", ".pt", ".pth", ".ckpt", ".onnx",
                               ".incomplete", ".part", ".crdownload", ".aria2"})
        for (const std::string& name : contents.files)
            if (name.ends_with(ending) && name != "training_args.bin" && name != "optimizer.pt" &&
                name != "scheduler.pt" && name != "rng_state.pth")
                return name;
    return std::nullopt;
}

[[noreturn]] void refuseFolder(const fs::path& folder, const FolderContents& contents) {
    constexpr const char* kExpected = "expected model.safetensors or pytorch_model.bin";
    const std::string subject = escapeForMessage(folder.string());
    const auto other = otherWeights(contents);
    if (!other)
        fail(subject, "the folder has no weights", kExpected,
             isHubSnapshot(folder) ? "finish the download" : "");
    if (other->starts_with("adapter_model."))
        fail(subject, fmt::format("{} is an adapter only, without the model's own weights", *other),
             kExpected, "open its base model and add it with --adapter");
    for (const char* ending : {".incomplete", ".part", ".crdownload", ".aria2"})
        if (other->ends_with(ending))
            fail(subject, fmt::format("{} is an unfinished download", escapeForMessage(*other)), kExpected,
                 "finish the download");
    fail(subject, fmt::format("the folder has {}", escapeForMessage(*other)), kExpected,
         "save the model with save_pretrained(..., safe_serialization=True)");
}

} // namespace

Weights openWeights(const fs::path& folder, const FolderContents& contents) {
    for (const Form& form : kForms)
        if (auto weights = FormReader(folder, contents, form, "").open()) return std::move(*weights);
    for (const Form& form : kForms)
        if (auto weights = openVariant(folder, contents, form)) return std::move(*weights);
    refuseFolder(folder, contents);
}

} // namespace headscope
