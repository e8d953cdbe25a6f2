// SPDX-License-Identifier: GPL-3.0-or-later
// The additional special tokens that some classes have by themselves.
#include "core/base/error.h"
#include "core/tokenizer/class_rules_settings.h"
#include "core/tokenizer/class_special_tokens.h"
#include "core/tokenizer/language_codes.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace headscope {

namespace {

constexpr std::int64_t kMaxCount = 100'000;

using Tokens = std::vector<NamedToken>;

bool holdsBare(const Tokens& tokens, std::string_view content) {
    return std::ranges::any_of(
        tokens, [&](const NamedToken& named) { return !named.isObject && named.token.content == content; });
}

void addBare(Tokens& tokens, std::string_view content) {
    tokens.push_back(bareToken(std::string(content)));
}

Tokens bareTokens(std::span<const std::string_view> contents) {
    Tokens tokens;
    for (const std::string_view content : contents) addBare(tokens, content);
    return tokens;
}

Tokens mBartTokens(const Tokens& given) {
    Tokens tokens = bareTokens(std::span(languages::kMBart50).first(languages::kMBartCount));
    const Tokens codes = tokens;
    for (const NamedToken& named : given)
        if (named.isObject || !holdsBare(codes, named.token.content)) tokens.push_back(named);
    return tokens;
}

Tokens mBart50Tokens(Tokens tokens) {
    const Tokens given = tokens;
    for (const std::string_view code : languages::kMBart50)
        if (!holdsBare(given, code)) addBare(tokens, code);
    return tokens;
}

Tokens t5Tokens(const Tokens* given, const ClassSettings& settings) {
    const std::int64_t count = settings.integer("extra_ids", 100, kMaxCount);
    Tokens tokens = given == nullptr ? Tokens() : *given;
    const auto named = std::ranges::count_if(tokens, [](const NamedToken& token) {
        return token.token.content.find("<extra_id_") != std::string::npos;
    });
    if (named > 0 && count > 0 && named != count)
        fail(ClassSettings::subjectOf(kAdditionalTokens), fmt::format("{} tokens <extra_id_...>", named),
             fmt::format("expected {} (extra_ids) or none", count));
    if (named == 0)
        for (std::int64_t i = 0; i < count; ++i) addBare(tokens, fmt::format("<extra_id_{}>", i));
    return tokens;
}

/// Where a list is given, its tokens with "extra_id" in them must be as many as extra_ids says.
Tokens byT5Tokens(const Tokens* given, const ClassSettings& settings) {
    const std::int64_t count = settings.integer("extra_ids", 125, kMaxCount);
    Tokens tokens = given == nullptr ? Tokens() : *given;
    if (given == nullptr)
        for (std::int64_t i = 0; i < count; ++i) addBare(tokens, fmt::format("<extra_id_{}>", i));
    if (count == 0 || tokens.empty()) return tokens;
    std::set<std::pair<bool, AddedToken>> named;
    for (const NamedToken& token : tokens)
        if (token.token.content.find("extra_id") != std::string::npos)
            named.emplace(token.isObject, token.settled());
    if (static_cast<std::int64_t>(named.size()) != count)
        fail(ClassSettings::subjectOf(kAdditionalTokens), fmt::format("{} tokens extra_id", named.size()),
             fmt::format("expected {} (extra_ids), or no list", count));
    return tokens;
}

/// A token that may be null; `fallback` where it is not written.
std::optional<std::string> optionalToken(const ClassSettings& settings, std::string_view key,
                                         std::string_view fallback) {
    return settings.find(key) == nullptr ? std::optional(std::string(fallback)) : settings.text(key);
}

Tokens pegasusTokens(const Tokens* given, const ClassSettings& settings) {
    const std::optional<std::string> mask = optionalToken(settings, "mask_token_sent", "<mask_1>");
    const std::int64_t offset = settings.integer("offset", 103, kMaxCount);
    Tokens tokens;
    if (mask && (given == nullptr || !holdsBare(*given, *mask))) addBare(tokens, *mask);
    std::int64_t first = 2;
    if (given != nullptr) {
        tokens.insert(tokens.end(), given->begin(), given->end());
        first = static_cast<std::int64_t>(tokens.size());
    }
    const std::int64_t end = given == nullptr ? offset : offset - 1;
    for (std::int64_t i = first; i < end; ++i) addBare(tokens, fmt::format("<unk_{}>", i));
    std::set<std::string> seen;
    for (const NamedToken& named : tokens)
        if (!named.isObject && given != nullptr && !seen.insert(named.token.content).second)
            fail(ClassSettings::subjectOf(kAdditionalTokens),
                 fmt::format("\"{}\" comes twice, with the tokens <unk_...> that fill up the offset",
                             escapeForMessage(named.token.content, 40)),
                 "expected each token once");
    return tokens;
}

Tokens codeLlamaTokens(Tokens tokens, const ClassSettings& settings) {
    constexpr std::pair<std::string_view, std::string_view> kTokens[] = {{"prefix_token", "▁<PRE>"},
                                                                         {"middle_token", "▁<MID>"},
                                                                         {"suffix_token", "▁<SUF>"},
                                                                         {"eot_token", "▁<EOT>"}};
    for (const auto& [key, fallback] : kTokens)
        if (const std::optional<std::string> token = optionalToken(settings, key, fallback))
            addBare(tokens, *token);
    return tokens;
}

} // namespace

std::vector<NamedToken> additionalTokens(const ClassRule& rule, const ClassInputs& inputs,
                                         const DeclaredTokens& declared) {
    constexpr std::string_view kCamembert[] = {"<s>NOTUSED", "</s>NOTUSED", "<unk>NOTUSED"};
    constexpr std::string_view kXlNet[] = {"<eop>", "<eod>"};
    const ClassSettings settings(inputs);
    const auto at = declared.byKey.find(kAdditionalTokens);
    const bool isWritten = at != declared.byKey.end();
    const Tokens given = isWritten ? at->second : Tokens();
    const Tokens* list = declared.hasAdditional ? &given : nullptr;
    switch (rule.more) {
    case MoreTokens::Listed:
        return given;
    case MoreTokens::CodeLlama:
        return codeLlamaTokens(given, settings);
    case MoreTokens::Camembert:
        return isWritten ? given : bareTokens(kCamembert);
    case MoreTokens::XlNet:
        return isWritten ? given : bareTokens(kXlNet);
    case MoreTokens::T5:
        return t5Tokens(list, settings);
    case MoreTokens::ByT5:
        return byT5Tokens(list, settings);
    case MoreTokens::Pegasus:
        return pegasusTokens(list, settings);
    case MoreTokens::MBart:
        return mBartTokens(given);
    case MoreTokens::MBart50:
        return mBart50Tokens(given);
    case MoreTokens::Nllb:
        return list != nullptr ? given : bareTokens(languages::kNllb);
    }
    return given;
}

} // namespace headscope
