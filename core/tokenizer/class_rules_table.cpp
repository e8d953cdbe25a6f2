// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_rules_table.h"

#include "core/tokenizer/class_rules_tokens.h"

#include <algorithm>

namespace headscope {

namespace {

using namespace defaults;

constexpr std::string_view kVocabTxt = "vocab.txt";
constexpr std::string_view kVocabJson = "vocab.json";
constexpr std::string_view kSpiece = "spiece.model";
constexpr std::string_view kSentencePieceBpe = "sentencepiece.bpe.model";
constexpr std::string_view kTokenizerModel = "tokenizer.model";

constexpr ClassRule wordPiece(std::string_view name, NormalizerRule normalizer,
                              std::span<const DefaultToken> tokens, std::span<const DefaultToken> slow) {
    return {.name = name,
            .tokens = tokens,
            .slowTokens = slow,
            .form = OlderForm::WordPiece,
            .vocabularyFile = kVocabTxt,
            .normalizer = normalizer};
}

constexpr ClassRule byteLevel(std::string_view name, std::span<const DefaultToken> tokens,
                              std::span<const DefaultToken> slow,
                              PostProcessorRule postProcessor = PostProcessorRule::Kept) {
    return {.name = name,
            .tokens = tokens,
            .slowTokens = slow,
            .form = OlderForm::ByteLevelBpe,
            .vocabularyFile = kVocabJson,
            .postProcessor = postProcessor};
}

constexpr ClassRule fileOnly(std::string_view name, std::span<const DefaultToken> tokens,
                             PostProcessorRule postProcessor, PrefixSpaceRule prefixSpace, bool addsBegin) {
    return {.name = name,
            .tokens = tokens,
            .slowTokens = {},
            .postProcessor = postProcessor,
            .prefixSpace = prefixSpace,
            .addsBegin = addsBegin};
}

constexpr ClassRule sentencePiece(std::string_view name, std::string_view file, MoreTokens more,
                                  std::span<const DefaultToken> tokens, std::span<const DefaultToken> slow) {
    return {.name = name,
            .tokens = tokens,
            .slowTokens = slow,
            .form = OlderForm::SentencePiece,
            .vocabularyFile = file,
            .more = more};
}

constexpr ClassRule with(ClassRule rule, PostProcessorRule postProcessor) {
    rule.postProcessor = postProcessor;
    return rule;
}

constexpr ClassRule with(ClassRule rule, PrefixSpaceRule prefixSpace) {
    rule.prefixSpace = prefixSpace;
    return rule;
}

constexpr ClassRule slowOnly(std::string_view name, OlderForm form, std::span<const DefaultToken> tokens) {
    return {.name = name, .tokens = {}, .slowTokens = tokens, .form = form, .vocabularyFile = kVocabJson};
}

/// Its tokenizer needs no file.
constexpr ClassRule bytes(std::string_view name, std::span<const DefaultToken> tokens) {
    return {
        .name = name, .tokens = {}, .slowTokens = tokens, .form = OlderForm::Bytes, .more = MoreTokens::ByT5};
}

constexpr auto kBertNormalizer = NormalizerRule::BertNormalizer;
constexpr auto kBeginAndEnd = PostProcessorRule::BeginAndEnd;
constexpr auto kTop = PrefixSpaceRule::TopByteLevel;
constexpr auto kEvery = PrefixSpaceRule::EveryByteLevel;
constexpr auto kRebuilds = PrefixSpaceRule::Rebuilds;
constexpr auto kListed = MoreTokens::Listed;

constexpr ClassRule kRules[] = {
    fileOnly("PreTrainedTokenizer", {}, PostProcessorRule::Kept, kTop, true),
    wordPiece("BertTokenizer", kBertNormalizer, kBert, kBert),
    wordPiece("DistilBertTokenizer", kBertNormalizer, kBert, kBert),
    wordPiece("ElectraTokenizer", kBertNormalizer, kBert, kBert),
    wordPiece("MPNetTokenizer", NormalizerRule::CaseAndAccents, kMpNet, kSlowMpNet),
    byteLevel("RobertaTokenizer", kRoberta, kSlowRoberta, PostProcessorRule::Roberta),
    byteLevel("BartTokenizer", kBart, kSlowBart, PostProcessorRule::Roberta),
    byteLevel("DebertaTokenizer", kDeberta, kSlowDeberta),
    byteLevel("GPT2Tokenizer", kGpt2, kSlowGpt2),
    byteLevel("CodeGenTokenizer", kGpt2, kSlowCodeGen),
    byteLevel("Qwen2Tokenizer", kQwen2, kQwen2),
    byteLevel("WhisperTokenizer", kWhisper, kSlowWhisper),
    byteLevel("CLIPTokenizer", kClip, kSlowClip),
    fileOnly("GPTNeoXTokenizer", kGptNeoX, kBeginAndEnd, kTop, false),
    fileOnly("BloomTokenizer", kBloom, PostProcessorRule::Kept, kEvery, true),
    fileOnly("CohereTokenizer", kCohere, kBeginAndEnd, kEvery, true),
    sentencePiece("XLMRobertaTokenizer", kSentencePieceBpe, kListed, kXlmRoberta, kSlowXlmRoberta),
    sentencePiece("CamembertTokenizer", kSentencePieceBpe, MoreTokens::Camembert, kSlowXlmRoberta,
                  kSlowCamembert),
    with(sentencePiece("MBartTokenizer", kSentencePieceBpe, MoreTokens::MBart, kXlmRoberta, kSlowMBart),
         PostProcessorRule::MBart),
    with(sentencePiece("MBart50Tokenizer", kSentencePieceBpe, MoreTokens::MBart50, kMBart50, kMBart50),
         PostProcessorRule::MBart50),
    with(sentencePiece("NllbTokenizer", kSentencePieceBpe, MoreTokens::Nllb, kNllb, kSlowNllb),
         PostProcessorRule::Nllb),
    sentencePiece("AlbertTokenizer", kSpiece, kListed, kAlbert, kAlbert),
    sentencePiece("XLNetTokenizer", kSpiece, MoreTokens::XlNet, kXlNet, kSlowXlNet),
    sentencePiece("DebertaV2Tokenizer", "spm.model", kListed, kDeberta, kSlowDebertaV2),
    with(sentencePiece("T5Tokenizer", kSpiece, MoreTokens::T5, kT5, kSlowT5), kRebuilds),
    with(sentencePiece("MT5Tokenizer", kSpiece, MoreTokens::T5, kT5, kSlowT5), kRebuilds),
    sentencePiece("PegasusTokenizer", kSpiece, MoreTokens::Pegasus, kPegasus, kPegasus),
    with(with(sentencePiece("LlamaTokenizer", kTokenizerModel, kListed, kLlama, kSlowLlama), kBeginAndEnd),
         kRebuilds),
    with(sentencePiece("CodeLlamaTokenizer", kTokenizerModel, MoreTokens::CodeLlama, kLlama, kSlowCodeLlama),
         kBeginAndEnd),
    with(sentencePiece("GemmaTokenizer", kTokenizerModel, kListed, kGemma, kSlowGemma), kBeginAndEnd),
    slowOnly("MarianTokenizer", OlderForm::Marian, kMarian),
    slowOnly("M2M100Tokenizer", OlderForm::M2m100, kM2m100),
    sentencePiece("BarthezTokenizer", kSentencePieceBpe, kListed, kXlmRoberta, kSlowXlmRoberta),
    bytes("ByT5Tokenizer", kByT5),
};

struct ModelClass {
    std::string_view modelType;
    std::string_view tokenizerClass;
};

constexpr ModelClass kModelClasses[] = {
    {"albert", "AlbertTokenizer"},
    {"bart", "BartTokenizer"},
    {"bert", "BertTokenizer"},
    {"bloom", "BloomTokenizer"},
    {"camembert", "CamembertTokenizer"},
    {"clip", "CLIPTokenizer"},
    {"cohere", "CohereTokenizer"},
    {"cohere2", "CohereTokenizer"},
    {"deberta", "DebertaTokenizer"},
    {"deberta-v2", "DebertaV2Tokenizer"},
    {"distilbert", "DistilBertTokenizer"},
    {"electra", "ElectraTokenizer"},
    {"falcon", "PreTrainedTokenizer"},
    {"gemma", "GemmaTokenizer"},
    {"gemma2", "GemmaTokenizer"},
    {"gemma3", "GemmaTokenizer"},
    {"gemma3_text", "GemmaTokenizer"},
    {"gpt2", "GPT2Tokenizer"},
    {"gpt_bigcode", "GPT2Tokenizer"},
    {"gpt_neo", "GPT2Tokenizer"},
    {"gpt_neox", "GPTNeoXTokenizer"},
    {"gpt_oss", "PreTrainedTokenizer"},
    {"gptj", "GPT2Tokenizer"},
    {"llama", "LlamaTokenizer"},
    {"m2m_100", "M2M100Tokenizer"},
    {"marian", "MarianTokenizer"},
    {"mbart", "MBartTokenizer"},
    {"ministral", "LlamaTokenizer"},
    {"mistral", "LlamaTokenizer"},
    {"mixtral", "LlamaTokenizer"},
    {"modernbert", "PreTrainedTokenizer"},
    {"mpnet", "MPNetTokenizer"},
    {"mt5", "T5Tokenizer"},
    {"olmo2", "GPTNeoXTokenizer"},
    {"opt", "GPT2Tokenizer"},
    {"pegasus", "PegasusTokenizer"},
    {"phi", "CodeGenTokenizer"},
    {"phi3", "LlamaTokenizer"},
    {"qwen2", "Qwen2Tokenizer"},
    {"qwen2_moe", "Qwen2Tokenizer"},
    {"qwen3", "Qwen2Tokenizer"},
    {"qwen3_moe", "Qwen2Tokenizer"},
    {"roberta", "RobertaTokenizer"},
    {"smollm3", "PreTrainedTokenizer"},
    {"stablelm", "GPTNeoXTokenizer"},
    {"starcoder2", "GPT2Tokenizer"},
    {"t5", "T5Tokenizer"},
    {"umt5", "T5Tokenizer"},
    {"whisper", "WhisperTokenizer"},
    {"xlm-roberta", "XLMRobertaTokenizer"},
    {"xlnet", "XLNetTokenizer"},
};

} // namespace

std::span<const ClassRule> classRules() {
    return kRules;
}

std::string_view classOfModelType(std::string_view modelType) {
    const auto* at = std::ranges::find(kModelClasses, modelType, &ModelClass::modelType);
    return at == std::end(kModelClasses) ? std::string_view() : at->tokenizerClass;
}

} // namespace headscope
