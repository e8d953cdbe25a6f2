// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/stage_fields.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace headscope {

/// Receives the bytes [begin, end) of a match, which may be empty.
using MatchSink = std::function<void(std::size_t begin, std::size_t end)>;

/// One search through a text, or through the pieces of one. Not to be shared by threads.
class TextSearch {
  public:
    virtual ~TextSearch() = default;
    /// Calls `found` for every match in `text` (well-formed UTF-8, not empty) from left to right. Matches do
    /// not overlap; one that is empty may stand between two characters or at an end of the text, but not
    /// right behind another match. Throws Error where the search takes too long.
    virtual void forEachMatch(std::string_view text, const MatchSink& found) = 0;
};

/// What Replace and Split look for. Immutable.
class TextPattern {
  public:
    virtual ~TextPattern() = default;
    /// A search through texts of `bytes` bytes together. The pattern must outlive it.
    virtual std::unique_ptr<TextSearch> startSearch(std::size_t bytes) const = 0;
};

using TextPatternPtr = std::unique_ptr<const TextPattern>;

/// The field "pattern" of a stage: {"String": ...} is looked for as it stands, {"Regex": ...} as Oniguruma
/// reads it. Throws Error for another form and for a regular expression that cannot be read.
TextPatternPtr parseTextPattern(const StageFields& stage);

/// A regular expression; the best known ones are scanned without Oniguruma (known_regexes.h).
TextPatternPtr regexPattern(std::string_view regex, const std::string& subject);

} // namespace headscope
