// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/metrics.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What one text can say about a head. Names in JSON: snake_case of these. The first four are flags: the head
/// tells little apart, or rests on one key; the others are patterns: what it reads.
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
    Block
};

std::string_view nameOf(Label label);
/// Uniform, sink and stuck; false for what a head reads, and for too little evidence.
bool isFlag(Label label);

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
    std::string detail;                 ///< what it is about otherwise: "offset -47", "punctuation"
};

/// What could not be judged, and why.
struct NotTested {
    Label label;
    std::string reason;
};

struct Verdict {
    std::vector<Finding>
        findings; ///< every label that was tested, fired or not, in the order uniform, sink, stuck
    /// Every pattern that was tested, fired or not, in the order in which the primary one is chosen.
    std::vector<Finding> patterns;
    std::vector<NotTested> notTested;
    /// Patterns that fire, in that order.
    std::vector<Label> patternLabels() const;
    /// Flags that fire; {InsufficientEvidence} alone under 32 keys or 24 rows.
    std::vector<Label> labels() const;
};

/// The rules of the diagnosis: fewer than 32 keys or 24 rows of R test nothing; uniform: D <= 0.10, eta >=
/// 0.95, TV <= 0.20, and of a learned sink at most 0.30; sink: alpha >= 0.30 at the best column (Gu et al.
/// 2025); stuck: alpha >= 0.90, modal share >= 0.95, D >= 0.5, and then sink holds too.
Verdict judge(const HeadMetrics& metrics);

} // namespace headscope
