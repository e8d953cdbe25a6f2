// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/regex_syntax.h"

#include "core/tokenizer/code_point.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <unicode/uchar.h>

namespace headscope {

namespace {

using Names = RegexSyntax::Names;

/// Names whose members in 14.0 and 16.0 differ by younger characters only, which their twins stand for: those
/// that go by the general category, and Han. Compared over all code points; so are the lists below.
constexpr std::array kFixed = std::to_array<std::string_view>(
    {"l",      "lu",    "ll",     "lt",          "lm",     "lo",          "m",      "mn",    "mc",
     "me",     "n",     "nd",     "nl",          "no",     "p",           "pc",     "pd",    "ps",
     "pe",     "pi",    "pf",     "po",          "s",      "sm",          "sc",     "sk",    "so",
     "z",      "zs",    "zl",     "zp",          "c",      "cc",          "cf",     "cn",    "co",
     "letter", "mark",  "number", "punctuation", "symbol", "separator",   "other",  "han",   "any",
     "ascii",  "digit", "xdigit", "cntrl",       "space",  "blank",       "punct",  "upper", "uppercase",
     "graph",  "print", "emoji",  "whitespace",  "math",   "ideographic", "idstart"});
constexpr std::array kGrowing = std::to_array<std::string_view>(
    {"emojipresentation", "emojimodifier", "emojimodifierbase", "emojicomponent", "extendedpictographic",
     "xidstart", "dash", "quotationmark", "unifiedideograph", "variationselector", "regionalindicator"});
constexpr std::array kLetters =
    std::to_array<std::string_view>({"alpha", "alphabetic", "alnum", "lower", "lowercase", "cased"});

/// What Oniguruma writes for \R; some releases do not repeat their own.
constexpr std::string_view kLineBreak = R"((?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}]))";

/// As Oniguruma compares names.
std::string plainName(std::string_view name) {
    std::string plain;
    for (const char c : name)
        if (c != ' ' && c != '_' && c != '-') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return plain;
}

bool isScript(const std::string& name) {
    return u_getPropertyValueEnum(UCHAR_SCRIPT, name.c_str()) != UCHAR_INVALID_CODE;
}

std::optional<Names> namesOf(std::string_view name) {
    const std::string plain = plainName(name);
    if (std::ranges::find(kFixed, plain) != kFixed.end()) return Names::Fixed;
    if (std::ranges::find(kLetters, plain) != kLetters.end()) return Names::Letters;
    if (std::ranges::find(kGrowing, plain) != kGrowing.end() || isScript(plain)) return Names::Growing;
    return std::nullopt;
}

/// Reads a pattern once, from front to back.
class SyntaxReader {
  public:
    explicit SyntaxReader(std::string_view pattern) : m_pattern(pattern) {}

    RegexSyntax read() {
        while (m_at < m_pattern.size() && m_result.refusal.empty()) readNext();
        if (m_groups.size() != 1 || m_classDepth != 0)
            refuse("has brackets that are not closed, or not as they are counted here");
        std::ranges::sort(m_result.literals);
        return std::move(m_result);
    }

  private:
    /// What stands in a group.
    struct Group {
        bool looksAround = false; ///< what it reads is read again
        bool cuts = false;        ///< forgets the places to return to
        bool hasLoop = false;     ///< reads stretches of any length
        bool hasCount = false;    ///< repeats a group by a count, even where it is empty
        bool hasLongLook = false; ///< a look around that has a loop, or a cut group that has a count
    };

    struct Repeat {
        bool isMany = false;
        bool isCount = false;
        bool cuts = false;
    };

    char next(std::size_t ahead = 0) const {
        return m_at + ahead < m_pattern.size() ? m_pattern[m_at + ahead] : '\0';
    }
    bool startsWith(std::string_view text) const { return m_pattern.substr(m_at).starts_with(text); }

    void copy(std::size_t bytes) {
        bytes = std::min(bytes, m_pattern.size() - m_at);
        m_result.pattern += m_pattern.substr(m_at, bytes);
        m_at += bytes;
    }

    void refuse(std::string why) {
        if (m_result.refusal.empty()) m_result.refusal = std::move(why);
    }

    void readNext() {
        if (next() == '\\') {
            readEscape();
        } else if (next() == '[') {
            openClass();
            return;
        } else if (m_classDepth > 0) {
            readInClass();
            return;
        } else if (next() == '(') {
            openGroup();
            return;
        } else if (next() == ')') {
            closeGroup();
            return;
        } else {
            readCharacter();
        }
        if (m_classDepth == 0) afterAtom();
    }

    void readCharacter() {
        const DecodedCodePoint c = decodeCodePoint(m_pattern, m_at);
        if (c.value >= 0x80) m_result.literals.push_back(c.value);
        copy(c.bytes);
    }

    // --- sets ---

    void openClass() {
        if (m_classDepth > 0 && next(1) == ':' && readBracket()) return;
        copy(next(1) == '^' ? 2 : 1);
        ++m_classDepth;
        // At the start it is a character, where another one follows.
        if (next() == ']' && m_pattern.find(']', m_at + 1) != std::string_view::npos) copy(1);
    }

    void readInClass() {
        if (next() != ']') return readCharacter();
        copy(1);
        if (--m_classDepth == 0) afterAtom();
    }

    /// [:name:] or [:^name:] in a set.
    bool readBracket() {
        const std::size_t end = m_pattern.find(":]", m_at + 2);
        if (end == std::string_view::npos) return false;
        std::string_view name = m_pattern.substr(m_at + 2, end - m_at - 2);
        const bool isNot = name.starts_with('^');
        if (isNot) name.remove_prefix(1);
        if (name.empty() || !std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; }))
            return false;
        if (name == "punct") { // with symbols since 6.9.10
            m_result.pattern += isNot ? R"([^\p{P}\p{S}])" : R"([\p{P}\p{S}])";
            m_at = end + 2;
            return true;
        }
        if (name != "word") useName(name); // of another meaning outside of sets
        copy(end + 2 - m_at);
        return true;
    }

    // --- escapes ---

    void readEscape() {
        const char c = next(1);
        if (c == 'p' || c == 'P') return readProperty();
        if (c == 'x' || c == 'u' || (c >= '0' && c <= '9')) return readNumber();
        if (m_classDepth > 0) {
            copy(1);
            return m_at < m_pattern.size() ? readCharacter() : refuse("ends in a backslash");
        }
        for (const char other : {'G', 'g', 'M'})
            if (c == other) return refuse(fmt::format("uses \\{}, which is not computed", c));
        if (c == 'k' || c == 'X') top().hasLoop = true;
        if (c == 'X' || c == 'y' || c == 'Y') grow(Names::Growing, m_pattern.substr(m_at, 2));
        if (c == 'R') {
            m_result.pattern += kLineBreak;
            m_at += 2;
            return;
        }
        copy(1);
        if (m_at < m_pattern.size()) readCharacter();
    }

    void readProperty() {
        const std::size_t end = m_pattern.find('}', m_at);
        if (next(2) != '{' || end == std::string_view::npos) return copy(2);
        std::string_view name = m_pattern.substr(m_at + 3, end - m_at - 3);
        if (name.starts_with('^')) name.remove_prefix(1);
        useName(name);
        copy(end + 1 - m_at);
    }

    void useName(std::string_view name) {
        if (const std::optional<Names> names = namesOf(name)) return grow(*names, name);
        refuse(fmt::format("names the characters \"{}\", which are not known here", name));
    }

    void grow(Names names, std::string_view name) {
        if (names <= m_result.names) return;
        m_result.names = names;
        m_result.named = name;
    }

    /// A character by its number, a byte, or a reference to a group.
    void readNumber() {
        const char kind = next(1);
        const bool isBraced = startsWith("\\x{");
        const bool isHex = kind == 'x' || kind == 'u';
        if (!isHex && m_classDepth == 0 && kind != '0') top().hasLoop = true;
        const std::size_t begin = m_at + (isBraced ? 3 : isHex ? 2 : 1);
        const std::size_t most = isBraced ? 8 : kind == 'u' ? 4 : isHex ? 2 : 3;
        const std::string_view digits = m_pattern.substr(begin, most);
        std::uint32_t value = 0;
        const char* end =
            std::from_chars(digits.data(), digits.data() + digits.size(), value, isHex ? 16 : 8).ptr;
        if (value >= 0x80 && !isBraced && kind != 'u')
            return refuse("is spelled in bytes, which is not computed");
        if (value >= 0x80) m_result.literals.push_back(value);
        if (end == digits.data() && isHex) return refuse("has a number of a form that is not computed");
        const auto length = static_cast<std::size_t>(end - digits.data());
        copy(std::max(begin - m_at + length, std::size_t{2}));
        if (!isBraced) return;
        if (next() != '}') return refuse("has a number of a form that is not computed");
        copy(1);
    }

    // --- groups and repetitions ---

    Group& top() { return m_groups.back(); }

    void openGroup() {
        Group group;
        if (startsWith("(?#")) {
            const std::size_t end = m_pattern.find(')', m_at);
            if (end == std::string_view::npos) return refuse("has a comment without end");
            return copy(end + 1 - m_at);
        }
        for (const std::string_view look : {"(?=", "(?!", "(?<=", "(?<!", "(?~"})
            group.looksAround |= startsWith(look);
        group.cuts = startsWith("(?>");
        group.hasLoop = startsWith("(?~");
        if (next(1) == '?') {
            std::size_t length = 2;
            while ((next(length) >= 'a' && next(length) <= 'z') || next(length) == '-') {
                if (next(length) == 'x') refuse("has the option x, which is not computed");
                ++length;
            }
            // Options that hold to the end of the group around them open none.
            if (length > 2 && next(length) == ')') return copy(length + 1);
            copy(length);
            if (next() == '<' || next() == '>' || next() == '~' || next() == '=' || next() == '!') copy(1);
        } else {
            copy(1);
        }
        m_groups.push_back(group);
    }

    void closeGroup() {
        copy(1);
        if (m_groups.size() == 1) return refuse("closes a group that is not open");
        Group group = top();
        m_groups.pop_back();
        const Repeat repeat = readRepeats();
        group.cuts |= repeat.cuts;
        group.hasLongLook |= group.looksAround && group.hasLoop;
        if (repeat.isMany) group.hasLoop = true;
        if (repeat.isCount) group.hasCount = true;
        if (repeat.isMany && group.hasLongLook)
            refuse("repeats a group with a look-around or cut group that repeats, which could take for ever");
        group.hasLongLook |= group.cuts && group.hasCount;
        top().hasLoop |= group.hasLoop;
        top().hasCount |= group.hasCount;
        top().hasLongLook |= group.hasLongLook;
    }

    void afterAtom() {
        const std::size_t begin = m_at;
        const bool isMany = readRepeats().isMany;
        // At most nine times counts as once.
        const std::string_view repeat = m_pattern.substr(begin, m_at - begin);
        const bool isShort =
            (repeat.size() == 3 || (repeat.size() == 5 && repeat[2] == ',')) && repeat[0] == '{';
        if (isMany && !isShort) top().hasLoop = true;
    }

    Repeat readRepeats() {
        Repeat all;
        for (;;) {
            const std::size_t length = repeatLength();
            if (length == 0) return all;
            const bool isInterval = next() == '{';
            const bool isOptional = next() == '?' || startsWith("{0,1}") || startsWith("{,1}");
            all.isMany |= !isOptional;
            all.isCount |= isInterval && !isOptional;
            copy(length);
            if (next() == '?') copy(1);
            if (!isInterval && next() == '+') {
                all.cuts = true;
                copy(1);
            }
        }
    }

    /// Bytes of *, +, ? or {n,m} here; a brace of another form is a character.
    std::size_t repeatLength() const {
        if (next() == '*' || next() == '+' || next() == '?') return 1;
        if (next() != '{') return 0;
        std::size_t length = 1;
        while (next(length) >= '0' && next(length) <= '9') ++length;
        const bool hasFirst = length > 1;
        if (next(length) == ',') {
            ++length;
            while (next(length) >= '0' && next(length) <= '9') ++length;
            if (!hasFirst && length == 2) return 0;
        } else if (!hasFirst) {
            return 0;
        }
        return next(length) == '}' ? length + 1 : 0;
    }

    std::string_view m_pattern;
    std::size_t m_at = 0;
    RegexSyntax m_result;
    std::vector<Group> m_groups{1};
    int m_classDepth = 0;
};

} // namespace

bool RegexSyntax::separates(char32_t c, char32_t twin) const {
    const auto [low, high] = std::minmax(c, twin);
    const auto at = std::ranges::lower_bound(literals, low);
    return at != literals.end() && *at <= high;
}

RegexSyntax readRegexSyntax(std::string_view pattern) {
    return SyntaxReader(pattern).read();
}

bool isLaterLetter(char32_t c) {
    return (c >= 0x363 && c <= 0x36f) || c == 0xc04 || c == 0xf82 || c == 0xf83 || c == 0x10fc ||
           (c >= 0x1dd3 && c <= 0x1de6) || (c >= 0xa7f2 && c <= 0xa7f4) || c == 0xab69 || c == 0x11080 ||
           c == 0x11081;
}

} // namespace headscope
