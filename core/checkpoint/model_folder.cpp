// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_folder.h"

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

constexpr const char* kWhatIsRead = "expected a folder with config.json and weights (model.safetensors or "
                                    "pytorch_model.bin), or a .gguf file";
constexpr std::uint64_t kSmallFileLimit = std::uint64_t{1} << 20U;
constexpr std::string_view kHubPrefix = "models--";

std::string shown(const fs::path& path) {
    return escapeForMessage(path.string());
}

bool isPlainName(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\") == std::string::npos;
}

[[noreturn]] void refuseFile(const fs::path& path) {
    const std::string extension = path.extension().string();
    if (extension == ".safetensors" || extension == ".bin" || extension == ".pt" || extension == ".pth") {
        const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
        fail(shown(path), "this is a file of weights",
             "expected the folder it stands in, with its config.json", "give " + shown(parent));
    }
    fail(shown(path), "this is a file", kWhatIsRead);
}

[[noreturn]] void refuseAdapter(const fs::path& folder) {
    std::string base;
    try {
        const Json config =
            parseJson(readWholeFile(folder / "adapter_config.json", kSmallFileLimit), "adapter_config.json",
                      {.allowNonFinite = true, .allowByteOrderMark = true});
        const Json* name = config.find("base_model_name_or_path");
        if (name != nullptr && name->isString()) base = name->asString();
    } catch (const Error&) {
        // The file only serves to name the base model; without it the sentence is shorter.
    }
    fail(shown(folder), "this is an adapter only, without the model's own weights", kWhatIsRead,
         fmt::format("open its base model{} with --adapter {}", base.empty() ? "" : " " + quotedName(base),
                     shown(folder)));
}

/// Why a folder has no config.json.
[[noreturn]] void refuseWithoutConfig(const fs::path& folder, const FolderContents& contents) {
    const std::string subject = shown(folder);
    if (contents.brokenLinks.contains("config.json"))
        fail(subject, "config.json is a link to a file that is not there", {}, "finish the download");
    if (contents.has("adapter_config.json")) refuseAdapter(folder);
    if (contents.has("model_index.json"))
        fail(subject, "this is a diffusers pipeline of several models", kWhatIsRead,
             "give the folder of one of them, such as text_encoder");
    const auto repository =
        std::find_if(contents.folders.begin(), contents.folders.end(),
                     [](const std::string& name) { return name.starts_with(kHubPrefix); });
    if (repository != contents.folders.end())
        fail(subject, "this is the hub cache with all its models", "expected one of them",
             "give " + shown(folder / *repository));
    const auto gguf = std::find_if(contents.files.begin(), contents.files.end(),
                                   [](const std::string& name) { return name.ends_with(".gguf"); });
    if (gguf != contents.files.end())
        fail(subject, fmt::format("the folder has {} but no config.json", escapeForMessage(*gguf)),
             kWhatIsRead, "give the .gguf file itself");
    if (contents.has("params.json"))
        fail(subject, "the folder has params.json but no config.json", kWhatIsRead,
             "convert the original weights to the Hugging Face layout first");
    fail(subject, "the folder has no config.json", kWhatIsRead,
         isHubSnapshot(folder) ? "finish the download" : "");
}

/// The commit that refs/main names, if it is one that is there.
std::optional<std::string> mainSnapshot(const fs::path& repository, const FolderContents& snapshots) {
    std::error_code ignored;
    if (!fs::is_regular_file(repository / "refs" / "main", ignored)) return std::nullopt;
    std::string commit = readWholeFile(repository / "refs" / "main", kSmallFileLimit);
    while (!commit.empty() && (commit.back() == '\n' || commit.back() == '\r')) commit.pop_back();
    if (!snapshots.folders.contains(commit)) return std::nullopt;
    return commit;
}

/// A repository folder of the hub cache: the files of a commit are links in snapshots/<commit>.
void enterSnapshot(ModelFolder& found) {
    const fs::path repository = found.folder;
    const FolderContents snapshots = listFolder(repository / "snapshots");
    if (snapshots.folders.empty())
        fail(shown(repository), "this is a repository folder of the hub cache without a snapshot", {},
             "finish the download");
    if (const auto commit = mainSnapshot(repository, snapshots)) {
        found.folder = repository / "snapshots" / *commit;
    } else {
        const auto written = [&](const std::string& name) {
            std::error_code ignored;
            return fs::last_write_time(repository / "snapshots" / name, ignored);
        };
        const std::string newest =
            *std::max_element(snapshots.folders.begin(), snapshots.folders.end(),
                              [&](const auto& a, const auto& b) { return written(a) < written(b); });
        found.folder = repository / "snapshots" / newest;
        found.notes.push_back(fmt::format(
            "refs/main names no snapshot that is there: the newest, {}, is read", escapeForMessage(newest)));
    }
    found.contents = listFolder(found.folder);
}

/// The folder in which a sentence-transformers model keeps its transformer; nullopt where that is the root.
std::optional<std::string> transformerFolder(const ModelFolder& found) {
    if (!found.contents.has("modules.json"))
        return found.contents.folders.contains("0_Transformer") && !found.contents.has("config.json")
                   ? std::optional<std::string>("0_Transformer")
                   : std::nullopt;
    const Json modules =
        parseJson(readWholeFile(found.folder / "modules.json", kSmallFileLimit), "modules.json");
    if (!modules.isArray() || modules.items().empty()) return std::nullopt;
    const Json* path = modules.items()[0].find("path");
    if (path == nullptr || !path->isString() || path->asString().empty()) return std::nullopt;
    const std::string& name = path->asString();
    if (!isPlainName(name))
        fail("modules.json", fmt::format("its first module stands in {}", quotedName(name)),
             "expected the plain name of a folder beside it");
    if (!found.contents.folders.contains(name))
        fail("modules.json",
             fmt::format("its first module stands in {}, which is not there", quotedName(name)), {},
             "finish the download");
    return name;
}

/// "org/model" of a path into the hub cache, else the last name of the path.
std::string nameOf(const fs::path& given) {
    fs::path path = fs::absolute(given).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (isHubSnapshot(path)) path = path.parent_path().parent_path();
    std::string name = path.filename().string();
    if (!name.starts_with(kHubPrefix)) return name.empty() ? path.string() : name;
    name.erase(0, kHubPrefix.size());
    const std::size_t between = name.find("--");
    if (between != std::string::npos) name = name.substr(0, between) + "/" + name.substr(between + 2);
    return name;
}

} // namespace

ModelFolder findModelFolder(const fs::path& given) {
    if (isDemoName(given)) {
        const Demo& demo = findDemo(given);
        return {
            .folder = given, .name = demo.name(), .contents = demo.contents(), .notes = {}, .demo = &demo};
    }
    std::error_code error;
    const fs::file_status status = fs::status(given, error);
    if (status.type() == fs::file_type::not_found)
        fail(shown(given), "there is no such folder", {}, "check the path");
    if (status.type() == fs::file_type::none || status.type() == fs::file_type::unknown)
        fail(shown(given), "the folder cannot be reached", {}, "check its permissions");
    if (status.type() != fs::file_type::directory) refuseFile(given);

    ModelFolder found{
        .folder = given, .name = nameOf(given), .contents = listFolder(given), .notes = {}, .demo = nullptr};
    if (found.contents.empty()) fail(shown(given), "the folder is empty", kWhatIsRead);
    if (found.contents.folders.contains("snapshots") && !found.contents.has("config.json"))
        enterSnapshot(found);
    if (const auto inner = transformerFolder(found)) {
        found.folder /= *inner;
        found.contents = listFolder(found.folder);
        found.notes.push_back(fmt::format("the model of this sentence-transformers folder stands in {}",
                                          escapeForMessage(*inner)));
    }
    if (!found.contents.has("config.json")) refuseWithoutConfig(found.folder, found.contents);
    return found;
}

} // namespace headscope
