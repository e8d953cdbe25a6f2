// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "core/analysis/export_json.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

namespace headscope::app {

namespace {

/// Writes a text in parts: the tokens of a long one take many times its own size.
class PartWriter {
  public:
    std::string& text() { return m_text; }
    /// To be called now and then.
    void writeFullPart() {
        if (m_text.size() >= kPartBytes) writeRest();
    }
    void writeRest() {
        writeResult(m_text);
        m_text.clear();
    }

  private:
    static constexpr std::size_t kPartBytes = std::size_t{1} << 20;

    std::string m_text;
};

std::string asJson(const Token& token) {
    JsonWriter json;
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
    return compactJson(json.finish());
}

void writeJsonLine(const std::vector<Token>& tokens, const CancelToken& cancel) {
    PartWriter out;
    out.text() = fmt::format("{{\"headscope\": \"{}\", \"tokens\": [", versionText());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (i > 0) out.text() += ", ";
        out.text() += asJson(tokens[i]);
        out.writeFullPart();
        cancel.throwIfCancelled();
    }
    out.text() += "]}\n";
    out.writeRest();
}

void writeTable(const std::vector<Token>& tokens, const CancelToken& cancel) {
    PartWriter out;
    out.text() =
        fmt::format("{:>6} {:>8}  {:>6} {:>6}  {:<8} {}\n", "index", "id", "start", "end", "from", "piece");
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Token& token = tokens[i];
        const char* from = token.special ? "special" : token.text == 1 ? "second" : "first";
        fmt::format_to(std::back_inserter(out.text()), "{:>6} {:>8}  {:>6} {:>6}  {:<8} {}\n", i, token.id,
                       token.start, token.end, from, escapeForMessage(token.piece));
        out.writeFullPart();
        cancel.throwIfCancelled();
    }
    out.writeRest();
}

void writeTokens(const TokensCommand& command, const std::vector<Token>& tokens, Session& session) {
    if (command.json)
        writeJsonLine(tokens, session.cancel);
    else
        writeTable(tokens, session.cancel);
}

using TokensOf = std::function<std::vector<Token>(TextInput)>;

/// Without a length rule the tokenizer alone answers, and the weights stay on disk.
TokensOf tokenSource(const TokensCommand& command, Session& session) {
    if (command.input.truncate || command.input.piece) {
        auto model = openModelFor(session, command.model, command.common);
        return [model](const TextInput& input) { return tokenizeText(*model, input).tokens; };
    }
    const Checkpoint checkpoint = openCheckpoint(command.model);
    const auto tokenizer = loadTokenizer(checkpoint, session.console.notes());
    return [tokenizer](const TextInput& input) {
        std::optional<std::string_view> pair;
        if (input.pair) pair = *input.pair;
        return tokenizer->encode(input.text, pair, {.addSpecial = input.addSpecial});
    };
}

void printLines(const TokensCommand& command, TextInput whole, const TokensOf& tokensOf, Session& session) {
    const std::string text = std::exchange(whole.text, {}); // else each line would begin as a copy of it
    std::string_view rest = text;
    bool first = true;
    while (!rest.empty()) {
        session.cancel.throwIfCancelled();
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        TextInput line = whole;
        line.text = rest.substr(0, end);
        const std::vector<Token> tokens = tokensOf(std::move(line));
        // Tables are kept apart by an empty line, JSON objects by the line's end.
        if (!command.json && !first) writeResult("\n");
        writeTokens(command, tokens, session);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        first = false;
    }
}

} // namespace

void runTokens(const TokensCommand& command, Session& session) {
    requireModel(command.model);
    TextInput input = readInput(command.input);
    const TokensOf tokensOf = tokenSource(command, session);
    if (command.input.textFile) {
        printLines(command, std::move(input), tokensOf, session);
        return;
    }
    writeTokens(command, tokensOf(std::move(input)), session);
}

} // namespace headscope::app
