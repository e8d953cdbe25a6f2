// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/forms/piece_map.h"
#include "core/tokenizer/forms/slow_split.h"
#include "core/tokenizer/forms/slow_tokens.h"
#include "core/tokenizer/forms/text_encoder.h"
#include "core/tokenizer/tokenizer.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// The pieces of a vocab.json and their ids, both ways.
struct PieceIds {
    /// From {"piece": id}; of a piece that is written twice the last counts. Throws Error for ids that are no
    /// integers from 0 to 2^32 - 1 and for an id that stands twice.
    PieceIds(const Json& json, const std::string& subject);

    PieceMap<std::int64_t> ids;
    std::map<std::int64_t, std::string> pieces;
};

/// One side of a slow tokenizer: how texts of it become pieces, and the pieces' ids.
struct SlowSide {
    std::shared_ptr<const TextEncoder> encoder;
    std::shared_ptr<const PieceIds> vocabulary;
    std::vector<std::int64_t> prefix; ///< ids of the special tokens around a text or pair
    std::vector<std::int64_t> suffix; ///< see SlowParts::endsEachText
    std::string missing;              ///< not empty: why there is no such side
};

/// A tokenizer of transformers without a fast one: the text is cut at added tokens, what is left becomes
/// pieces, and these are looked up in a vocabulary.
struct SlowParts {
    SlowParts(SlowSide sourceSide, SlowSide targetSide, SlowTokens addedTokens)
        : source(std::move(sourceSide)), target(std::move(targetSide)), added(std::move(addedTokens)) {}

    SlowSide source;
    SlowSide target;
    SlowTokens added;
    SlowSplitter splitter;
    std::optional<std::string> unknown; ///< for pieces without an id; nullopt where all have one
    PieceMap<std::int64_t> languages;   ///< tokens that have an id without standing in the vocabulary
    bool cutsLanguage = false;          ///< ">>xx<<" at the start of a stretch is a piece of its own
    /// The suffix stands behind both texts of a pair, and behind none that ends with it already.
    bool endsEachText = false;
    bool isBytes = false; ///< the pieces are bytes: U+00E9 is the byte E9
};

/// Cuts at the added tokens, unless split_special_tokens is set. Throws Error for options of the
/// sentencepiece library that would change what it does.
SlowSplitter slowSplitter(const FormInputs& form, const SlowTokens& added);

/// The unknown token must have an id in the vocabularies of both sides (Error).
std::shared_ptr<const Tokenizer> makeSlowTokenizer(SlowParts parts);

} // namespace headscope
