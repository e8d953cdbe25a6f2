// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/maps/attention_kind.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Words of the command line -> values. Everything malformed is an Error{Usage} whose subject is the option.
namespace headscope::app {

[[noreturn]] void failUsage(std::string subject, std::string found, std::string expected = {},
                            std::string hint = {});

struct Bounds {
    double low = 0.0;
    double high = 0.0;
};

std::int64_t parseWhole(std::string_view option, std::string_view text, std::int64_t low, std::int64_t high);
double parseReal(std::string_view option, std::string_view text, Bounds bounds);
/// The parts between separators, empty ones too: always at least one. They are parts of `text`.
std::vector<std::string_view> split(std::string_view text, char separator);
/// "1,2,3": at least one.
std::vector<std::int64_t> parseWholeList(std::string_view option, std::string_view text, std::int64_t low);
/// "a:b" with 0 <= a < b: tokens a to b - 1.
Span parseSpan(std::string_view option, std::string_view text);
/// "1.11,3.0": at least one, none twice.
std::vector<std::pair<LayerIndex, HeadIndex>> parseHeads(std::string_view option, std::string_view text);

} // namespace headscope::app
