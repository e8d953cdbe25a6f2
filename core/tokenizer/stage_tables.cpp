// SPDX-License-Identifier: GPL-3.0-or-later
// Which types of each stage can be read: one line a type.
#include "core/base/error.h"
#include "core/tokenizer/models/model.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/stage_fields.h"

#include <fmt/format.h>
#include <span>

namespace headscope {

namespace {

template <typename Stage>
struct StageParser {
    std::string_view type;
    Stage (*parse)(const Json& json, const std::string& subject);
};

constexpr StageParser<NormalizerPtr> kNormalizers[] = {
    {"BertNormalizer", parseBertNormalizer},
    {"Bert", parseBertNormalizer}, // an old spelling that the library reads too
    {"Lowercase", parseLowercase},
    {"NFD", parseNfd},
    {"StripAccents", parseStripAccents},
    {"Sequence", parseNormalizerSequence},
};

constexpr StageParser<PreTokenizerPtr> kPreTokenizers[] = {
    {"BertPreTokenizer", parseBertPreTokenizer},
    {"Sequence", parsePreTokenizerSequence},
};

constexpr StageParser<ModelPtr> kModels[] = {
    {"WordPiece", parseWordPiece},
};

constexpr StageParser<PostProcessorPtr> kPostProcessors[] = {
    {"TemplateProcessing", parseTemplateProcessing},
    {"BertProcessing", parseBertProcessing},
};

template <typename Stage, std::size_t N>
Stage parseByType(std::string_view type, const StageParser<Stage> (&table)[N], const StageFields& fields,
                  const Json& json) {
    std::string known;
    for (const StageParser<Stage>& parser : table) {
        if (parser.type == type) return parser.parse(json, fields.subject());
        known += fmt::format("{}{}", known.empty() ? "" : ", ", parser.type);
    }
    fail(fields.subject(), fmt::format("type \"{}\"", escapeForMessage(type, 60)),
         fmt::format("expected one of the types that are computed ({})", known),
         "give the text as token ids with --ids, or use another checkpoint");
}

} // namespace

NormalizerPtr parseNormalizer(const Json& json, const std::string& subject) {
    if (json.isNull()) return nullptr;
    const StageFields fields(json, subject);
    return parseByType(fields.string("type"), kNormalizers, fields, json);
}

PreTokenizerPtr parsePreTokenizer(const Json& json, const std::string& subject) {
    if (json.isNull()) return nullptr;
    const StageFields fields(json, subject);
    return parseByType(fields.string("type"), kPreTokenizers, fields, json);
}

PostProcessorPtr parsePostProcessor(const Json& json, const std::string& subject) {
    if (json.isNull()) return nullptr;
    const StageFields fields(json, subject);
    return parseByType(fields.string("type"), kPostProcessors, fields, json);
}

ModelPtr parseModel(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    // The first releases wrote no type; this field belongs to one model only.
    if (fields.find("type") == nullptr && fields.find("merges") == nullptr &&
        fields.find("max_input_chars_per_word") != nullptr)
        return parseByType("WordPiece", kModels, fields, json);
    return parseByType(fields.string("type"), kModels, fields, json);
}

} // namespace headscope
