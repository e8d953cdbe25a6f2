// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/utf8.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace headscope {

Json::Json(double value, const JsonDecimal& written)
    : m_value(Real{.value = value,
                   .digits = written.digits,
                   .exponent = written.exponent,
                   .negative = written.negative,
                   .isWritten = true}) {}

const char* Json::typeName() const {
    switch (type()) {
    case Type::Null:
        return "null";
    case Type::Bool:
        return "a boolean";
    case Type::Integer:
        return "an integer";
    case Type::Real:
        return std::isfinite(asReal()) ? "a number" : (std::isnan(asReal()) ? "NaN" : "an infinite number");
    case Type::String:
        return "a string";
    case Type::Array:
        return "an array";
    case Type::Object:
        return "an object";
    }
    return "";
}

bool Json::asBool() const {
    HS_CHECK(isBool());
    return std::get<bool>(m_value);
}

std::int64_t Json::asInteger() const {
    HS_CHECK(isInteger());
    return std::get<std::int64_t>(m_value);
}

double Json::asReal() const {
    HS_CHECK(isNumber());
    return isInteger() ? static_cast<double>(asInteger()) : std::get<Real>(m_value).value;
}

const std::string& Json::asString() const {
    HS_CHECK(isString());
    return std::get<std::string>(m_value);
}

const std::vector<Json>& Json::items() const {
    HS_CHECK(isArray());
    return std::get<std::vector<Json>>(m_value);
}

const std::vector<Json::Member>& Json::members() const {
    HS_CHECK(isObject());
    return std::get<std::vector<Member>>(m_value);
}

std::vector<Json>& Json::items() {
    HS_CHECK(isArray());
    return std::get<std::vector<Json>>(m_value);
}

std::vector<Json::Member>& Json::members() {
    HS_CHECK(isObject());
    return std::get<std::vector<Member>>(m_value);
}

std::optional<JsonDecimal> Json::decimal() const {
    const auto* real = std::get_if<Real>(&m_value);
    if (real == nullptr || !real->isWritten) return std::nullopt;
    return JsonDecimal{.digits = real->digits, .exponent = real->exponent, .negative = real->negative};
}

const Json* Json::find(std::string_view key) const {
    const auto* all = std::get_if<std::vector<Member>>(&m_value);
    if (all == nullptr) return nullptr;
    for (auto member = all->rbegin(); member != all->rend(); ++member)
        if (member->first == key) return &member->second;
    return nullptr;
}

namespace {

/// A NaN or an infinity that stood in the text where the parser is shown a 0.
struct NonFinite {
    std::size_t number; ///< which of the text's numbers, counted from 0
    double value;
};

/// JSON has no NaN; Python writes it all the same. Replaces bare NaN, Infinity and -Infinity by a 0 (or -0)
/// of the same length, so that byte offsets stay, and says which of the text's numbers they were. `text` is
/// copied to `out` only when there is one.
std::vector<NonFinite> replaceNonFinite(std::string_view text, std::string& out) {
    std::vector<NonFinite> found;
    const auto isNumberPart = [](char c) {
        return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
    };
    std::size_t numbers = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
            continue;
        }
        if (c == '"') inString = true;
        if (c != 'N' && c != 'I' && c != '-' && !(c >= '0' && c <= '9')) continue;
        if (i > 0 && isNumberPart(text[i - 1])) continue; // inside a number, or malformed like 1NaN
        const std::string_view rest = text.substr(i);
        const double infinity = std::numeric_limits<double>::infinity();
        const auto replace = [&](std::string_view word, std::string_view zero, double value) {
            if (!rest.starts_with(word)) return false;
            if (found.empty()) out = text;
            out.replace(i, word.size(), std::string(zero) + std::string(word.size() - zero.size(), ' '));
            found.push_back({.number = numbers, .value = value});
            i += word.size() - 1;
            return true;
        };
        const bool replaced = replace("NaN", "0", std::numeric_limits<double>::quiet_NaN()) ||
                              replace("Infinity", "0", infinity) || replace("-Infinity", "-0", -infinity);
        if (replaced || (c != 'N' && c != 'I')) ++numbers;
    }
    return found;
}

/// Builds our value from the parser's events, with an explicit stack: nesting costs heap, never the call
/// stack.
class Builder {
  public:
    Builder(const std::string& subject, const JsonOptions& options, std::vector<NonFinite> nonFinite)
        : m_subject(subject), m_options(options), m_nonFinite(std::move(nonFinite)) {}

    bool null() { return put(Json()); }
    bool boolean(bool value) { return put(Json(value)); }
    bool number_integer(std::int64_t value) { return putNumber(Json(value)); }
    bool number_unsigned(std::uint64_t value) {
        if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return putNumber(Json(static_cast<std::int64_t>(value)));
        return putNumber(Json(static_cast<double>(value), {.digits = value}));
    }
    bool number_float(double value, const std::string& spelling) {
        const std::optional<JsonDecimal> written = decimalOf(spelling);
        return putNumber(written ? Json(value, *written) : Json(value));
    }
    bool string(std::string& value) { return put(Json(std::move(value))); }
    bool binary(nlohmann::json::binary_t& /*unused*/) { return false; }
    bool start_object(std::size_t /*unknown*/) { return open(Json::object()); }
    bool start_array(std::size_t /*unknown*/) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        m_stack.back().members().emplace_back(std::move(name), Json());
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*what*/) {
        refuseAt(position > 0 ? position - 1 : 0);
    }
    [[noreturn]] void refuseAt(std::size_t byte) const {
        throw Error({.subject = m_subject,
                     .found = "the JSON is malformed",
                     .expected = {},
                     .hint = {},
                     .byteOffset = byte});
    }
    Json take() { return std::move(m_root); }

  private:
    bool open(Json container) {
        if (static_cast<int>(m_stack.size()) >= m_options.maxDepth)
            fail(m_subject, fmt::format("the JSON is nested deeper than {} levels", m_options.maxDepth));
        m_stack.push_back(std::move(container));
        return true;
    }
    bool close() {
        Json finished = std::move(m_stack.back());
        m_stack.pop_back();
        return put(std::move(finished));
    }
    bool putNumber(Json value) {
        const std::size_t number = m_numbers++;
        if (m_nextNonFinite < m_nonFinite.size() && m_nonFinite[m_nextNonFinite].number == number)
            value = Json(m_nonFinite[m_nextNonFinite++].value);
        return put(std::move(value));
    }
    bool put(Json value) {
        if (m_stack.empty())
            m_root = std::move(value);
        else if (m_stack.back().isArray())
            m_stack.back().items().push_back(std::move(value));
        else
            m_stack.back().members().back().second = std::move(value);
        return true;
    }

    const std::string& m_subject;
    const JsonOptions& m_options;
    std::vector<NonFinite> m_nonFinite; ///< in the order of the text
    std::size_t m_nextNonFinite = 0;
    std::size_t m_numbers = 0;
    std::vector<Json> m_stack;
    Json m_root;
};

} // namespace

Json parseJson(std::string_view text, const std::string& subject, const JsonOptions& options) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark) && !options.allowByteOrderMark)
        fail(subject, "the JSON starts with a byte order mark");
    if (const auto offset = firstInvalidUtf8(text))
        throw Error({.subject = subject,
                     .found = "the JSON is not valid UTF-8",
                     .expected = {},
                     .hint = {},
                     .byteOffset = *offset});
    std::string replaced;
    std::vector<NonFinite> nonFinite;
    if (options.allowNonFinite) nonFinite = replaceNonFinite(text, replaced);
    if (!nonFinite.empty()) text = replaced;
    // The parser skips the mark itself, so that its offsets count from the start of the text.
    Builder builder(subject, options, std::move(nonFinite));
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    // The parser takes a NUL behind the value for the end of the text, whatever follows.
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) builder.refuseAt(nul);
    return builder.take();
}

void JsonWriter::newline() {
    m_text += '\n';
    m_text.append(2 * m_levels.size(), ' ');
}

void JsonWriter::beforeValue() {
    if (m_afterKey) {
        m_afterKey = false;
        return;
    }
    if (m_levels.empty()) {
        HS_CHECK(m_text.empty());
        return;
    }
    HS_CHECK(m_levels.back().array);
    if (!m_levels.back().empty) m_text += ',';
    m_levels.back().empty = false;
    newline();
}

void JsonWriter::beginObject() {
    beforeValue();
    m_text += '{';
    m_levels.push_back({.array = false, .empty = true});
}

void JsonWriter::beginArray() {
    beforeValue();
    m_text += '[';
    m_levels.push_back({.array = true, .empty = true});
}

void JsonWriter::endObject() {
    HS_CHECK(!m_levels.empty() && !m_levels.back().array && !m_afterKey);
    const bool empty = m_levels.back().empty;
    m_levels.pop_back();
    if (!empty) newline();
    m_text += '}';
}

void JsonWriter::endArray() {
    HS_CHECK(!m_levels.empty() && m_levels.back().array);
    const bool empty = m_levels.back().empty;
    m_levels.pop_back();
    if (!empty) newline();
    m_text += ']';
}

namespace {

void appendQuoted(std::string& out, std::string_view text) {
    out += '"';
    for (const char c : text) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20)
                out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
            else
                out += c;
        }
    }
    out += '"';
}

} // namespace

void JsonWriter::key(std::string_view name) {
    HS_CHECK(!m_levels.empty() && !m_levels.back().array && !m_afterKey);
    if (!m_levels.back().empty) m_text += ',';
    m_levels.back().empty = false;
    newline();
    appendQuoted(m_text, name);
    m_text += ": ";
    m_afterKey = true;
}

void JsonWriter::value(std::string_view text) {
    beforeValue();
    appendQuoted(m_text, text);
}

void JsonWriter::value(bool truth) {
    beforeValue();
    m_text += truth ? "true" : "false";
}

void JsonWriter::value(std::int64_t number) {
    beforeValue();
    m_text += fmt::format("{}", number);
}

void JsonWriter::value(double number) {
    beforeValue();
    m_text += std::isfinite(number) ? fmt::format("{}", number) : "null";
}

void JsonWriter::null() {
    beforeValue();
    m_text += "null";
}

std::string JsonWriter::finish() {
    HS_CHECK(m_levels.empty() && !m_afterKey);
    std::string finished = std::move(m_text);
    m_text.clear();
    finished += '\n';
    return finished;
}

} // namespace headscope
