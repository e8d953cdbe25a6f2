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

// One parser a type; each stands in the file of that name.
PreTokenizerPtr parseBertPreTokenizer(const Json& json, const std::string& subject);
PreTokenizerPtr parsePreTokenizerSequence(const Json& json, const std::string& subject);

} // namespace headscope
