// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/tokenizer_file.h"

#include "core/base/error.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

void requireKnownKeys(const Json& file, const std::string& subject) {
    static constexpr std::array<std::string_view, 9> kKeys = {"version",        "truncation", "padding",
                                                              "added_tokens",   "normalizer", "pre_tokenizer",
                                                              "post_processor", "decoder",    "model"};
    for (const Json::Member& member : file.members())
        if (std::find(kKeys.begin(), kKeys.end(), member.first) == kKeys.end())
            fail(subject, fmt::format("the unknown key \"{}\"", escapeForMessage(member.first, 60)),
                 fmt::format("expected the keys {}", fmt::join(kKeys, ", ")));
    const Json* version = file.find("version");
    if (version != nullptr && (!version->isString() || version->asString() != "1.0"))
        fail(subject + ": version",
             version->isString() ? fmt::format("found \"{}\"", escapeForMessage(version->asString(), 40))
                                 : fmt::format("found {}", version->typeName()),
             "expected \"1.0\"");
}

/// A stage that may be absent.
const Json& stage(const Json& file, std::string_view key) {
    static const Json null;
    const Json* value = file.find(key);
    return value == nullptr ? null : *value;
}

/// The stages in a stage, where a Sequence stands for those in its list.
std::size_t countStages(const Json& stage, std::string_view list) {
    const Json* inner = stage.find(list);
    if (inner == nullptr || !inner->isArray()) return 1;
    std::size_t count = 1;
    for (const Json& one : inner->items()) count += countStages(one, list);
    return count;
}

/// Every stage passes over the whole text.
void requireFewStages(const Json& file, const std::string& subject) {
    constexpr std::size_t kMost = 256;
    static constexpr std::array<std::array<std::string_view, 2>, 3> kLists = {
        {{"normalizer", "normalizers"},
         {"pre_tokenizer", "pretokenizers"},
         {"post_processor", "processors"}}};
    for (const auto& [key, list] : kLists)
        if (const std::size_t count = countStages(stage(file, key), list); count > kMost)
            fail(fmt::format("{}: {}", subject, key), fmt::format("{} stages", count),
                 fmt::format("expected at most {}", kMost));
}

bool hasStage(const Json& stage, std::string_view list, std::string_view type) {
    const Json* own = stage.find("type");
    if (own != nullptr && own->isString() && own->asString() == type) return true;
    const Json* inner = stage.find(list);
    return inner != nullptr && inner->isArray() &&
           std::ranges::any_of(inner->items(), [&](const Json& one) { return hasStage(one, list, type); });
}

void addListedTokens(const Json& file, const std::string& subject, PipelineStages& stages,
                     const NoteSink& notes) {
    const std::vector<ListedToken> listed = readListedTokens(file, subject);
    std::vector<AddedToken> tokens;
    for (const ListedToken& entry : listed) tokens.push_back(entry.token);
    stages.added.add(tokens, *stages.model, stages.normalizer.get());
    for (const ListedToken& entry : listed) {
        const std::optional<std::int64_t> id = stages.added.id(entry.token.content);
        if (notes && id && *id != entry.id)
            notes(fmt::format(
                "{}: the added token \"{}\" has id {} in the file and gets {}, as in the tokenizers library",
                subject, escapeForMessage(entry.token.content, 40), entry.id, *id));
    }
}

} // namespace

std::vector<ListedToken> readListedTokens(const Json& file, const std::string& subject) {
    std::vector<ListedToken> result;
    const Json& list = stage(file, "added_tokens");
    if (list.isNull()) return result;
    for (const Json& json : StageFields(file, subject).array("added_tokens")) {
        const StageFields fields(json, fmt::format("{}: added_tokens: {}", subject, result.size()));
        ListedToken entry;
        entry.id = fields.integer("id", 0, kMaxId);
        entry.token.content = fields.string("content");
        entry.token.singleWord = fields.boolean("single_word");
        entry.token.lstrip = fields.boolean("lstrip");
        entry.token.rstrip = fields.boolean("rstrip");
        entry.token.normalized = fields.boolean("normalized");
        entry.token.special = fields.boolean("special");
        if (entry.token.content.size() > AddedTokens::kMaxContentBytes)
            fail(fields.subjectOf("content"), fmt::format("{} bytes", entry.token.content.size()),
                 fmt::format("expected at most {}", AddedTokens::kMaxContentBytes));
        result.push_back(std::move(entry));
    }
    return result;
}

PipelineStages readStages(const Json& file, const std::string& subject, const NoteSink& notes) {
    const StageFields fields(file, subject);
    requireKnownKeys(file, subject);
    requireFewStages(file, subject);
    PipelineStages stages;
    stages.model = parseModel(fields.required("model"), fields.subjectOf("model"));
    stages.normalizer = parseNormalizer(stage(file, "normalizer"), fields.subjectOf("normalizer"));
    stages.preTokenizer = parsePreTokenizer(stage(file, "pre_tokenizer"), fields.subjectOf("pre_tokenizer"));
    stages.postProcessor =
        parsePostProcessor(stage(file, "post_processor"), fields.subjectOf("post_processor"));
    stages.isByteLevel = hasStage(stage(file, "normalizer"), "normalizers", "ByteLevel") ||
                         hasStage(stage(file, "pre_tokenizer"), "pretokenizers", "ByteLevel");
    addListedTokens(file, subject, stages, notes);
    for (const char* key : {"truncation", "padding"})
        if (notes && !stage(file, key).isNull())
            notes(fmt::format("{}: the {} in the file is ignored", subject, key));
    return stages;
}

} // namespace headscope
