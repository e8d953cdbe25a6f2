// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace headscope {

/// Where the match that begins at byte `at` of `text` ends; `at` when there is none. The pattern is one that
/// never matches nothing.
using RegexScanner = std::size_t (*)(std::string_view text, std::size_t at);

/// The scanner for exactly this regular expression, or nullptr. They match what Oniguruma does, several times
/// as fast, with no memory, and in linear time on any text.
RegexScanner scannerFor(std::string_view regex);

/// What GPT-2 splits text with; ByteLevel's own.
extern const std::string_view kGpt2Regex;

} // namespace headscope
