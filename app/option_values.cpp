// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_values.h"

#include "core/base/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headscope::app {

void failUsage(std::string subject, std::string found, std::string expected, std::string hint) {
    throw Error({.subject = std::move(subject),
                 .found = std::move(found),
                 .expected = std::move(expected),
                 .hint = std::move(hint),
                 .kind = ErrorKind::Usage});
}

namespace {

std::string quoted(std::string_view text) {
    return fmt::format("found \"{}\"", escapeForMessage(text, 60));
}

/// The whole of `text` as a number; false for anything else, a sign "+" and spaces included.
template <typename T>
bool readNumber(std::string_view text, T& number) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end && !text.empty();
}

} // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

std::int64_t parseWhole(std::string_view option, std::string_view text, std::int64_t low, std::int64_t high) {
    std::int64_t number = 0;
    if (readNumber(text, number) && number >= low && number <= high) return number;
    failUsage(std::string(option), quoted(text),
              high == std::numeric_limits<std::int64_t>::max()
                  ? fmt::format("expected a whole number from {} up", low)
                  : fmt::format("expected a whole number from {} to {}", low, high));
}

double parseReal(std::string_view option, std::string_view text, Bounds bounds) {
    double number = 0.0;
    if (readNumber(text, number) && number >= bounds.low && number <= bounds.high) return number;
    failUsage(std::string(option), quoted(text),
              fmt::format("expected a number from {} to {}", bounds.low, bounds.high));
}

std::vector<std::int64_t> parseWholeList(std::string_view option, std::string_view text, std::int64_t low) {
    std::vector<std::int64_t> numbers;
    for (const std::string_view part : split(text, ',')) {
        std::int64_t number = 0;
        if (!readNumber(part, number) || number < low)
            failUsage(
                std::string(option), quoted(text),
                fmt::format(
                    "expected whole numbers from {} up with commas between them, such as 101,7592,102", low));
        numbers.push_back(number);
    }
    return numbers;
}

Span parseSpan(std::string_view option, std::string_view text) {
    const std::vector<std::string_view> parts = split(text, ':');
    Span span;
    if (parts.size() == 2 && readNumber(parts[0], span.begin) && readNumber(parts[1], span.end) &&
        span.begin >= 0 && span.begin < span.end)
        return span;
    failUsage(std::string(option), quoted(text),
              "expected first:end with 0 <= first < end, such as 0:16 for the first sixteen tokens");
}

std::vector<std::pair<LayerIndex, HeadIndex>> parseHeads(std::string_view option, std::string_view text) {
    std::vector<std::pair<LayerIndex, HeadIndex>> heads;
    for (const std::string_view part : split(text, ',')) {
        const auto head = parseHead(part);
        if (!head)
            failUsage(
                std::string(option), quoted(text),
                "expected layer.head, both counted from 0, with commas between several, such as 1.11,3.0");
        if (std::find(heads.begin(), heads.end(), *head) != heads.end())
            failUsage(std::string(option), fmt::format("head {} is given twice", part));
        heads.push_back(*head);
    }
    return heads;
}

} // namespace headscope::app
