// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/confidence.h"
#include "core/diagnosis/labels.h"
#include "core/diagnosis/token_facts.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// What one text said about one head.
struct HeadOnText {
    const HeadMetrics* metrics = nullptr;
    const Verdict* verdict = nullptr;
    const TokenFacts* facts = nullptr; ///< of the keys; null: not known
};

/// One label of one head over several texts.
struct HeadLabel {
    /// One text that tested it.
    struct OnText {
        std::size_t text = 0; ///< index into the texts given
        bool fires = false;
        double score = 0.0;
        std::optional<std::int64_t> column;
    };

    Label label = Label::Mixed;
    double score = 0.0;            ///< mean over the texts that tested it
    std::optional<double> kappa;   ///< likewise
    std::vector<Measure> measures; ///< values likewise
    TextCount texts;
    Confidence confidence = Confidence::NotTested;
    std::vector<OnText> onTexts;
    std::optional<std::size_t> worst;   ///< of these texts, the one that speaks most against it
    std::optional<std::int64_t> column; ///< the key on the text with the largest score
    std::string detail;                 ///< "offset -47", "punctuation", "key 0 from the start"

    bool isListed() const { return confidence >= Confidence::InputDependent; }
};

/// A head judged over texts.
struct HeadDiagnosis {
    Label primary = Label::InsufficientEvidence;
    std::vector<HeadLabel> labels;    ///< listed, the first to be primary first
    std::vector<HeadLabel> unlisted;  ///< tested, and fired on too few texts or not alike
    std::vector<NotTested> notTested; ///< by no text

    const HeadLabel* find(Label label) const; ///< of those listed; nullptr if it is not
};

/// Judges one head by all texts; a text too short for any label tests none. Where every text is that short,
/// the rows of at least 8 of them, 100 or more, are pooled for uniform, sink and stuck, which are then at
/// most likely. Stuck counts texts with the same place, fixed_offset with the same offset; a sink that fires
/// three times or more must share a place or a class of tokens in half of them, a broadcast must not. Labels
/// that take the other heads (inactive, redundant) are added by group_labels; choosePrimary() comes last.
HeadDiagnosis judgeTexts(std::span<const HeadOnText> texts);

/// The first, in the order of the rules, of the labels with k/n >= 0.8, failing that >= 0.5, failing that
/// mixed; insufficient_evidence where no text tested any. Sorts the labels so.
void choosePrimary(HeadDiagnosis& head);

} // namespace headscope
