// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace headscope {

/// How a class treats a special token that is given as a bare string.
struct StringWrap {
    bool becomesObject = false; ///< with the flags below; else it stays a bare string
    bool lstrip = false;
    bool special = false;
    std::optional<bool> normalized{}; ///< nullopt: left open, it becomes the opposite of special
    bool rstrip = false;
};

/// A special token that a class knows by a parameter of its own, e.g. {"cls_token", "[CLS]"}.
struct DefaultToken {
    std::string_view key;
    std::string_view content; ///< where no file says anything else; empty for none
    StringWrap wrap{};
};

/// Which additional special tokens a class has.
enum class MoreTokens { Listed, CodeLlama, Camembert, XlNet, T5, ByT5, Pegasus, MBart, MBart50, Nllb };

/// Which settings of a BertNormalizer at the top a class sets.
enum class NormalizerRule { None, BertNormalizer, CaseAndAccents };

/// What a class does with the post-processor: nothing; set the two flags of RoBERTa; write a template of its
/// own with the tokens for begin and end, or with a language.
enum class PostProcessorRule { Kept, Roberta, BeginAndEnd, MBart, MBart50, Nllb };

/// What add_prefix_space does: it sets a ByteLevel at the top; as well as every ByteLevel inside when it is
/// true; or it has the tokenizer rebuilt from the older form.
enum class PrefixSpaceRule { TopByteLevel, EveryByteLevel, Rebuilds };

/// The files from which a class builds a tokenizer when there is no tokenizer.json; for Bytes it needs none.
enum class OlderForm { None, WordPiece, ByteLevelBpe, SentencePiece, Marian, M2m100, Bytes };

/// A class of transformers 4.57, as a fast tokenizer where it has one.
struct ClassRule {
    std::string_view name;                    ///< without "Fast"
    std::span<const DefaultToken> tokens;     ///< of the class itself
    std::span<const DefaultToken> slowTokens; ///< of the class that reads the older form
    OlderForm form = OlderForm::None;
    std::string_view vocabularyFile = {}; ///< of the older form
    MoreTokens more = MoreTokens::Listed;
    NormalizerRule normalizer = NormalizerRule::None;
    PostProcessorRule postProcessor = PostProcessorRule::Kept;
    PrefixSpaceRule prefixSpace = PrefixSpaceRule::TopByteLevel;
    bool addsBegin = true; ///< with BeginAndEnd: where add_bos_token is not written

    /// There is no class of that name with Fast.
    bool isSlowOnly() const { return tokens.empty() && form != OlderForm::None; }
};

/// All classes whose rules are known.
std::span<const ClassRule> classRules();

/// The class that transformers takes for a model_type where no file names one; empty where there is none.
std::string_view classOfModelType(std::string_view modelType);

} // namespace headscope
