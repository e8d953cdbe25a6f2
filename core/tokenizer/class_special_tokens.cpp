// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/class_special_tokens.h"

#include "core/base/error.h"
#include "core/tokenizer/stage_fields.h"
#include "core/tokenizer/tokenizer_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <set>

namespace headscope {

namespace {

constexpr std::string_view kAdditional = "additional_special_tokens";
/// In the order in which the class adds them.
constexpr std::array<std::string_view, 8> kKeys = {"bos_token", "eos_token", "unk_token",  "sep_token",
                                                   "pad_token", "cls_token", "mask_token", kAdditional};

using TokensByKey = std::map<std::string_view, std::vector<NamedToken>>;
using TokensById = std::map<std::int64_t, NamedToken>;
using TokensByContent = std::map<std::string, NamedToken>;

NamedToken bareToken(std::string content) {
    NamedToken named;
    named.token.content = std::move(content);
    return named;
}

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
    if (key != kAdditional) {
        tokens.push_back(readToken(json, subject));
        return tokens;
    }
    if (!json.isArray()) fail(subject, fmt::format("found {}", json.typeName()), "expected an array");
    for (const Json& item : json.items()) tokens.push_back(readToken(item, subject));
    return tokens;
}

void readConfig(const Json& config, TokensByKey& tokens) {
    for (const std::string_view key : kKeys)
        if (const Json* value = config.find(key))
            tokens[key] = readKey(*value, key, fmt::format("tokenizer_config.json: {}", key));
}

/// Its objects are special whatever they say; its list goes behind the one of tokenizer_config.json.
void readSpecialTokensMap(const Json& map, TokensByKey& tokens) {
    for (const std::string_view key : kKeys) {
        const Json* value = map.find(key);
        if (value == nullptr) continue;
        std::vector<NamedToken> read = readKey(*value, key, fmt::format("special_tokens_map.json: {}", key));
        for (NamedToken& named : read) named.token.special |= named.isObject;
        if (key == kAdditional && value->isArray()) {
            std::vector<NamedToken>& list = tokens[key];
            for (const NamedToken& named : read) {
                const auto same = [&](const NamedToken& other) {
                    return other.isObject == named.isObject && other.settled() == named.settled();
                };
                if (std::none_of(list.begin(), list.end(), same)) list.push_back(named);
            }
        } else {
            tokens[key] = std::move(read);
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
        tokens[id] = readToken(value, entry);
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
TokensById readOldAddedTokens(const ClassInputs& inputs, const std::vector<ListedToken>& listed,
                              const TokensByKey& tokens) {
    TokensById result;
    if (inputs.addedTokens) {
        const std::string subject = "added_tokens.json";
        if (!inputs.addedTokens->isObject())
            fail(subject, fmt::format("found {}", inputs.addedTokens->typeName()), "expected an object");
        for (const auto& [content, value] : inputs.addedTokens->members()) {
            NamedToken named = readToken(Json(content), subject);
            named.isObject = true;
            named.token.special = namesContent(tokens, content);
            result[readId(value, fmt::format("{}: \"{}\"", subject, escapeForMessage(content, 40)))] = named;
        }
    }
    for (const ListedToken& entry : listed) result[entry.id] = {entry.token, true, false};
    return result;
}

/// Tokens of the map whose content a key repeats stand in for what the key says.
void replaceByContent(const TokensByContent& byContent, TokensByKey& tokens) {
    for (auto& [key, list] : tokens) {
        if (key == kAdditional) continue;
        for (NamedToken& named : list)
            if (const auto at = byContent.find(named.token.content); at != byContent.end())
                named = at->second;
    }
}

/// Every special token once, by content, in the order of the keys.
std::vector<NamedToken> uniqueTokens(const TokensByKey& tokens) {
    std::vector<NamedToken> result;
    std::set<std::string> seen;
    for (const std::string_view key : kKeys) {
        const auto at = tokens.find(key);
        if (at == tokens.end()) continue;
        std::vector<NamedToken> fresh;
        for (const NamedToken& named : at->second) {
            const bool skipped = key != kAdditional && named.token.content.empty() && !named.isObject;
            if (!skipped && !seen.contains(named.token.content)) fresh.push_back(named);
        }
        for (const NamedToken& named : fresh) seen.insert(named.token.content);
        result.insert(result.end(), fresh.begin(), fresh.end());
    }
    return result;
}

} // namespace

AddedToken NamedToken::settled() const {
    AddedToken result = token;
    if (normalizedIsOpen) result.normalized = !token.special;
    return result;
}

std::vector<AddedToken> classTokens(const ClassInputs& inputs, const Json& file,
                                    const std::vector<DefaultToken>& defaults, const AddedTokens& present) {
    TokensByKey tokens;
    for (const DefaultToken& token : defaults) tokens[token.key] = {bareToken(std::string(token.content))};
    const Json* decoder = nullptr;
    if (inputs.tokenizerConfig) {
        readConfig(*inputs.tokenizerConfig, tokens);
        decoder = inputs.tokenizerConfig->find("added_tokens_decoder");
    }

    TokensById byId;
    TokensByContent byContent;
    if (decoder != nullptr) {
        byId = readDecoder(*decoder);
        for (const auto& [id, named] : byId) byContent[named.token.content] = named;
    } else {
        if (inputs.specialTokensMap) readSpecialTokensMap(*inputs.specialTokensMap, tokens);
        const std::vector<ListedToken> listed = readListedTokens(file, "tokenizer.json");
        byId = readOldAddedTokens(inputs, listed, tokens);
        for (const ListedToken& entry : listed) byContent[entry.token.content] = {entry.token, true, false};
    }
    replaceByContent(byContent, tokens);

    std::set<AddedToken> known;
    std::set<std::string> contents;
    for (const auto& [id, token] : present.byId()) {
        known.insert(token);
        contents.insert(token.content);
    }
    std::vector<NamedToken> added;
    for (const auto& [id, named] : byId)
        if (!known.contains(named.settled())) added.push_back(named);
    for (const NamedToken& named : added) contents.insert(named.token.content);

    const std::vector<NamedToken> special = uniqueTokens(tokens);
    std::set<std::string> specialContents;
    for (const NamedToken& named : special) specialContents.insert(named.token.content);
    for (const NamedToken& named : special)
        if (named.isObject || !contents.contains(named.token.content)) added.push_back(named);

    std::vector<AddedToken> result;
    for (NamedToken& named : added) {
        named.token.special = named.token.special || specialContents.contains(named.token.content);
        result.push_back(named.settled());
    }
    return result;
}

} // namespace headscope
