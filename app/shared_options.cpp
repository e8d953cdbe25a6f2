// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shared_options.h"

#include "app/option_values.h"
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
                     "a model folder (config.json, model.safetensors, tokenizer.json), a .gguf file or "
                     "demo:constructed, which is inside the program");
}

std::filesystem::path modelOf(const Words& words) {
    return words.required("MODEL", "expected the folder of a model");
}

void addCommon(Words& words) {
    words.option("--device", "auto|cpu|cuda", "where the model runs (auto: CUDA where there is a device)");
    words.option("--threads", "N", "threads of one operation (all cores)");
    words.flag("--quiet", "no progress and no notes on standard error");
}

CommonOptions commonOf(const Words& words) {
    CommonOptions common;
    const auto device = oneOf(words, "--device", {"auto", "cpu", "cuda"});
    if (device == "cpu") common.device = DeviceChoice::Cpu;
    if (device == "cuda") common.device = DeviceChoice::Cuda;
    if (const auto threads = words.value("--threads"))
        common.threads = static_cast<int>(parseWhole("--threads", *threads, 1, 1024));
    common.quiet = words.has("--quiet");
    return common;
}

void addAdapter(Words& words) {
    words.option("--adapter", "DIR", "a LoRA adapter (adapter_config.json) that is added to the weights");
}

CommonOptions commonWithAdapter(const Words& words) {
    CommonOptions common = commonOf(words);
    if (words.has("--adapter"))
        common.adapter = words.required("--adapter", "expected the folder of an adapter");
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
    words.option("--target", "TEXT",
                 "what the decoder of an encoder-decoder reads (else its start token alone)");
    words.option("--target-ids", "1,2,3", "the same as token ids, fed as they are");
    addTextRules(words);
}

void readTarget(const Words& words, InputOptions& input) {
    input.target = words.value("--target");
    if (const auto ids = words.value("--target-ids")) {
        if (input.target)
            failUsage("--target-ids", "given together with --target", "only one of them can be");
        input.targetIds = parseWholeList("--target-ids", *ids, 0);
    }
}

InputOptions inputOf(const Words& words) {
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
