// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/tokenizer/class_rules_settings.h"
#include "core/tokenizer/class_special_tokens.h"
#include "core/tokenizer/stage_fields.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace headscope {

namespace {

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
    const Json* type = fields.find("__type");
    named.isUntyped = type == nullptr || !type->isString() || type->asString() != "AddedToken";
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
    for (const std::string_view key : kSpecialTokenKeys)
        if (const Json* value = config.find(key))
            declared.byKey[std::string(key)] = readKey(*value, key, ClassSettings::subjectOf(key));
    for (auto& [key, tokens] : declared.byKey)
        for (NamedToken& named : tokens) named.isRaw = named.isObject;
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
    for (const std::string_view key : kSpecialTokenKeys) {
        const Json* value = map.find(key);
        if (value == nullptr) continue;
        std::vector<NamedToken> read = readKey(*value, key, fmt::format("special_tokens_map.json: {}", key));
        for (NamedToken& named : read) {
            named.token.special |= named.isObject;
            named.isUntyped = false; // here it need not say so
        }
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
        NamedToken named = readToken(value, entry);
        named.isUntyped = false;
        tokens.set(id, std::move(named));
    }
    return tokens;
}

bool namesContent(const TokensByKey& tokens, const std::string& content) {
    return std::any_of(tokens.begin(), tokens.end(), [&](const auto& entry) {
        return std::any_of(entry.second.begin(), entry.second.end(), [&](const NamedToken& named) {
            return !named.isRaw && named.token.content == content;
        });
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

void requireTyped(const std::vector<NamedToken>& tokens, std::string_view key) {
    for (const NamedToken& named : tokens)
        if (named.isUntyped)
            fail(ClassSettings::subjectOf(key),
                 fmt::format("an object with the content \"{}\"", escapeForMessage(named.token.content, 40)),
                 "expected \"__type\": \"AddedToken\" in it, without which transformers takes it for no "
                 "token");
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

} // namespace

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
    for (const auto& [key, tokens] : declared.byKey) requireTyped(tokens, key);
    requireTyped(declared.extra, "extra_special_tokens");
    replaceByContent(byContent, declared.byKey);
    return declared;
}

} // namespace headscope
