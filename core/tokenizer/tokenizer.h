// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

struct Checkpoint;

struct Token {
    std::int64_t id = 0;
    std::string piece;      ///< UTF-8, as the vocabulary spells it ("##ing", "Ġthe")
    std::int64_t start = 0; ///< code points [start, end) of the original text; 0, 0 for added special tokens
    std::int64_t end = 0;
    bool special = false; ///< added by the post-processor; false for one typed in the text
    int text = -1;        ///< 0 first text, 1 second, -1 none (a special token)
    int typeId = 0;       ///< segment id that the template gives
};

struct EncodeOptions {
    bool addSpecial = true;
    /// A text of the decoder's side: some checkpoints have a vocabulary or special tokens of their own for
    /// it.
    bool target = false;
};

/// Text -> tokens, as the tokenizers library computes them from tokenizer.json (truncation and padding off).
/// Immutable after loading; encode() is safe from several threads.
class Tokenizer {
  public:
    virtual ~Tokenizer() = default;

    /// `text` and `pair` must be well-formed UTF-8, else Error. Texts above 64 MB, or above twice that
    /// after normalisation, or of more than 2^24 tokens are refused.
    virtual std::vector<Token> encode(std::string_view text, std::optional<std::string_view> pair,
                                      const EncodeOptions& options) const = 0;
    /// The spelling of an id (model vocabulary or added token), or nullopt.
    virtual std::optional<std::string> piece(std::int64_t id) const = 0;
    virtual std::optional<std::int64_t> id(std::string_view piece) const = 0;
    /// What a byte-level vocabulary spells with the id ("Ġ" is a space); nullopt for other vocabularies, and
    /// for tokens that stand for their own text.
    virtual std::optional<std::string> bytes(std::int64_t) const { return std::nullopt; }
    /// True for ids of added tokens that are marked special ([CLS], <s>).
    virtual bool isSpecial(std::int64_t id) const = 0;
    /// Largest id plus one.
    virtual std::int64_t idLimit() const = 0;
};

/// Whether there is a tokenizer: a file of one, or the name of a class that needs none.
bool holdsTokenizer(const Checkpoint& checkpoint);

/// Loads the tokenizer of the checkpoint as its class in transformers would: tokenizer.json with what the
/// class changes, or one built from the older vocabulary files. Throws Error naming the stage, and the list
/// of what is supported, for anything not computed exactly.
std::shared_ptr<const Tokenizer> loadTokenizer(const Checkpoint& checkpoint, const NoteSink& notes);

/// The same from the text of a tokenizer.json alone; no class patches. `subject` names it in errors.
std::shared_ptr<const Tokenizer> parseTokenizer(std::string_view json, const std::string& subject,
                                                const NoteSink& notes);

} // namespace headscope
