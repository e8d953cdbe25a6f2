// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/tokenizer/normalized_text.h"

#include <memory>
#include <string>

namespace headscope {

/// Rewrites one piece of text, as a text of its own. Immutable.
class Normalizer {
  public:
    virtual ~Normalizer() = default;
    virtual void normalize(NormalizedText& text) const = 0;
};

using NormalizerPtr = std::unique_ptr<const Normalizer>;

/// Reads the stage `json` by its "type"; `subject` names it in errors. nullptr for null: nothing is
/// rewritten.
NormalizerPtr parseNormalizer(const Json& json, const std::string& subject);

// One parser a type; each stands in the file of that name, the four normalization forms in
// normalization_form.cpp.
NormalizerPtr parseBertNormalizer(const Json& json, const std::string& subject);
NormalizerPtr parseByteLevelNormalizer(const Json& json, const std::string& subject);
NormalizerPtr parseLowercase(const Json& json, const std::string& subject);
NormalizerPtr parseNfc(const Json& json, const std::string& subject);
NormalizerPtr parseNfd(const Json& json, const std::string& subject);
NormalizerPtr parseNfkc(const Json& json, const std::string& subject);
NormalizerPtr parseNfkd(const Json& json, const std::string& subject);
NormalizerPtr parseNmt(const Json& json, const std::string& subject);
NormalizerPtr parsePrecompiled(const Json& json, const std::string& subject);
NormalizerPtr parsePrepend(const Json& json, const std::string& subject);
NormalizerPtr parseReplace(const Json& json, const std::string& subject);
NormalizerPtr parseStrip(const Json& json, const std::string& subject);
NormalizerPtr parseStripAccents(const Json& json, const std::string& subject);
NormalizerPtr parseNormalizerSequence(const Json& json, const std::string& subject);

// The pieces that BertNormalizer is made of as well.
void applyLowercase(NormalizedText& text);
void applyNfd(NormalizedText& text);
/// Drops every character that `drops` is true for. ASCII is kept without asking.
void dropNonAscii(NormalizedText& text, bool (*drops)(char32_t));

} // namespace headscope
