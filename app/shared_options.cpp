// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shared_options.h"

#include "app/option_values.h"
#include "core/analysis/open_attention.h"
#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace headscope::app {

std::string listText(const std::vector<std::string>& words) {
    std::string list;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) list += i + 1 == words.size() ? " or " : ", ";
        list += words[i];
    }
    return list;
}

std::optional<std::string> oneOf(const Words& words, const std::string& name,
                                 const std::vector<std::string>& choices) {
    const auto text = words.value(name);
    if (!text || std::find(choices.begin(), choices.end(), *text) != choices.end()) return text;
    failUsage(name, fmt::format("found \"{}\"", escapeForMessage(*text, 60)),
              "expected " + listText(choices));
}

void requireOne(const Words& words, const std::vector<std::string>& names, const std::string& what) {
    std::vector<std::string> given;
    for (const std::string& name : names)
        if (words.has(name)) given.push_back(name);
    if (given.empty()) failUsage(what, "there is none", "expected " + listText(names));
    if (given.size() > 1)
        failUsage(what, fmt::format("{} and {} are both given", given[0], given[1]),
                  "only one of " + listText(names) + " can be");
}

void addModel(Words& words) {
    words.positional("MODEL",
                     "a model folder (config.json, model.safetensors, tokenizer.json), a .gguf file, an "
                     "attention file (.npz, .npy, .safetensors, .pt) or demo:constructed, which is "
                     "inside the program");
}

std::filesystem::path modelOf(const Words& words) {
    return words.required("MODEL", "expected the folder of a model");
}

bool namesAttentionFile(const Words& words) {
    for (const char* option : {"MODEL", "--model-b"})
        if (words.firstOf({option}) && isAttentionFile(*words.value(option))) return true;
    return false;
}

void requireNoInput(const Words& words) {
    const auto given = words.firstOf({"--text", "--text-file", "--texts-file", "--ids", "--pair", "--target",
                                      "--target-ids", "--truncate", "--piece", "--no-special"});
    if (given) failUsage("input", "given together with an attention file", "its maps are of a text already");
}

void addCommon(Words& words) {
    words.option("--device", "auto|cpu|cuda", "where the model runs (auto: CUDA where there is a device)");
    words.option("--threads", "N", "threads of one operation (all cores)");
    words.option(
        "--axes", "NAMES",
        "what the axes of an attention file's arrays count, such as layers,heads,q,k or batch,heads,q,k");
    words.option("--sample", "N", "which sample of an attention file's batch, from 0");
    words.flag("--quiet", "no progress and no notes on standard error");
}

CommonOptions commonOf(const Words& words) {
    CommonOptions common;
    const auto device = oneOf(words, "--device", {"auto", "cpu", "cuda"});
    if (device == "cpu") common.opening.device = DeviceChoice::Cpu;
    if (device == "cuda") common.opening.device = DeviceChoice::Cuda;
    if (const auto threads = words.value("--threads"))
        common.threads = static_cast<int>(parseWhole("--threads", *threads, 1, 1024));
    common.quiet = words.has("--quiet");
    if (const auto axes = words.value("--axes")) {
        try {
            common.opening.reading.axes = parseArrayAxes(*axes, "--axes");
        } catch (const Error& error) {
            failUsage("--axes", error.parts().found, error.parts().expected);
        }
    }
    if (const auto sample = words.value("--sample"))
        common.opening.reading.sample =
            parseWhole("--sample", *sample, 0, std::numeric_limits<std::int64_t>::max());
    if (const auto given = words.firstOf({"--axes", "--sample"}); given && !namesAttentionFile(words))
        failUsage(*given, "given without an attention file", "it says how the arrays of one are read");
    return common;
}

void addAdapter(Words& words) {
    words.option("--adapter", "DIR", "a LoRA adapter (adapter_config.json) that is added to the weights");
}

CommonOptions commonWithAdapter(const Words& words) {
    CommonOptions common = commonOf(words);
    if (words.has("--adapter"))
        common.opening.adapter = words.required("--adapter", "expected the folder of an adapter");
    if (!common.opening.adapter.empty() && words.has("MODEL") && isAttentionFile(*words.value("MODEL")))
        failUsage("--adapter", "given together with an attention file", "only a model has weights to add to");
    return common;
}

void addTextRules(Words& words) {
    words.option("--pair", "TEXT", "a second text, joined as the model joins two");
    words.flag("--truncate", "cut a text that is longer than the model reads");
    words.option("--piece", "K", "the K-th piece, from 0, of a text that is longer than the model reads");
    words.flag("--no-special", "add no special tokens");
}

void readTextRules(const Words& words, InputOptions& input) {
    input.pair = words.value("--pair");
    input.truncate = words.has("--truncate");
    if (const auto piece = words.value("--piece"))
        input.piece = parseWhole("--piece", *piece, 0, std::numeric_limits<std::int64_t>::max());
    if (input.truncate && input.piece)
        failUsage("--piece", "given together with --truncate", "only one of them can be");
    input.noSpecial = words.has("--no-special");
}

std::optional<std::filesystem::path> textFileOf(const Words& words) {
    if (!words.has("--text-file")) return std::nullopt;
    return words.required("--text-file", "expected a file name");
}

void addInput(Words& words) {
    words.option("--text", "TEXT", "the text");
    words.option("--text-file", "FILE", "a file that holds one text (UTF-8, line breaks kept)");
    words.option("--ids", "1,2,3", "token ids, fed as they are");
    words.option("--target", "TEXT|auto",
                 "what the decoder of an encoder-decoder reads (else its start token alone); auto: what the "
                 "model writes itself");
    words.option("--target-ids", "1,2,3", "the same as token ids, fed as they are");
    addTextRules(words);
}

void readTarget(const Words& words, InputOptions& input) {
    input.target = words.value("--target");
    if (input.target == "auto") {
        input.target.reset();
        input.writeTarget = true;
    }
    if (const auto ids = words.value("--target-ids")) {
        if (words.has("--target"))
            failUsage("--target-ids", "given together with --target", "only one of them can be");
        input.targetIds = parseWholeList("--target-ids", *ids, 0);
    }
}

InputOptions inputOf(const Words& words) {
    if (words.has("MODEL") && isAttentionFile(*words.value("MODEL"))) {
        requireNoInput(words);
        return {};
    }
    requireOne(words, {"--text", "--text-file", "--ids"}, "input");
    InputOptions input;
    readTextRules(words, input);
    input.text = words.value("--text");
    input.textFile = textFileOf(words);
    if (const auto ids = words.value("--ids")) {
        input.ids = parseWholeList("--ids", *ids, 0);
        if (input.pair) failUsage("--pair", "given together with --ids", "ids are fed as they are");
    }
    readTarget(words, input);
    return input;
}

std::string extensionOf(const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    return extension.empty() ? extension : extension.substr(1);
}

std::filesystem::path outputOf(const Words& words, const std::vector<std::string>& extensions) {
    std::vector<std::string> endings;
    for (const std::string& one : extensions) endings.push_back("." + one);
    const std::string expected = "expected a file name that ends in " + listText(endings);
    const std::filesystem::path out = words.required("--out", expected);
    if (std::find(extensions.begin(), extensions.end(), extensionOf(out)) == extensions.end())
        failUsage("--out", fmt::format("found \"{}\"", escapeForMessage(out.string())), expected);
    return out;
}

} // namespace headscope::app
