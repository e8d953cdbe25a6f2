// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/metrics.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What can be said about a head. Names in JSON: snake_case of these. Uniform, sink and stuck are flags: the
/// head tells little apart, or rests on one key; from PreviousToken to Block they are patterns: what it
/// reads; broad is information. From Broadcast on no single text can show them: they take several, or other
/// heads.
enum class Label {
    InsufficientEvidence,
    Uniform,
    Sink,
    Stuck,
    PreviousToken,
    NextToken,
    Self,
    FixedOffset,
    Local,
    Delimiter,
    DuplicateToken,
    Induction,
    Block,
    Broad,
    Broadcast,
    ActiveDormant,
    Inactive,
    Redundant,
    Collapsed,
    Mixed
};

std::string_view nameOf(Label label);
bool isFlag(Label label);    ///< uniform, sink and stuck
bool isPattern(Label label); ///< what a head reads, as one text shows it

/// One number against one threshold: the picture behind a badge.
struct Measure {
    std::string name; ///< JSON key: "kl_to_uniform"
    double value = 0.0;
    double threshold = 0.0;
    bool atMost = false; ///< true: fires when value <= threshold, else when value >= threshold
    std::string unit;    ///< "nats", "" for shares
    std::string source;  ///< where the threshold comes from
    bool holds() const { return atMost ? value <= threshold : value >= threshold; }
};

/// The verdict of one label on one head and one text.
struct Finding {
    Label label = Label::InsufficientEvidence;
    bool fires = false;
    double score = 0.0;
    std::optional<double> kappa;        ///< chance-corrected score
    std::vector<Measure> measures;      ///< all must hold
    std::optional<std::int64_t> column; ///< the key it is about
    std::string detail; ///< what it is about otherwise: "offset -47", "punctuation", "learned sink"
};

/// What could not be judged, and why.
struct NotTested {
    Label label;
    std::string reason;
};

struct Verdict {
    /// Every label that was tested, fired or not: uniform, sink, stuck, then the patterns, the most telling
    /// first. InsufficientEvidence alone on a text too short for any.
    std::vector<Finding> findings;
    std::vector<NotTested> notTested;
    /// nullptr where it was not tested.
    const Finding* find(Label label) const;
    bool fires(Label label) const;
    std::vector<Label> labels() const;   ///< what one text shows, in the order of findings
    std::vector<Label> flags() const;    ///< of these
    std::vector<Label> patterns() const; ///< of these
    bool isTooShort() const { return find(Label::InsufficientEvidence) != nullptr; }
};

/// The rules of the diagnosis: fewer than 32 keys or 24 rows of R test nothing; uniform: D <= 0.10, eta >=
/// 0.95, TV <= 0.20, and of a learned sink at most 0.30; sink: alpha >= 0.30 at the best column (Gu et al.
/// 2025) or of a learned sink; stuck: alpha >= 0.90, modal share >= 0.95, D >= 0.5, and then sink holds too.
Verdict judge(const HeadMetrics& metrics);
/// Adds uniform, sink and stuck alone, however few rows there are: for rows of several texts taken together.
void judgeFlags(const HeadMetrics& metrics, Verdict& verdict);

} // namespace headscope
