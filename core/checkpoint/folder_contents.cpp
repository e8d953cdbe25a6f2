// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/folder_contents.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace headscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* kWhatIsRead =
    "expected a folder with config.json and model.safetensors, which is what is read so far";
constexpr const char* kSave = "save the model with save_pretrained(..., safe_serialization=True)";

std::string shown(const fs::path& path) {
    return escapeForMessage(path.string());
}

[[noreturn]] void refuseFile(const fs::path& path) {
    const std::string extension = path.extension().string();
    if (extension == ".safetensors") {
        const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
        fail(shown(path), "this is a file of weights",
             "expected the folder it stands in, with its config.json", "give " + shown(parent));
    }
    if (extension == ".gguf") fail(shown(path), "GGUF files are not read", kWhatIsRead);
    fail(shown(path), "this is a file", kWhatIsRead);
}

FolderContents list(const fs::path& folder) {
    std::error_code error;
    FolderContents contents;
    fs::directory_iterator entry(folder, error);
    if (error) fail(shown(folder), "the folder cannot be read", {}, "check its permissions");
    for (; entry != fs::directory_iterator(); entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        std::error_code ignored;
        if (entry->is_regular_file(ignored))
            contents.files.insert(name);
        else if (entry->is_directory(ignored))
            contents.folders.insert(name);
        else if (entry->is_symlink(ignored))
            contents.brokenLinks.insert(name);
        if (error) break;
    }
    if (error) fail(shown(folder), "the folder cannot be read to its end");
    return contents;
}

/// What to give instead of a hub cache's repository folder: the snapshot that refs/main names.
std::string snapshotHint(const fs::path& folder) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / "refs" / "main", ignored)) {
        const fs::path snapshot = folder / "snapshots" / readWholeFile(folder / "refs" / "main", 4096);
        if (fs::is_directory(snapshot, ignored)) return "give " + shown(snapshot);
    }
    return "give one of the folders in " + shown(folder / "snapshots");
}

[[noreturn]] void refuseAdapter(const fs::path& folder) {
    std::string base;
    try {
        const Json config =
            parseJson(readWholeFile(folder / "adapter_config.json", std::uint64_t{1} << 20U),
                      "adapter_config.json", {.allowNonFinite = true, .allowByteOrderMark = true});
        const Json* name = config.find("base_model_name_or_path");
        if (name != nullptr && name->isString()) base = name->asString();
    } catch (const Error&) {
        // The file only serves to name the base model; without it the sentence is shorter.
    }
    fail(shown(folder), "this is an adapter only, without the model's own weights", kWhatIsRead,
         base.empty() ? "merge it into its base model first"
                      : fmt::format("merge it into its base model {} first", quotedName(base)));
}

/// Why a folder has no config.json.
[[noreturn]] void refuseWithoutConfig(const fs::path& folder, const FolderContents& contents) {
    const std::string subject = shown(folder);
    if (contents.brokenLinks.contains("config.json"))
        fail(subject, "config.json is a link to a file that is not there", {}, "finish the download");
    if (contents.has("adapter_config.json")) refuseAdapter(folder);
    if (contents.folders.contains("snapshots"))
        fail(subject, "this is a repository folder of the hub cache", kWhatIsRead, snapshotHint(folder));
    if (contents.folders.contains("0_Transformer"))
        fail(subject, "the model of this sentence-transformers folder stands in 0_Transformer", {},
             "give " + shown(folder / "0_Transformer"));
    if (contents.has("model_index.json"))
        fail(subject, "this is a diffusers pipeline of several models", kWhatIsRead,
             "give the folder of one of them, such as text_encoder");
    const auto isGguf = [](const std::string& name) { return name.ends_with(".gguf"); };
    const auto gguf = std::find_if(contents.files.begin(), contents.files.end(), isGguf);
    if (gguf != contents.files.end())
        fail(subject, fmt::format("the folder has {} but no config.json", escapeForMessage(*gguf)),
             kWhatIsRead, "GGUF files are not read");
    if (contents.has("params.json"))
        fail(subject, "the folder has params.json but no config.json", kWhatIsRead,
             "convert the original weights to the Hugging Face layout first");
    fail(subject, "the folder has no config.json", kWhatIsRead);
}

/// Files that hold weights in a form that is not read, most telling first.
std::optional<std::string> otherWeights(const FolderContents& contents) {
    for (const char* name : {"model.safetensors.index.json", "pytorch_model.bin",
                             "pytorch_model.bin.index.json", "adapter_model.safetensors", "adapter_model.bin",
                             "tf_model.h5", "flax_model.msgpack", "rust_model.ot", "model.onnx"})
        if (contents.has(name)) return name;
    for (const char* ending : {".safetensors", ".gguf", ".bin", ".pt", ".pth", ".onnx", ".incomplete"})
        for (const std::string& name : contents.files)
            if (name.ends_with(ending) && name != "training_args.bin" && name != "optimizer.pt") return name;
    return std::nullopt;
}

} // namespace

FolderContents readModelFolder(const fs::path& folder) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (status.type() == fs::file_type::not_found)
        fail(shown(folder), "there is no such folder", {}, "check the path");
    if (status.type() == fs::file_type::none || status.type() == fs::file_type::unknown)
        fail(shown(folder), "the folder cannot be reached", {}, "check its permissions");
    if (status.type() != fs::file_type::directory) refuseFile(folder);

    FolderContents contents = list(folder);
    if (contents.files.empty() && contents.folders.empty() && contents.brokenLinks.empty())
        fail(shown(folder), "the folder is empty", kWhatIsRead);
    if (!contents.has("config.json")) refuseWithoutConfig(folder, contents);
    return contents;
}

void requireWeights(const fs::path& folder, const FolderContents& contents) {
    if (contents.has("model.safetensors")) return;
    const std::string subject = shown(folder);
    if (contents.brokenLinks.contains("model.safetensors"))
        fail(subject, "model.safetensors is a link to a file that is not there", {}, "finish the download");
    const auto other = otherWeights(contents);
    if (!other) fail(subject, "the folder has no weights", "expected model.safetensors");
    if (*other == "model.safetensors.index.json")
        fail(subject, "the weights are split over several files (model.safetensors.index.json)",
             "expected one model.safetensors, which is what is read so far",
             "save the model with a max_shard_size above its size");
    if (other->starts_with("adapter_model."))
        fail(subject, fmt::format("{} is an adapter only, without the model's own weights", *other),
             "expected model.safetensors", "merge it into its base model first");
    if (other->ends_with(".incomplete"))
        fail(subject, fmt::format("{} is an unfinished download", escapeForMessage(*other)),
             "expected model.safetensors", "finish the download");
    fail(subject, fmt::format("the folder has {} but no model.safetensors", escapeForMessage(*other)),
         "which is what is read so far", kSave);
}

} // namespace headscope
