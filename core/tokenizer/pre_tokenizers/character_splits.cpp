// SPDX-License-Identifier: GPL-3.0-or-later
// The pre-tokenizers that cut at single characters: CharDelimiterSplit, Digits, Punctuation, WhitespaceSplit.
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/split_behavior.h"
#include "core/tokenizer/unicode_tables.h"

namespace headscope {

namespace {

/// Cuts at every character that `Cuts` is true for.
template <typename Cuts>
class CharacterSplit : public PreTokenizer {
  public:
    CharacterSplit(SplitBehavior behavior, Cuts cuts) : m_behavior(behavior), m_cuts(cuts) {}

    void split(Pieces& pieces) const override {
        pieces.splitEach([this](std::string_view text, const auto& add) {
            Splitter splitter(m_behavior, false, add);
            for (std::size_t at = 0; at < text.size();) {
                const DecodedCodePoint c = decodeCodePoint(text, at);
                if (m_cuts(c.value)) splitter.match(at, at + c.bytes);
                at += c.bytes;
            }
            splitter.finish(text.size());
        });
    }

  private:
    SplitBehavior m_behavior;
    Cuts m_cuts;
};

template <typename Cuts>
PreTokenizerPtr characterSplit(SplitBehavior behavior, Cuts cuts) {
    return std::make_unique<CharacterSplit<Cuts>>(behavior, cuts);
}

} // namespace

PreTokenizerPtr parseCharDelimiterSplit(const Json& json, const std::string& subject) {
    const char32_t delimiter = StageFields(json, subject).character("delimiter");
    return characterSplit(SplitBehavior::Removed, [delimiter](char32_t c) { return c == delimiter; });
}

PreTokenizerPtr parseDigits(const Json& json, const std::string& subject) {
    const bool individual = StageFields(json, subject).boolean("individual_digits");
    return characterSplit(individual ? SplitBehavior::Isolated : SplitBehavior::Contiguous,
                          unicode::isNumeric);
}

PreTokenizerPtr parsePunctuation(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    const SplitBehavior behavior =
        fields.find("behavior") == nullptr ? SplitBehavior::Isolated : readSplitBehavior(fields, "behavior");
    return characterSplit(behavior, unicode::isBertPunctuation);
}

PreTokenizerPtr parseWhitespaceSplit(const Json&, const std::string&) {
    return characterSplit(SplitBehavior::Removed, unicode::isWhiteSpace);
}

} // namespace headscope
