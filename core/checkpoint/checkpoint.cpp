// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/model_folder.h"
#include "core/checkpoint/quantised.h"
#include "core/checkpoint/renamed_source.h"
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
Json readJsonObject(const fs::path& path) {
    const std::string subject = messageName(path);
    refuseForeign(InputFile(path), "JSON");
    const std::string text = readWholeFile(path, kConfigLimit);
    if (text.empty()) fail(subject, "the file is empty", "expected a JSON object");
    Json json =
        parseJson(text, subject, {.allowNonFinite = true, .allowByteOrderMark = true, .maxDepth = 512});
    if (!json.isObject()) fail(subject, fmt::format("this is {}", json.typeName()), "expected a JSON object");
    return json;
}

void noteCustomCode(Checkpoint& checkpoint) {
    const Json* map = checkpoint.config.find("auto_map");
    if (map != nullptr && !map->isNull())
        checkpoint.notes.push_back(
            "config.json names code of its own (auto_map): it is not run, and the model is read "
            "as its model_type says");
}

} // namespace

Checkpoint openCheckpoint(const fs::path& given) {
    ModelFolder found = findModelFolder(given);
    const FolderContents& contents = found.contents;

    Checkpoint checkpoint;
    checkpoint.folder = fs::absolute(found.folder);
    checkpoint.name = std::move(found.name);
    checkpoint.notes = std::move(found.notes);
    const auto add = [&](const fs::path& path) {
        checkpoint.files.push_back({.name = path.filename().string(), .bytes = InputFile(path).size()});
    };

    checkpoint.config = readJsonObject(checkpoint.folder / "config.json");
    add(checkpoint.folder / "config.json");
    refuseQuantisedConfig(checkpoint.config);
    noteCustomCode(checkpoint);

    if (contents.has("adapter_config.json"))
        checkpoint.notes.push_back(
            "the adapter beside the weights (adapter_config.json) is not applied to them");
    Weights weights = openWeights(checkpoint.folder, contents);
    for (const std::string& name : weights.files) add(checkpoint.folder / name);
    std::move(weights.notes.begin(), weights.notes.end(), std::back_inserter(checkpoint.notes));
    refuseQuantisedTensors(*weights.tensors);
    checkpoint.weights = withoutWrapperPrefixes(std::move(weights.tensors), checkpoint.notes);

    const auto* name =
        std::ranges::find_if(kTokenizerFiles, [&](const char* one) { return contents.has(one); });
    if (name != std::end(kTokenizerFiles)) {
        checkpoint.tokenizerFile = checkpoint.folder / *name;
        refuseForeign(InputFile(*checkpoint.tokenizerFile), "a tokenizer");
        add(*checkpoint.tokenizerFile);
    }
    if (contents.has("tokenizer_config.json")) {
        checkpoint.tokenizerConfig = readJsonObject(checkpoint.folder / "tokenizer_config.json");
        add(checkpoint.folder / "tokenizer_config.json");
    }
    return checkpoint;
}

} // namespace headscope
