// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/folder_contents.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/safetensors.h"

#include <algorithm>

namespace headscope {

namespace {

namespace fs = std::filesystem;

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

/// Quantised weights are stored in layouts of their own; read as plain numbers they would give a wrong
/// picture.
void refuseQuantised(const Json& config) {
    for (const char* key : {"quantization_config", "compression_config"}) {
        const Json* quantised = config.find(key);
        if (quantised == nullptr || quantised->isNull()) continue;
        const Json* method = quantised->find("quant_method");
        const std::string name =
            method != nullptr && method->isString() ? " (" + quotedName(method->asString()) + ")" : "";
        fail(fmt::format("config.json: {}", key), fmt::format("the weights are quantised{}", name),
             "expected plain F16, BF16, F32 or F64", "take a version of the model that is not quantised");
    }
}

void noteCustomCode(Checkpoint& checkpoint) {
    const Json* map = checkpoint.config.find("auto_map");
    if (map != nullptr && !map->isNull())
        checkpoint.notes.push_back(
            "config.json names code of its own (auto_map): it is not run, and the model is read "
            "as its model_type says");
}

} // namespace

Checkpoint openCheckpoint(const fs::path& folder) {
    const FolderContents contents = readModelFolder(folder);

    Checkpoint checkpoint;
    checkpoint.folder = fs::absolute(folder);
    const auto add = [&](const fs::path& path) {
        checkpoint.files.push_back({.name = path.filename().string(), .bytes = InputFile(path).size()});
    };

    checkpoint.config = readJsonObject(checkpoint.folder / "config.json");
    add(checkpoint.folder / "config.json");
    refuseQuantised(checkpoint.config);
    noteCustomCode(checkpoint);

    requireWeights(folder, contents);
    checkpoint.weights = openSafetensors(checkpoint.folder / "model.safetensors");
    add(checkpoint.folder / "model.safetensors");
    if (contents.has("model.safetensors.index.json"))
        checkpoint.notes.push_back("model.safetensors.index.json is ignored: model.safetensors is there");

    if (contents.has("tokenizer.json")) {
        refuseForeign(InputFile(checkpoint.folder / "tokenizer.json"), "a tokenizer");
        checkpoint.tokenizerFile = checkpoint.folder / "tokenizer.json";
        add(checkpoint.folder / "tokenizer.json");
    }
    if (contents.has("tokenizer_config.json")) {
        checkpoint.tokenizerConfig = readJsonObject(checkpoint.folder / "tokenizer_config.json");
        add(checkpoint.folder / "tokenizer_config.json");
    }
    return checkpoint;
}

} // namespace headscope
