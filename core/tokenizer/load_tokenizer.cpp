// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/checkpoint.h"
#include "core/tokenizer/class_rules.h"
#include "core/tokenizer/tokenizer.h"
#include "core/tokenizer/tokenizer_file.h"

#include <fmt/format.h>

namespace headscope {

namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{512} << 20;

/// Files of other tokenizer forms, to say what stands there when tokenizer.json does not.
constexpr const char* kOtherForms[] = {
    "vocab.txt", "vocab.json", "spiece.model", "sentencepiece.bpe.model", "tokenizer.model", "source.spm"};

[[noreturn]] void refuseFolder(const std::filesystem::path& folder) {
    for (const char* name : kOtherForms)
        if (std::filesystem::exists(folder / name))
            fail(folder.string(), fmt::format("{} without tokenizer.json", name),
                 "which alone is not read yet", "give the text as token ids with --ids");
    fail(folder.string(), "no tokenizer.json", {}, "give the text as token ids with --ids");
}

std::optional<Json> readOptional(const std::filesystem::path& path) {
    if (!std::filesystem::exists(path)) return std::nullopt;
    Json json = parseJson(readWholeFile(path, kMaxFileBytes), path.filename().string());
    if (!json.isObject())
        fail(path.filename().string(), fmt::format("found {}", json.typeName()), "expected an object");
    return json;
}

} // namespace

std::shared_ptr<const Tokenizer> loadTokenizer(const Checkpoint& checkpoint, const NoteSink& notes) {
    if (!checkpoint.tokenizerFile) refuseFolder(checkpoint.folder);
    const std::string subject = "tokenizer.json";
    const Json file = parseJson(readWholeFile(*checkpoint.tokenizerFile, kMaxFileBytes), subject);
    PipelineStages stages = readStages(file, subject, notes);
    ClassInputs inputs;
    inputs.modelConfig = checkpoint.config;
    inputs.tokenizerConfig = checkpoint.tokenizerConfig;
    // Folders of the time before added_tokens_decoder keep their special tokens here.
    inputs.specialTokensMap = readOptional(checkpoint.folder / "special_tokens_map.json");
    inputs.addedTokens = readOptional(checkpoint.folder / "added_tokens.json");
    applyClassRules(inputs, file, stages, notes);
    return std::make_shared<Pipeline>(std::move(stages));
}

std::shared_ptr<const Tokenizer> parseTokenizer(std::string_view json, const std::string& subject,
                                                const NoteSink& notes) {
    return std::make_shared<Pipeline>(readStages(parseJson(json, subject), subject, notes));
}

} // namespace headscope
