// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/gguf/gguf_vocabulary.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/checkpoint/config_reader.h"
#include "core/checkpoint/foreign_content.h"

#include <fmt/format.h>

namespace headscope {

namespace {

std::string fullKey(std::string_view key) {
    return fmt::format("tokenizer.ggml.{}", key);
}

void requireSize(const std::string& subject, std::string_view key, std::size_t found, std::size_t expected) {
    if (found != expected)
        fail(fmt::format("{}: {}", subject, fullKey(key)), fmt::format("{} entries", found),
             fmt::format("expected {}, one for each token", expected));
}

} // namespace

GgufVocabulary::GgufVocabulary(const GgufSource& source)
    : subject(messageName(source.fileName({}))), m_fields(&source.header().fields) {
    const ConfigReader fields(*m_fields, subject);
    model = fields.string("tokenizer.ggml.model", "");
    pre = fields.string("tokenizer.ggml.pre", "");
    tokens = texts("tokens");
    if (tokens.empty())
        fail(subject + ": tokenizer.ggml.tokens", "there are none", "expected the texts of the vocabulary");
    merges = texts("merges");
    const auto types = fields.integers("tokenizer.ggml.token_type", 1, 6);
    if (types) {
        requireSize(subject, "token_type", types->size(), tokens.size());
        for (const std::int64_t type : *types) kinds.push_back(static_cast<GgufTokenKind>(type));
    } else {
        kinds.assign(tokens.size(), GgufTokenKind::Normal);
    }
    const auto numbers = fields.reals("tokenizer.ggml.scores", -1e30, 1e30);
    if (!numbers) return;
    requireSize(subject, "scores", numbers->size(), tokens.size());
    for (const double number : *numbers) scores.push_back(static_cast<float>(number));
}

std::vector<std::string_view> GgufVocabulary::texts(std::string_view key) const {
    const std::string name = fullKey(key);
    const Json* list = m_fields->find(name);
    std::vector<std::string_view> result;
    if (list == nullptr) return result;
    if (!list->isArray())
        fail(fmt::format("{}: {}", subject, name), fmt::format("found {}", list->typeName()),
             "expected an array");
    for (const Json& item : list->items()) {
        if (!item.isString() || firstInvalidUtf8(item.asString()))
            fail(fmt::format("{}: {}", subject, name),
                 fmt::format("entry {} is {}", result.size(),
                             item.isString() ? "no valid UTF-8" : item.typeName()),
                 "expected a text");
        result.push_back(item.asString());
    }
    return result;
}

std::optional<bool> GgufVocabulary::flag(std::string_view key) const {
    return ConfigReader(*m_fields, subject).optionalBoolean(std::string_view(fullKey(key)));
}

std::optional<std::int64_t> GgufVocabulary::id(std::string_view key) const {
    return ConfigReader(*m_fields, subject)
        .optionalInteger(std::string_view(fullKey(key)), 0, static_cast<std::int64_t>(tokens.size()) - 1);
}

} // namespace headscope
