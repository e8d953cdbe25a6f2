// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tokenizer/tokenizer.h"

#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace headscope::test {

/// A tokenizer.json with the given stages (JSON texts); the model is WordPiece over `vocab`.
struct TokenizerJson {
    std::string addedTokens = "[]";
    std::string normalizer = "null";
    std::string preTokenizer = R"({"type":"BertPreTokenizer"})";
    std::string postProcessor = "null";
    std::string vocab = R"({"[UNK]":0,"a":1,"b":2,"##b":3,"ab":4,"c":5})";
    std::string unknown = "[UNK]";

    std::string text() const {
        return fmt::format(
            R"({{"version":"1.0","truncation":null,"padding":null,"added_tokens":{},"normalizer":{},)"
            R"("pre_tokenizer":{},"post_processor":{},"decoder":null,"model":{{"type":"WordPiece",)"
            R"("unk_token":"{}","continuing_subword_prefix":"##","max_input_chars_per_word":100,)"
            R"("vocab":{}}}}})",
            addedTokens, normalizer, preTokenizer, postProcessor, unknown, vocab);
    }
    std::shared_ptr<const Tokenizer> tokenizer() const {
        return parseTokenizer(text(), "tokenizer.json", {});
    }
};

/// An entry of added_tokens; `flags` is a list of names that are true.
inline std::string addedToken(int id, const std::string& content, const std::string& flags = "") {
    const auto has = [&](const char* name) { return flags.find(name) != std::string::npos; };
    return fmt::format(
        R"({{"id":{},"content":"{}","single_word":{},"lstrip":{},"rstrip":{},"normalized":{},"special":{}}})",
        id, content, has("single_word"), has("lstrip"), has("rstrip"), has("normalized"), has("special"));
}

/// "id(start,end)" of every token, separated by spaces.
inline std::string shown(const std::vector<Token>& tokens) {
    std::string result;
    for (const Token& token : tokens)
        result += fmt::format("{}{}({},{})", result.empty() ? "" : " ", token.id, token.start, token.end);
    return result;
}

inline std::string encoded(const Tokenizer& tokenizer, std::string_view text) {
    return shown(tokenizer.encode(text, std::nullopt, {}));
}

} // namespace headscope::test
