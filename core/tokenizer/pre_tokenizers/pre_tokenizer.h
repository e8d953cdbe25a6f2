// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/tokenizer/pieces.h"

#include <memory>
#include <string>

namespace headscope {

/// Cuts the pieces further, each as a text of its own. Immutable.
class PreTokenizer {
  public:
    virtual ~PreTokenizer() = default;
    virtual void split(Pieces& pieces) const = 0;
};

using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;

/// Reads the stage `json` by its "type"; `subject` names it in errors. nullptr for null: nothing is cut.
PreTokenizerPtr parsePreTokenizer(const Json& json, const std::string& subject);

// One parser a type; each stands in the file of that name, those that cut at single characters in
// character_splits.cpp.
PreTokenizerPtr parseBertPreTokenizer(const Json& json, const std::string& subject);
PreTokenizerPtr parseByteLevelPreTokenizer(const Json& json, const std::string& subject);
PreTokenizerPtr parseCharDelimiterSplit(const Json& json, const std::string& subject);
PreTokenizerPtr parseDigits(const Json& json, const std::string& subject);
PreTokenizerPtr parseFixedLength(const Json& json, const std::string& subject);
PreTokenizerPtr parseMetaspace(const Json& json, const std::string& subject);
PreTokenizerPtr parsePunctuation(const Json& json, const std::string& subject);
PreTokenizerPtr parseSplit(const Json& json, const std::string& subject);
PreTokenizerPtr parseUnicodeScripts(const Json& json, const std::string& subject);
PreTokenizerPtr parseWhitespace(const Json& json, const std::string& subject);
PreTokenizerPtr parseWhitespaceSplit(const Json& json, const std::string& subject);
PreTokenizerPtr parsePreTokenizerSequence(const Json& json, const std::string& subject);

} // namespace headscope
