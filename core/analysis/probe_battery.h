// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What a probe text is for.
enum class ProbeKind {
    Natural,    ///< varied prose, code, lists, some of it not English
    Duplicates, ///< prose in which about half of the words come again
    Pair,       ///< two texts, for models that keep them apart
    Roles,      ///< who gives what to whom, with names that come twice
    Repeats     ///< a block of random tokens again and again, the gaps between different
};

/// "natural", "duplicates", "pair", "roles", "repeats".
std::string_view nameOf(ProbeKind kind);

struct ProbeText {
    std::string name; ///< "natural/prose"
    ProbeKind kind = ProbeKind::Natural;
    TextInput input; ///< fits the model; for models with a decoder it has a target
};

/// A text that says nothing about this model.
struct LeftOutProbe {
    std::string name;   ///< that of the text, or "natural/prose (target)": the text stays, without a target
    std::string reason; ///< one sentence
};

/// The texts on which heads are judged, made for one model.
struct ProbeBattery {
    std::vector<ProbeText> texts;
    std::vector<LeftOutProbe> leftOut;
};

/// Every text has 32 to 256 tokens, cut after a whole word where the model reads fewer, and at most one in
/// ten is unknown to the tokenizer; the others are left out. The same model always gets the same battery.
ProbeBattery probeBattery(const OpenModel& model);

/// Differs when the battery of a model may differ: for results that are kept.
std::string probeBatteryVersion();

/// The same tokens in another order, special ones and the first of the target in their places; of a single
/// text, since ids know no segments.
TextInput shuffled(const TokenizedText& text, const std::optional<TokenizedText>& target, std::uint64_t seed);

} // namespace headscope
