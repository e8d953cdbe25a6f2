// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/known_regexes.h"

#include "core/tokenizer/code_point.h"
#include "core/tokenizer/unicode_tables.h"

#include <array>

namespace headscope {

namespace {

using unicode::RegexClass;

constexpr std::array<RegexClass, 128> makeAsciiClasses() {
    std::array<RegexClass, 128> classes{};
    for (std::size_t c = 0; c < 128; ++c) {
        if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'))
            classes[c] = RegexClass::Letter;
        else if (c >= '0' && c <= '9')
            classes[c] = RegexClass::Number;
        else if (c == ' ' || (c >= 0x09 && c <= 0x0d))
            classes[c] = RegexClass::Space;
        else
            classes[c] = RegexClass::Other;
    }
    return classes;
}

constexpr std::array<RegexClass, 128> kAsciiClasses = makeAsciiClasses();

/// The character at a place of the text; of no class and no bytes at its end.
struct Character {
    bool exists = false;
    RegexClass kind = RegexClass::Other;
    std::size_t end = 0;

    bool is(RegexClass wanted) const { return exists && kind == wanted; }
};

Character characterAt(std::string_view text, std::size_t at) {
    if (at >= text.size()) return {false, RegexClass::Other, at};
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) return {true, kAsciiClasses[byte], at + 1};
    const DecodedCodePoint c = decodeCodePoint(text, at);
    return {true, unicode::regexClass(c.value), at + c.bytes};
}

/// Where the run of characters of one class that begins at `at` ends.
std::size_t runEnd(std::string_view text, std::size_t at, RegexClass kind) {
    for (Character next = characterAt(text, at); next.is(kind); next = characterAt(text, at)) at = next.end;
    return at;
}

bool isLineBreak(char byte) {
    return byte == '\r' || byte == '\n';
}

/// Where one of 's 't 're 've 'm 'll 'd that begins at `at` ends, else `at`. With `anyCase` also in capitals,
/// and with U+017F for the s.
std::size_t contractionEnd(std::string_view text, std::size_t at, bool anyCase) {
    if (text[at] != '\'' || at + 1 == text.size()) return at;
    const auto letter = [&](std::size_t i) {
        if (i >= text.size()) return '\0';
        return anyCase && text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 0x20) : text[i];
    };
    const char first = letter(at + 1);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return at + 2;
    const char second = letter(at + 2);
    if (((first == 'r' || first == 'v') && second == 'e') || (first == 'l' && second == 'l')) return at + 3;
    return anyCase && text.substr(at + 1).starts_with("\u017f") ? at + 3 : at;
}

/// `\s+(?!\S)|\s+`: a run of white space, without its last character when something follows. `first` is
/// white space.
std::size_t spaceEnd(std::string_view text, const Character& first) {
    std::size_t last = first.end; // where the last character begins
    std::size_t end = first.end;
    for (Character next = characterAt(text, end); next.is(RegexClass::Space); next = characterAt(text, end)) {
        last = end;
        end = next.end;
    }
    return end == text.size() || end == first.end ? end : last;
}

std::size_t scanGpt2(std::string_view text, std::size_t at) {
    if (const std::size_t end = contractionEnd(text, at, false); end > at) return end;
    const Character first = characterAt(text, at);
    // ` ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+`
    const Character head = text[at] == ' ' ? characterAt(text, first.end) : first;
    if (head.exists && head.kind != RegexClass::Space) return runEnd(text, head.end, head.kind);
    return spaceEnd(text, first);
}

/// The patterns of Llama 3 and Qwen2 differ in how many digits they take at once.
template <int kMaxDigits>
std::size_t scanLlama3(std::string_view text, std::size_t at) {
    if (const std::size_t end = contractionEnd(text, at, true); end > at) return end;
    const Character first = characterAt(text, at);
    // `[^\r\n\p{L}\p{N}]?\p{L}+`
    if (first.is(RegexClass::Letter)) return runEnd(text, first.end, RegexClass::Letter);
    if (first.is(RegexClass::Number)) {
        Character digit = first;
        for (int i = 1; i < kMaxDigits; ++i) {
            const Character next = characterAt(text, digit.end);
            if (!next.is(RegexClass::Number)) break;
            digit = next;
        }
        return digit.end;
    }
    const Character second = characterAt(text, first.end);
    if (!isLineBreak(text[at]) && second.is(RegexClass::Letter))
        return runEnd(text, second.end, RegexClass::Letter);
    // ` ?[^\s\p{L}\p{N}]+[\r\n]*`
    const Character head = text[at] == ' ' ? second : first;
    if (head.is(RegexClass::Other)) {
        std::size_t end = runEnd(text, head.end, RegexClass::Other);
        while (end < text.size() && isLineBreak(text[end])) ++end;
        return end;
    }
    // `\s*[\r\n]+`: up to the last line break of the white space.
    const std::size_t end = runEnd(text, first.end, RegexClass::Space);
    const std::size_t lineBreak = text.substr(at, end - at).find_last_of("\r\n");
    return lineBreak != std::string_view::npos ? at + lineBreak + 1 : spaceEnd(text, first);
}

std::size_t scanSpaces(std::string_view text, std::size_t at) {
    return runEnd(text, at, RegexClass::Space);
}

std::size_t scanTwoBlanks(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && text[end] == ' ') ++end;
    return end - at >= 2 ? end : at;
}

struct Known {
    std::string_view regex;
    RegexScanner scanner;
};

} // namespace

const std::string_view kGpt2Regex =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

RegexScanner scannerFor(std::string_view regex) {
    static const std::array known = std::to_array<Known>({
        {kGpt2Regex, scanGpt2},
        // Llama 3
        {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
         scanLlama3<3>},
        // Qwen2
        {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
         scanLlama3<1>},
        {R"(\s+)", scanSpaces},      // CLIP's normalizer
        {R"( {2,})", scanTwoBlanks}, // normalizers of SentencePiece models
    });
    for (const Known& entry : known)
        if (entry.regex == regex) return entry.scanner;
    return nullptr;
}

} // namespace headscope
