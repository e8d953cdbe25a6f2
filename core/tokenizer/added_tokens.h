// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/models/model.h"
#include "core/tokenizer/normalizers/normalizer.h"
#include "core/tokenizer/pattern_set.h"
#include "core/tokenizer/pieces.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A token that is cut out of the text before the model sees it.
struct AddedToken {
    std::string content;
    bool singleWord = false; ///< only where no word character stands next to it
    bool lstrip = false;     ///< takes the white space before it
    bool rstrip = false;     ///< takes the white space behind it
    bool normalized = false; ///< looked for in the normalised text, by its normalised content
    bool special = false;    ///< no effect on the search

    friend auto operator<=>(const AddedToken&, const AddedToken&) = default;
};

/// The added tokens of a tokenizer. Follows the library in all that depends on order: ids are given as tokens
/// are added, and the flags of a token that is added twice are the last ones.
class AddedTokens {
  public:
    /// Longer contents are refused.
    static constexpr std::size_t kMaxContentBytes = 4096;

    /// Adds tokens. One whose content has an id (in the model or here) keeps it; the others are numbered from
    /// the number of model entries, or behind the largest added id when that is larger. Contents are
    /// normalised with `normalizer` (may be nullptr), now and for good: a normalizer that is put in its place
    /// later does not change what is searched for.
    void add(std::span<const AddedToken> tokens, const Model& model, const Normalizer* normalizer);
    /// With true, special tokens that are typed in the text are left to the model.
    void setSplitSpecial(bool split) { m_splitSpecial = split; }

    /// Pieces of a text before (`cutTyped`) or after (`cutNormalized`) normalisation, in bytes of `text`, in
    /// the order in which the library finds them; token pieces may overlap. Throws Error where the library
    /// stops at a token that cannot be cut.
    std::vector<Piece> cutTyped(std::string_view text) const { return cut(text, m_typedPatterns); }
    std::vector<Piece> cutNormalized(std::string_view text) const { return cut(text, m_normalizedPatterns); }

    std::optional<std::int64_t> id(std::string_view content) const;
    const AddedToken* find(std::int64_t id) const;
    bool isSpecial(std::int64_t id) const;
    /// By ascending id.
    const std::map<std::int64_t, AddedToken>& byId() const { return m_byId; }

  private:
    void rebuildPatterns(const Normalizer* normalizer);
    std::vector<Piece> cut(std::string_view text, const PatternSet& patterns) const;

    // Ordered: a file may be made so that its contents all meet in one place of a hash table.
    std::map<std::string, std::int64_t, std::less<>> m_ids;
    std::map<std::int64_t, AddedToken> m_byId;
    std::set<std::string> m_specialContents;
    /// What is searched for, in order of precedence: the special tokens as first added, then the others.
    std::vector<AddedToken> m_special;
    std::vector<AddedToken> m_ordinary;
    PatternSet m_typedPatterns;
    PatternSet m_normalizedPatterns;
    bool m_splitSpecial = false;
};

} // namespace headscope
