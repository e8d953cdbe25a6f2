// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/probe_sources.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

inline constexpr std::int64_t kLeastProbeTokens = 32; ///< fewer are no evidence for any label
inline constexpr std::int64_t kMostProbeTokens = 256;

/// Most tokens that a probe may have on either side of a model: what it can read and was made for.
std::int64_t sourceLimit(const OpenModel& model);
std::int64_t targetLimit(const OpenModel& model);

using TokensOf = std::function<std::vector<Token>(const std::string& text)>;

/// The longest beginning of `text` that ends with a word (where words are not parted by spaces, with a token)
/// and has at most `limit` tokens; empty where the special ones alone are more.
std::string cutToFit(std::string text, std::int64_t limit, const TokensOf& tokensOf);

/// A text in the form in which a model can read it.
struct ProbeFit {
    TextInput input;
    std::optional<std::string> targetProblem; ///< why it has no target: one sentence
};

/// Throws Error: too few tokens, too many unknown ones, a pair for a model that does not keep texts apart.
ProbeFit fitProbe(const OpenModel& model, const ProbeSource& source);

} // namespace headscope
