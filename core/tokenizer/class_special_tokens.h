// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/class_rules.h"

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope {

/// A special token as a configuration or a class gives it: a bare string, or an object whose "normalized" may
/// be left open.
struct NamedToken {
    AddedToken token;
    bool isObject = false;
    bool normalizedIsOpen = true; ///< then it becomes the opposite of `special`
    bool isRaw = false; ///< an object of tokenizer_config.json, no token yet when added_tokens.json is read
    bool isUntyped = false; ///< such an object that does not say it is a token

    AddedToken settled() const;
};

NamedToken bareToken(std::string content);

/// Tokens by the ids that a file or a class gives them, in the order in which they came.
class TokensById {
  public:
    using Entry = std::pair<std::int64_t, NamedToken>;

    /// An id that is there keeps its place.
    void set(std::int64_t id, NamedToken token);
    const NamedToken* find(std::int64_t id) const;
    const std::vector<Entry>& inOrder() const { return m_entries; }
    std::vector<Entry> sorted() const; ///< by id

  private:
    std::vector<Entry> m_entries;
    std::map<std::int64_t, std::size_t> m_places;
};

/// By "bos_token", ...; a key without tokens is one that is null.
using TokensByKey = std::map<std::string, std::vector<NamedToken>, std::less<>>;

inline constexpr std::string_view kAdditionalTokens = "additional_special_tokens";
/// In the order in which a class adds its tokens.
inline constexpr std::array<std::string_view, 8> kSpecialTokenKeys = {
    "bos_token", "eos_token", "unk_token",  "sep_token",
    "pad_token", "cls_token", "mask_token", kAdditionalTokens};

/// What the files say of tokens, before the class adds its own.
struct DeclaredTokens {
    TokensByKey byKey;
    bool hasAdditional = false;    ///< additional_special_tokens is a list, not null or absent
    TokensById byId;               ///< added_tokens_decoder, or what stands in for it in older folders
    std::vector<NamedToken> extra; ///< extra_special_tokens
};

/// (class_declared_tokens.cpp) Throws Error for entries that transformers cannot read.
DeclaredTokens readDeclaredTokens(const ClassInputs& inputs);

/// The special tokens that a class ends up with.
struct SpecialTokens {
    TokensByKey byKey;
    std::vector<NamedToken> extra;

    /// The token of a key, e.g. "cls_token"; nullptr where the class has none.
    const NamedToken* find(std::string_view key) const;
    /// Its content. Throws Error where there is none.
    const std::string& content(std::string_view key) const;
    /// Every token once, by content, in the order in which the class adds them.
    std::vector<NamedToken> all() const;
};

SpecialTokens specialTokensOf(const ClassRule& rule, const ClassInputs& inputs,
                              const DeclaredTokens& declared);

/// additional_special_tokens of the class (class_more_tokens.cpp). An absent one is null.
std::vector<NamedToken> additionalTokens(const ClassRule& rule, const ClassInputs& inputs,
                                         const DeclaredTokens& declared);

/// The tokens that the class adds, in order; the library ignores those that it has with the same flags. A
/// special token that is a bare string is added only where nothing of its content is `present`.
std::vector<AddedToken> tokensToAdd(const SpecialTokens& special, const TokensById& byId,
                                    const AddedTokens& present);

} // namespace headscope
