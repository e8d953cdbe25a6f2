// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/added_tokens.h"
#include "core/tokenizer/models/model.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/post_processors/post_processor.h"
#include "core/tokenizer/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizer/text_limit.h"
#include "core/tokenizer/tokenizer.h"

namespace headscope {

/// The stages of one tokenizer.json. All but the model may be null.
struct PipelineStages {
    AddedTokens added;
    NormalizerPtr normalizer;
    PreTokenizerPtr preTokenizer;
    ModelPtr model;
    PostProcessorPtr postProcessor;
    PostProcessorPtr targetPostProcessor; ///< null: target texts have the same as others
    bool isByteLevel = false;             ///< characters stand for bytes in the model's vocabulary
};

/// Throws Error unless a tokenizer takes the text: well-formed UTF-8 of at most kMaxTextBytes.
void requireText(std::string_view text, const std::string& subject);

/// Runs the stages in the library's order: cut added tokens out of the typed text, normalise the rest piece
/// by piece, cut added tokens out of the normalised pieces, pre-tokenise, model, spans, post-processor.
class Pipeline : public Tokenizer {
  public:
    explicit Pipeline(PipelineStages stages) : m_stages(std::move(stages)) {}

    std::vector<Token> encode(std::string_view text, std::optional<std::string_view> pair,
                              const EncodeOptions& options) const override;
    std::optional<std::string> piece(std::int64_t id) const override;
    std::optional<std::int64_t> id(std::string_view piece) const override;
    std::optional<std::string> bytes(std::int64_t id) const override;
    bool isSpecial(std::int64_t id) const override { return m_stages.added.isSpecial(id); }
    std::int64_t idLimit() const override;

  private:
    Pieces normalizedPieces(std::string_view text) const;
    TokenList tokens(const Pieces& pieces, std::string_view original, std::int32_t textNumber) const;
    std::string_view spellingOf(const EncodedToken& token) const;
    static Token finished(const EncodedToken& token, std::string_view spelling);

    PipelineStages m_stages;
};

} // namespace headscope
