// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/text_pattern.h"

#include "core/base/error.h"
#include "core/tokenizer/code_point.h"
#include "core/tokenizer/known_regexes.h"
#include "core/tokenizer/regex.h"

#include <fmt/format.h>

namespace headscope {

namespace {

class LiteralSearch : public TextSearch {
  public:
    explicit LiteralSearch(const std::string& literal) : m_literal(literal) {}

    void forEachMatch(std::string_view text, const MatchSink& found) override {
        if (m_literal.empty()) {
            for (std::size_t at = 0; at < text.size(); at += utf8Length(text[at])) found(at, at);
            found(text.size(), text.size());
            return;
        }
        // Both are well-formed UTF-8, so that a match cannot begin inside a character.
        for (std::size_t at = text.find(m_literal); at != std::string_view::npos;
             at = text.find(m_literal, at + m_literal.size()))
            found(at, at + m_literal.size());
    }

  private:
    const std::string& m_literal;
};

class Literal : public TextPattern {
  public:
    explicit Literal(std::string text) : m_literal(std::move(text)) {}
    std::unique_ptr<TextSearch> startSearch(std::size_t) const override {
        return std::make_unique<LiteralSearch>(m_literal);
    }

  private:
    std::string m_literal;
};

class KnownRegexSearch : public TextSearch {
  public:
    explicit KnownRegexSearch(RegexScanner scanner) : m_scanner(scanner) {}

    void forEachMatch(std::string_view text, const MatchSink& found) override {
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = m_scanner(text, at);
            if (end == at) {
                at += utf8Length(text[at]);
                continue;
            }
            found(at, end);
            at = end;
        }
    }

  private:
    RegexScanner m_scanner;
};

class KnownRegex : public TextPattern {
  public:
    explicit KnownRegex(RegexScanner scanner) : m_scanner(scanner) {}
    std::unique_ptr<TextSearch> startSearch(std::size_t) const override {
        return std::make_unique<KnownRegexSearch>(m_scanner);
    }

  private:
    RegexScanner m_scanner;
};

} // namespace

TextPatternPtr regexPattern(std::string_view regex, const std::string& subject) {
    if (const RegexScanner scanner = scannerFor(regex)) return std::make_unique<KnownRegex>(scanner);
    return std::make_unique<Regex>(regex, subject);
}

TextPatternPtr parseTextPattern(const StageFields& stage) {
    const std::string subject = stage.subjectOf("pattern");
    const Json& json = stage.required("pattern");
    const StageFields pattern(json, subject);
    const bool isString = pattern.find("String") != nullptr;
    if (json.members().size() != 1 || (!isString && pattern.find("Regex") == nullptr))
        fail(subject, "an object of another form", "expected {\"String\": ...} or {\"Regex\": ...}");
    if (isString) return std::make_unique<Literal>(pattern.string("String"));
    return regexPattern(pattern.string("Regex"), subject);
}

} // namespace headscope
