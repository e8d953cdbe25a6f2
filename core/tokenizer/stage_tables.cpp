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
    {"ByteLevel", parseByteLevelNormalizer},
    {"Lowercase", parseLowercase},
    {"NFC", parseNfc},
    {"NFD", parseNfd},
    {"NFKC", parseNfkc},
    {"NFKD", parseNfkd},
    {"Nmt", parseNmt},
    {"Precompiled", parsePrecompiled},
    {"Prepend", parsePrepend},
    {"Replace", parseReplace},
    {"Strip", parseStrip},
    {"StripAccents", parseStripAccents},
    {"Sequence", parseNormalizerSequence},
};

constexpr StageParser<PreTokenizerPtr> kPreTokenizers[] = {
    {"BertPreTokenizer", parseBertPreTokenizer},
    {"ByteLevel", parseByteLevelPreTokenizer},
    {"CharDelimiterSplit", parseCharDelimiterSplit},
    {"Digits", parseDigits},
    {"FixedLength", parseFixedLength},
    {"Metaspace", parseMetaspace},
    {"Punctuation", parsePunctuation},
    {"Split", parseSplit},
    {"UnicodeScripts", parseUnicodeScripts},
    {"Whitespace", parseWhitespace},
    {"WhitespaceSplit", parseWhitespaceSplit},
    {"Sequence", parsePreTokenizerSequence},
};

/// In the order in which the library tries them on a file that names none.
constexpr StageParser<ModelPtr> kModels[] = {
    {"BPE", parseBpe},
    {"WordPiece", parseWordPiece},
    {"WordLevel", parseWordLevel},
    {"Unigram", parseUnigram},
};

constexpr StageParser<PostProcessorPtr> kPostProcessors[] = {
    {"TemplateProcessing", parseTemplateProcessing}, {"BertProcessing", parseBertProcessing},
    {"ByteLevel", parseByteLevelProcessor},          {"RobertaProcessing", parseRobertaProcessing},
    {"Sequence", parsePostProcessorSequence},
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
    if (fields.find("type") != nullptr) return parseByType(fields.string("type"), kModels, fields, json);
    // The first releases wrote no type.
    std::string reasons;
    for (const StageParser<ModelPtr>& parser : kModels) {
        try {
            return parser.parse(json, subject);
        } catch (const Error& error) {
            reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", parser.type, error.parts().found);
        }
    }
    fail(subject, fmt::format("\"type\" is missing and the fields fit no model ({})", reasons));
}

} // namespace headscope
