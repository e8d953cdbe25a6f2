// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_special_tokens.h"

#include "core/base/error.h"
#include "core/tokenizer/class_rules_settings.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace headscope {

namespace {

/// In the order in which the class adds them.
constexpr std::array<std::string_view, 8> kKeys = {"bos_token", "eos_token", "unk_token",  "sep_token",
                                                   "pad_token", "cls_token", "mask_token", kAdditionalTokens};

using TokensByContent = std::map<std::string, NamedToken>;

NamedToken objectToken(const Json& json, const std::string& subject) {
    const StageFields fields(json, subject);
    NamedToken named;
    named.isObject = true;
    named.token.content = fields.string("content");
    named.token.singleWord = fields.boolean("single_word", false);
    named.token.lstrip = fields.boolean("lstrip", false);
    named.token.rstrip = fields.boolean("rstrip", false);
    named.token.special = fields.boolean("special", false);
    named.normalizedIsOpen = fields.find("normalized") == nullptr;
    named.token.normalized = fields.boolean("normalized", false);
    return named;
}

NamedToken readToken(const Json& json, const std::string& subject) {
    NamedToken named;
    if (json.isString())
        named = bareToken(json.asString());
    else if (json.isObject())
        named = objectToken(json, subject);
    else
        fail(subject, fmt::format("found {}", json.typeName()), "expected a string or an object");
    if (named.token.content.size() > AddedTokens::kMaxContentBytes)
        fail(subject, fmt::format("{} bytes", named.token.content.size()),
             fmt::format("expected at most {}", AddedTokens::kMaxContentBytes));
    return named;
}

/// The tokens that one key gives; a null gives none. An absent key is not asked for.
std::vector<NamedToken> readKey(const Json& json, std::string_view key, const std::string& subject) {
    std::vector<NamedToken> tokens;
    if (json.isNull()) return tokens;
    if (key != kAdditionalTokens) {
        tokens.push_back(readToken(json, subject));
        return tokens;
    }
    if (!json.isArray()) fail(subject, fmt::format("found {}", json.typeName()), "expected an array");
    for (const Json& item : json.items()) tokens.push_back(readToken(item, subject));
    return tokens;
}

void readConfig(const Json& config, DeclaredTokens& declared) {
    for (const std::string_view key : kKeys)
        if (const Json* value = config.find(key))
            declared.byKey[std::string(key)] = readKey(*value, key, ClassSettings::subjectOf(key));
    if (const Json* list = config.find(kAdditionalTokens)) declared.hasAdditional = !list->isNull();
    const Json* extra = config.find("extra_special_tokens");
    if (extra == nullptr) return;
    const std::string subject = ClassSettings::subjectOf("extra_special_tokens");
    if (!extra->isObject())
        fail(subject, fmt::format("found {}", extra->typeName()), "expected an object of names and tokens");
    for (const auto& [name, value] : extra->members())
        declared.extra.push_back(
            readToken(value, fmt::format("{}: {}", subject, escapeForMessage(name, 40))));
}

/// Its objects are special whatever they say; its list goes behind the one of tokenizer_config.json.
void readSpecialTokensMap(const Json& map, DeclaredTokens& declared) {
    for (const std::string_view key : kKeys) {
        const Json* value = map.find(key);
        if (value == nullptr) continue;
        std::vector<NamedToken> read = readKey(*value, key, fmt::format("special_tokens_map.json: {}", key));
        for (NamedToken& named : read) named.token.special |= named.isObject;
        std::vector<NamedToken>& list = declared.byKey[std::string(key)];
        if (key == kAdditionalTokens) declared.hasAdditional = !value->isNull();
        if (key != kAdditionalTokens || value->isNull()) {
            list = std::move(read);
            continue;
        }
        for (const NamedToken& named : read) {
            const auto same = [&](const NamedToken& other) {
                return other.isObject == named.isObject && other.settled() == named.settled();
            };
            if (std::none_of(list.begin(), list.end(), same)) list.push_back(named);
        }
    }
}

std::int64_t readIdKey(const std::string& text, const std::string& subject) {
    std::int64_t id = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size() || id < 0 || id > kMaxId)
        fail(subject, fmt::format("the key \"{}\"", escapeForMessage(text, 40)), "expected a token id");
    return id;
}

TokensById readDecoder(const Json& decoder) {
    const std::string subject = "tokenizer_config.json: added_tokens_decoder";
    if (!decoder.isObject()) fail(subject, fmt::format("found {}", decoder.typeName()), "expected an object");
    TokensById tokens;
    for (const auto& [key, value] : decoder.members()) {
        const std::string entry = fmt::format("{}: {}", subject, escapeForMessage(key, 40));
        const std::int64_t id = readIdKey(key, subject);
        if (!value.isObject()) fail(entry, fmt::format("found {}", value.typeName()), "expected an object");
        tokens.set(id, readToken(value, entry));
    }
    return tokens;
}

bool namesContent(const TokensByKey& tokens, const std::string& content) {
    return std::any_of(tokens.begin(), tokens.end(), [&](const auto& entry) {
        return std::any_of(entry.second.begin(), entry.second.end(),
                           [&](const NamedToken& named) { return named.token.content == content; });
    });
}

/// What stands in for added_tokens_decoder in older folders: added_tokens.json, then tokenizer.json over it.
/// The last token of added_tokens.json is, by an oversight of the reference, also what the last additional
/// special token of special_tokens_map.json stands for where another key names it.
void readOldAddedTokens(const ClassInputs& inputs, DeclaredTokens& declared, TokensByContent& byContent) {
    if (inputs.addedTokens) {
        const std::string subject = "added_tokens.json";
        if (!inputs.addedTokens->isObject())
            fail(subject, fmt::format("found {}", inputs.addedTokens->typeName()), "expected an object");
        std::string last = "None";
        const Json* additional =
            inputs.specialTokensMap ? inputs.specialTokensMap->find(kAdditionalTokens) : nullptr;
        if (additional != nullptr && additional->isArray() && !additional->items().empty())
            last = readToken(additional->items().back(), subject).token.content;
        for (const auto& [content, value] : inputs.addedTokens->members()) {
            NamedToken named = readToken(Json(content), subject);
            named.isObject = true;
            named.token.special = namesContent(declared.byKey, content);
            named.token.normalized = !named.token.special;
            named.normalizedIsOpen = false;
            byContent[last] = named;
            declared.byId.set(
                readId(value, fmt::format("{}: \"{}\"", subject, escapeForMessage(content, 40))), named);
        }
    }
    for (const ListedToken& entry : inputs.listed) {
        const NamedToken named = {entry.token, true, false};
        declared.byId.set(entry.id, named);
        byContent[entry.token.content] = named;
    }
}

/// Tokens of the map whose content a key repeats stand in for what the key says.
void replaceByContent(const TokensByContent& byContent, TokensByKey& tokens) {
    for (auto& [key, list] : tokens) {
        if (key == kAdditionalTokens) continue;
        for (NamedToken& named : list)
            if (const auto at = byContent.find(named.token.content); at != byContent.end())
                named = at->second;
    }
}

NamedToken wrapped(NamedToken named, const StringWrap& wrap) {
    if (named.isObject || !wrap.becomesObject) return named;
    named.isObject = true;
    named.token.lstrip = wrap.lstrip;
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

DeclaredTokens readDeclaredTokens(const ClassInputs& inputs) {
    DeclaredTokens declared;
    const Json* decoder = nullptr;
    if (inputs.tokenizerConfig) {
        readConfig(*inputs.tokenizerConfig, declared);
        decoder = inputs.tokenizerConfig->find("added_tokens_decoder");
    }
    TokensByContent byContent;
    if (decoder != nullptr) {
        declared.byId = readDecoder(*decoder);
        for (const auto& [id, named] : declared.byId.inOrder()) byContent[named.token.content] = named;
    } else {
        if (inputs.specialTokensMap) readSpecialTokensMap(*inputs.specialTokensMap, declared);
        readOldAddedTokens(inputs, declared, byContent);
    }
    replaceByContent(byContent, declared.byKey);
    return declared;
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
    for (const std::string_view key : kKeys)
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
