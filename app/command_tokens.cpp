// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "core/analysis/export_json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <string>

namespace headscope::app {

namespace {

std::string asJsonLine(const std::vector<Token>& tokens) {
    JsonWriter json;
    json.beginObject();
    json.member("headscope", versionText());
    json.key("tokens");
    json.beginArray();
    for (const Token& token : tokens) {
        json.beginObject();
        json.member("id", token.id);
        json.member("piece", token.piece);
        json.member("start", token.start);
        json.member("end", token.end);
        json.member("special", token.special);
        json.key("text");
        if (token.text >= 0)
            json.value(token.text);
        else
            json.null();
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return compactJson(json.finish()) + '\n';
}

std::string asTable(const std::vector<Token>& tokens) {
    std::string text =
        fmt::format("{:>6} {:>8}  {:>6} {:>6}  {:<8} {}\n", "index", "id", "start", "end", "from", "piece");
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const char* from = token.special ? "special" : token.text == 1 ? "second" : "first";
        fmt::format_to(std::back_inserter(text), "{:>6} {:>8}  {:>6} {:>6}  {:<8} {}\n", i, token.id,
                       token.start, token.end, from, escapeForMessage(token.piece));
    }
    return text;
}

using TokensOf = std::function<std::vector<Token>(TextInput)>;

/// Without a length rule the tokenizer alone answers, and the weights stay on disk.
TokensOf tokenSource(const TokensCommand& command, Session& session) {
    if (command.input.truncate || command.input.piece) {
        auto model = openModelFor(session, command.model, command.common);
        if (!model->tokenizer && !model->tokenizerProblem)
            fail(escapeForMessage(model->name), "the folder has no tokenizer.json", {}, "add it");
        return [model](const TextInput& input) { return tokenizeText(*model, input).tokens; };
    }
    const Checkpoint checkpoint = openCheckpoint(command.model);
    if (!checkpoint.tokenizerFile)
        fail(escapeForMessage(checkpoint.folder.filename().string()), "the folder has no tokenizer.json", {},
             "add it");
    const auto tokenizer = loadTokenizer(checkpoint, session.console.notes());
    return [tokenizer](const TextInput& input) {
        std::optional<std::string_view> pair;
        if (input.pair) pair = *input.pair;
        return tokenizer->encode(input.text, pair, {.addSpecial = input.addSpecial});
    };
}

void printLines(const TokensCommand& command, const TextInput& whole, const TokensOf& tokensOf,
                Session& session) {
    std::string_view rest = whole.text;
    bool first = true;
    while (!rest.empty()) {
        session.cancel.throwIfCancelled();
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        TextInput line = whole;
        line.text = rest.substr(0, end);
        const std::vector<Token> tokens = tokensOf(std::move(line));
        // Tables are kept apart by an empty line, JSON objects by the line's end.
        if (!command.json && !first) writeResult("\n");
        writeResult(command.json ? asJsonLine(tokens) : asTable(tokens));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        first = false;
    }
}

} // namespace

void runTokens(const TokensCommand& command, Session& session) {
    TextInput input = readInput(command.input);
    const TokensOf tokensOf = tokenSource(command, session);
    if (command.input.textFile) {
        printLines(command, input, tokensOf, session);
        return;
    }
    const std::vector<Token> tokens = tokensOf(std::move(input));
    writeResult(command.json ? asJsonLine(tokens) : asTable(tokens));
}

} // namespace headscope::app
