// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/array_axes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace headscope {

namespace {

using Axis = ArrayAxis;

constexpr std::array<std::pair<std::string_view, Axis>, 7> kNames = {{{"layers", Axis::Layers},
                                                                      {"batch", Axis::Batch},
                                                                      {"heads", Axis::Heads},
                                                                      {"q", Axis::Queries},
                                                                      {"k", Axis::Keys},
                                                                      {"query", Axis::Queries},
                                                                      {"key", Axis::Keys}}};

std::string_view nameOf(Axis axis) {
    return std::find_if(kNames.begin(), kNames.end(), [axis](const auto& one) { return one.second == axis; })
        ->first;
}

std::string_view trimmed(std::string_view word) {
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ') word.remove_suffix(1);
    return word;
}

constexpr const char* kExpected = "expected layers, batch, heads, q and k in the order of the array";

} // namespace

ArrayAxes parseArrayAxes(std::string_view text, const std::string& subject) {
    ArrayAxes axes;
    for (;;) {
        const std::size_t comma = text.find(',');
        const std::string_view word = trimmed(text.substr(0, comma));
        const auto* const found =
            std::find_if(kNames.begin(), kNames.end(), [word](const auto& one) { return one.first == word; });
        if (found == kNames.end())
            fail(subject, fmt::format("\"{}\" is no axis", escapeForMessage(word, 40)), kExpected);
        if (std::find(axes.begin(), axes.end(), found->second) != axes.end())
            fail(subject, fmt::format("{} stands twice", nameOf(found->second)), kExpected);
        axes.push_back(found->second);
        if (comma == std::string_view::npos) break;
        text.remove_prefix(comma + 1);
    }
    for (const Axis needed : {Axis::Queries, Axis::Keys})
        if (std::find(axes.begin(), axes.end(), needed) == axes.end())
            fail(subject, fmt::format("{} is missing", nameOf(needed)), kExpected);
    return axes;
}

std::string textOf(const ArrayAxes& axes) {
    std::vector<std::string_view> names;
    names.reserve(axes.size());
    for (const Axis axis : axes) names.push_back(nameOf(axis));
    return fmt::format("{}", fmt::join(names, ","));
}

std::vector<ArrayAxes> usualAxes(std::size_t dimensions) {
    constexpr Axis L = Axis::Layers;
    constexpr Axis B = Axis::Batch;
    constexpr Axis H = Axis::Heads;
    constexpr Axis Q = Axis::Queries;
    constexpr Axis K = Axis::Keys;
    switch (dimensions) {
    case 2:
        return {{Q, K}};
    case 3:
        return {{H, Q, K}, {B, Q, K}, {L, Q, K}};
    case 4:
        return {{L, H, Q, K}, {B, H, Q, K}, {L, B, Q, K}};
    case 5:
        return {{L, B, H, Q, K}, {B, L, H, Q, K}};
    default:
        return {};
    }
}

} // namespace headscope
