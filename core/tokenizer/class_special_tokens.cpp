// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_special_tokens.h"

#include "core/base/error.h"
#include "core/tokenizer/class_rules_settings.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace headscope {

namespace {

NamedToken wrapped(NamedToken named, const StringWrap& wrap) {
    if (named.isObject || !wrap.becomesObject) return named;
    named.isObject = true;
    named.token.lstrip = wrap.lstrip;
    named.token.rstrip = wrap.rstrip;
    named.token.special = wrap.special;
    named.normalizedIsOpen = !wrap.normalized.has_value();
    named.token.normalized = wrap.normalized.value_or(false);
    return named;
}

void applyParameters(std::span<const DefaultToken> parameters, TokensByKey& tokens) {
    for (const DefaultToken& parameter : parameters) {
        auto [at, isNew] = tokens.try_emplace(std::string(parameter.key));
        if (isNew && !parameter.content.empty())
            at->second.push_back(bareToken(std::string(parameter.content)));
        for (NamedToken& named : at->second) named = wrapped(std::move(named), parameter.wrap);
    }
}

/// The slow class hands its tokens on as copies, in which nothing is open any more.
void closeObjects(std::vector<NamedToken>& tokens) {
    for (NamedToken& named : tokens) {
        if (!named.isObject) continue;
        named.token = named.settled();
        named.normalizedIsOpen = false;
    }
}

} // namespace

AddedToken NamedToken::settled() const {
    AddedToken result = token;
    if (normalizedIsOpen) result.normalized = !token.special;
    return result;
}

void TokensById::set(std::int64_t id, NamedToken token) {
    const auto [at, isNew] = m_places.try_emplace(id, m_entries.size());
    if (isNew)
        m_entries.emplace_back(id, std::move(token));
    else
        m_entries[at->second].second = std::move(token);
}

const NamedToken* TokensById::find(std::int64_t id) const {
    const auto at = m_places.find(id);
    return at == m_places.end() ? nullptr : &m_entries[at->second].second;
}

std::vector<TokensById::Entry> TokensById::sorted() const {
    std::vector<Entry> result;
    for (const auto& [id, place] : m_places) result.push_back(m_entries[place]);
    return result;
}

NamedToken bareToken(std::string content) {
    NamedToken named;
    named.token.content = std::move(content);
    return named;
}

SpecialTokens specialTokensOf(const ClassRule& rule, const ClassInputs& inputs,
                              const DeclaredTokens& declared) {
    SpecialTokens special;
    special.byKey = declared.byKey;
    special.extra = declared.extra;
    // A class that builds although there is a tokenizer.json hands the slow class what it has made of the
    // tokens.
    if (!inputs.isBuilt || inputs.isRebuilt) applyParameters(rule.tokens, special.byKey);
    if (inputs.isBuilt) applyParameters(rule.slowTokens, special.byKey);
    special.byKey[std::string(kAdditionalTokens)] = additionalTokens(rule, inputs, declared);
    if (inputs.isBuilt) {
        for (auto& [key, tokens] : special.byKey) closeObjects(tokens);
        closeObjects(special.extra);
    }
    return special;
}

const NamedToken* SpecialTokens::find(std::string_view key) const {
    const auto at = byKey.find(key);
    return at == byKey.end() || at->second.empty() ? nullptr : &at->second.front();
}

const std::string& SpecialTokens::content(std::string_view key) const {
    const NamedToken* named = find(key);
    if (named == nullptr)
        fail(ClassSettings::subjectOf(key), "null", "expected the token, which this class cannot do without");
    return named->token.content;
}

std::vector<NamedToken> SpecialTokens::all() const {
    std::vector<NamedToken> result;
    std::set<std::string> seen;
    const auto addFresh = [&](const std::vector<NamedToken>& tokens, bool skipsEmpty) {
        std::vector<NamedToken> fresh;
        for (const NamedToken& named : tokens) {
            const bool skipped = skipsEmpty && named.token.content.empty() && !named.isObject;
            if (!skipped && !seen.contains(named.token.content)) fresh.push_back(named);
        }
        for (const NamedToken& named : fresh) seen.insert(named.token.content);
        result.insert(result.end(), fresh.begin(), fresh.end());
    };
    for (const std::string_view key : kSpecialTokenKeys)
        if (const auto at = byKey.find(key); at != byKey.end())
            addFresh(at->second, key != kAdditionalTokens);
    for (const NamedToken& named : extra) addFresh({named}, true);
    return result;
}

std::vector<AddedToken> tokensToAdd(const SpecialTokens& special, const TokensById& byId,
                                    const AddedTokens& present) {
    std::set<std::string> contents;
    for (const auto& [id, token] : present.byId()) contents.insert(token.content);
    std::vector<NamedToken> added;
    for (const auto& [id, named] : byId.sorted()) {
        added.push_back(named);
        contents.insert(named.token.content);
    }

    const std::vector<NamedToken> all = special.all();
    std::set<std::string> specialContents;
    for (const NamedToken& named : all) specialContents.insert(named.token.content);
    for (const NamedToken& named : all)
        if (named.isObject || !contents.contains(named.token.content)) added.push_back(named);

    std::vector<AddedToken> result;
    for (NamedToken& named : added) {
        named.token.special = named.token.special || specialContents.contains(named.token.content);
        result.push_back(named.settled());
    }
    return result;
}

} // namespace headscope
