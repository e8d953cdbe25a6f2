// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/adapter/apply_adapter.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/gguf/gguf_model.h"
#include "core/checkpoint/model_folder.h"
#include "core/checkpoint/quantised.h"
#include "core/checkpoint/renamed_source.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/weights.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace headscope {

namespace {

namespace fs = std::filesystem;

/// What a tokenizer can be read from, most telling first. Which of the older ones counts is for the
/// tokenizer's class to say.
constexpr const char* kTokenizerFiles[] = {"tokenizer.json", "tokenizer.model", "sentencepiece.bpe.model",
                                           "spiece.model",   "spm.model",       "source.spm",
                                           "vocab.txt",      "vocab.json"};

constexpr std::uint64_t kConfigLimit = std::uint64_t{64} << 20U;

void refuseForeign(const InputFile& file, std::string_view wanted) {
    std::string head(std::min<std::uint64_t>(file.size(), 512), '\0');
    file.readAt(0, std::as_writable_bytes(std::span(head)));
    if (const auto foreign = recogniseForeign(head, file.size(), wanted))
        fail(messageName(file.path()), foreign->found, {}, foreign->hint);
}

/// A JSON file as Python writes it: with NaN and Infinity, perhaps with a byte order mark.
Json readJsonObject(const InputFile& file) {
    const std::string subject = messageName(file.path());
    refuseForeign(file, "JSON");
    const std::string text = readWholeFile(file, kConfigLimit);
    if (text.empty()) fail(subject, "the file is empty", "expected a JSON object");
    Json json =
        parseJson(text, subject, {.allowNonFinite = true, .allowByteOrderMark = true, .maxDepth = 512});
    if (!json.isObject()) fail(subject, fmt::format("this is {}", json.typeName()), "expected a JSON object");
    return json;
}

Weights weightsOf(const ModelFolder& found, const fs::path& folder) {
    if (found.demo == nullptr) return openWeights(folder, found.contents);
    const std::string name = "model.safetensors";
    return {.tensors = openSafetensors(found.demo->open(name)), .files = {name}, .notes = {}};
}

void noteCustomCode(Checkpoint& checkpoint) {
    const Json* map = checkpoint.config.find("auto_map");
    if (map != nullptr && !map->isNull())
        checkpoint.notes.push_back(
            "config.json names code of its own (auto_map): it is not run, and the model is read "
            "as its model_type says");
}

/// A file that config.json names goes before all others in transformers.
void refuseOtherWeights(const Json& config, const Weights& weights) {
    const Json* named = config.find("transformers_weights");
    if (named == nullptr || named->isNull()) return;
    if (named->isString() && std::ranges::find(weights.files, named->asString()) != weights.files.end())
        return;
    fail("config.json: transformers_weights",
         named->isString() ? fmt::format("it names {}", quotedName(named->asString()))
                           : fmt::format("found {}", named->typeName()),
         fmt::format("expected none, or the file that is read, {}", quotedName(weights.files.front())));
}

/// Whether a path leads to a GGUF file rather than a folder.
Checkpoint openGguf(const fs::path& given) {
    auto source = std::make_shared<const GgufSource>(given);
    GgufModel model = describeGguf(*source);
    Checkpoint checkpoint;
    checkpoint.folder = fs::absolute(source->parts().front().path);
    checkpoint.name = ggufModelName(source->parts());
    checkpoint.config = std::move(model.config);
    checkpoint.notes = std::move(model.notes);
    checkpoint.linearsAreOutIn = model.linearsAreOutIn;
    checkpoint.quantisation = quantisedTypes(*source, model.views);
    if (!checkpoint.quantisation.empty())
        checkpoint.notes.push_back(fmt::format(
            "the weights are quantised ({}): maps are from quantised weights", checkpoint.quantisation));
    for (const GgufPart& part : source->parts())
        checkpoint.files.push_back({.name = part.path.filename().string(),
                                    .bytes = part.file->input().size(),
                                    .path = fs::absolute(part.path)});
    checkpoint.weights = viewTensors(source, std::move(model.views));
    checkpoint.gguf = std::move(source);
    return checkpoint;
}

Checkpoint openFolder(const fs::path& given) {
    ModelFolder found = findModelFolder(given);
    const FolderContents& contents = found.contents;

    Checkpoint checkpoint;
    checkpoint.demo = found.demo;
    checkpoint.folder = found.demo != nullptr ? found.folder : fs::absolute(found.folder);
    checkpoint.name = std::move(found.name);
    checkpoint.notes = std::move(found.notes);
    const auto add = [&](const std::string& name) {
        checkpoint.files.push_back(
            {.name = name, .bytes = checkpoint.open(name).size(), .path = checkpoint.folder / name});
    };

    checkpoint.config = readJsonObject(checkpoint.open("config.json"));
    add("config.json");
    refuseQuantisedConfig(checkpoint.config);
    noteCustomCode(checkpoint);

    if (contents.has("adapter_config.json"))
        checkpoint.notes.push_back(
            "the adapter beside the weights (adapter_config.json) is not added to them");
    Weights weights = weightsOf(found, checkpoint.folder);
    refuseOtherWeights(checkpoint.config, weights);
    for (const std::string& name : weights.files) add(name);
    std::move(weights.notes.begin(), weights.notes.end(), std::back_inserter(checkpoint.notes));
    refuseQuantisedTensors(*weights.tensors);
    checkpoint.weights = withoutWrapperPrefixes(std::move(weights.tensors), checkpoint.notes);

    const auto* name =
        std::ranges::find_if(kTokenizerFiles, [&](const char* one) { return contents.has(one); });
    if (name != std::end(kTokenizerFiles)) {
        checkpoint.tokenizerFile = checkpoint.folder / *name;
        add(*name);
    }
    if (contents.has("tokenizer_config.json")) {
        checkpoint.tokenizerConfig = readJsonObject(checkpoint.open("tokenizer_config.json"));
        add("tokenizer_config.json");
    }
    return checkpoint;
}

} // namespace

bool Checkpoint::has(const std::string& file) const {
    if (gguf != nullptr) return false;
    return demo != nullptr ? demo->has(file) : fs::exists(folder / file);
}

InputFile Checkpoint::open(const std::string& file) const {
    return demo != nullptr ? demo->open(file) : InputFile(folder / file);
}

bool isGgufFile(const fs::path& path) {
    std::error_code ignored;
    return path.extension() == ".gguf" && fs::is_regular_file(path, ignored);
}

Checkpoint openCheckpoint(const fs::path& given, const fs::path& adapter) {
    Checkpoint checkpoint = isGgufFile(given) ? openGguf(given) : openFolder(given);
    if (!adapter.empty()) applyAdapter(checkpoint, adapter);
    return checkpoint;
}

} // namespace headscope
