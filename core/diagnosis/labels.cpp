// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/labels.h"

#include "core/diagnosis/pattern_labels.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

constexpr std::int64_t kMinimumKeys = 32;
constexpr std::int64_t kMinimumRows = 24;

constexpr double kUniformKl = 0.10;
constexpr double kUniformNormalizedEntropy = 0.95;
constexpr double kUniformTv = 0.20;
constexpr double kStuckMass = 0.90;
constexpr double kStuckModalShare = 0.95;
constexpr double kStuckKl = 0.50;

constexpr const char* kSimulated =
    "simulated: random scores of spread 0.3, 0.5 and 1 give D 0.04, 0.12 and 0.45, TV "
    "0.12, 0.20 and 0.38, at any length";
constexpr const char* kAnalyzerCut =
    "the cut of a public head analyzer tuned on Pythia-2.8B; random scores of spread 0.3 "
    "give 0.04, of spread 1 give 0.45, at any length";
constexpr const char* kGu =
    "Gu et al., When Attention Sink Emerges in Language Models, ICLR 2025 (arXiv 2410.10781), with "
    "eps 0.3 and the token's own row left out";
constexpr const char* kOwnSink =
    "set by HeadScope: a head that gives most to its learned sink is not even, however it spreads the rest";
constexpr const char* kOwnStuck =
    "set by HeadScope: the heaviest key takes nearly all weight of nearly every query that "
    "sees it";
constexpr const char* kOwnNotFlat =
    "set by HeadScope: ties make the argmax of an even head look fixed, so the head must be "
    "far from even";
constexpr const char* kOwnEvidence =
    "set by HeadScope: in simulations random heads pass such cuts on shorter texts";

Finding uniformFinding(const HeadMetrics& metrics) {
    std::vector<Measure> measures{
        {"kl_to_uniform", metrics.klToUniform, kUniformKl, true, "nats", kAnalyzerCut},
        {"normalized_entropy", metrics.normalizedEntropy, kUniformNormalizedEntropy, false, "", kSimulated},
        {"tv_to_uniform", metrics.tvToUniform, kUniformTv, true, "", kSimulated}};
    if (metrics.sinkWeight > 0.0)
        measures.push_back({"learned_sink", metrics.sinkWeight, kSinkMass, true, "", kOwnSink});
    Finding result = finding(Label::Uniform, metrics.klToUniform, std::move(measures));
    // The only bound that is strict: at 0.30 the head is a sink.
    result.fires = result.fires && metrics.sinkWeight < kSinkMass;
    return result;
}

/// On the heaviest key, or on the learned sink where that takes more.
Finding sinkFinding(const HeadMetrics& metrics) {
    if (!metrics.column || metrics.sinkWeight > metrics.column->mass) {
        Finding result = finding(Label::Sink, metrics.sinkWeight,
                                 {{"learned_sink", metrics.sinkWeight, kSinkMass, false, "", kGu}});
        result.detail = "learned sink";
        return result;
    }
    const ColumnMetrics& column = *metrics.column;
    Finding result =
        finding(Label::Sink, column.mass, {{"column_mass", column.mass, kSinkMass, false, "", kGu}});
    result.kappa = column.kappa;
    result.column = column.column;
    return result;
}

Finding stuckFinding(const HeadMetrics& metrics, const ColumnMetrics& column) {
    Finding result = finding(Label::Stuck, column.mass,
                             {{"column_mass", column.mass, kStuckMass, false, "", kOwnStuck},
                              {"modal_share", column.modalShare, kStuckModalShare, false, "", kOwnStuck},
                              {"kl_to_uniform", metrics.klToUniform, kStuckKl, false, "nats", kOwnNotFlat}});
    result.kappa = column.kappa;
    result.column = column.column;
    return result;
}

std::vector<Label> firedOf(const std::vector<Finding>& findings, bool (*isWanted)(Label)) {
    std::vector<Label> fired;
    for (const Finding& one : findings)
        if (one.fires && isWanted(one.label)) fired.push_back(one.label);
    return fired;
}

/// What one text can show on such maps: positions, copies and sentences are those of self-attention.
std::vector<Label> labelsOfOneText(const HeadMetrics& metrics) {
    std::vector<Label> labels{Label::Uniform,   Label::Sink,      Label::Stuck,
                              Label::Delimiter, Label::Broadcast, Label::Broad};
    if (!metrics.offsets) return labels;
    labels.insert(labels.end(),
                  {Label::PreviousToken, metrics.causal ? Label::Induction : Label::NextToken, Label::Self,
                   Label::FixedOffset, Label::DuplicateToken, Label::Block, Label::Local});
    return labels;
}

/// The verdict on a text too short for any label: which count is too small, and all labels not tested because
/// of it.
Verdict insufficientEvidence(const HeadMetrics& metrics) {
    Verdict verdict;
    std::vector<Measure> measures;
    std::string reason;
    if (metrics.keys < kMinimumKeys) {
        measures.push_back({"keys", static_cast<double>(metrics.keys), static_cast<double>(kMinimumKeys - 1),
                            true, "tokens", kOwnEvidence});
        reason = fmt::format("the text has {} tokens; a flag needs at least {}", metrics.keys, kMinimumKeys);
    }
    if (metrics.rows < kMinimumRows) {
        measures.push_back({"rows", static_cast<double>(metrics.rows), static_cast<double>(kMinimumRows - 1),
                            true, "queries", kOwnEvidence});
        if (reason.empty())
            reason = fmt::format("{} queries see {} or more keys; a flag needs at least {} such queries",
                                 metrics.rows, kMinimumVisibleKeys, kMinimumRows);
    }
    verdict.findings.push_back(
        finding(Label::InsufficientEvidence, static_cast<double>(metrics.keys), std::move(measures)));
    for (const Label label : labelsOfOneText(metrics)) verdict.notTested.push_back({label, reason});
    return verdict;
}

} // namespace

Finding finding(Label label, double score, std::vector<Measure> measures) {
    Finding result;
    result.label = label;
    result.score = score;
    result.fires = std::all_of(measures.begin(), measures.end(), [](const Measure& m) { return m.holds(); });
    result.measures = std::move(measures);
    return result;
}

std::string_view nameOf(Label label) {
    switch (label) {
    case Label::InsufficientEvidence:
        return "insufficient_evidence";
    case Label::Uniform:
        return "uniform";
    case Label::Sink:
        return "sink";
    case Label::Stuck:
        return "stuck";
    case Label::PreviousToken:
        return "previous_token";
    case Label::NextToken:
        return "next_token";
    case Label::Self:
        return "self";
    case Label::FixedOffset:
        return "fixed_offset";
    case Label::Local:
        return "local";
    case Label::Delimiter:
        return "delimiter";
    case Label::DuplicateToken:
        return "duplicate_token";
    case Label::Induction:
        return "induction";
    case Label::Block:
        return "block";
    case Label::Broad:
        return "broad";
    case Label::Broadcast:
        return "broadcast";
    case Label::ActiveDormant:
        return "active_dormant";
    case Label::Inactive:
        return "inactive";
    case Label::Redundant:
        return "redundant";
    case Label::Collapsed:
        return "collapsed";
    case Label::Mixed:
        return "mixed";
    }
    return "";
}

bool isFlag(Label label) {
    return label == Label::Uniform || label == Label::Sink || label == Label::Stuck;
}

bool isPattern(Label label) {
    return label >= Label::PreviousToken && label <= Label::Block;
}

const Finding* Verdict::find(Label label) const {
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [label](const Finding& one) { return one.label == label; });
    return found == findings.end() ? nullptr : &*found;
}

bool Verdict::fires(Label label) const {
    const Finding* found = find(label);
    return found != nullptr && found->fires;
}

std::vector<Label> Verdict::labels() const {
    return firedOf(findings, [](Label label) { return label < Label::Broadcast; });
}

std::vector<Label> Verdict::flags() const {
    return firedOf(findings, isFlag);
}

std::vector<Label> Verdict::patterns() const {
    return firedOf(findings, isPattern);
}

void judgeFlags(const HeadMetrics& metrics, Verdict& verdict) {
    verdict.findings.push_back(uniformFinding(metrics));
    if (metrics.column || metrics.sinkWeight > 0.0) verdict.findings.push_back(sinkFinding(metrics));
    if (metrics.column) {
        verdict.findings.push_back(stuckFinding(metrics, *metrics.column));
    } else {
        const std::string reason =
            fmt::format("no key is seen by at least 16 of the {} counted queries and by a quarter of "
                        "them (a narrow window)",
                        metrics.rows);
        for (const Label label : {Label::Sink, Label::Stuck, Label::Broadcast})
            if (verdict.find(label) == nullptr) verdict.notTested.push_back({label, reason});
    }
}

Verdict judge(const HeadMetrics& metrics) {
    if (metrics.keys < kMinimumKeys || metrics.rows < kMinimumRows) return insufficientEvidence(metrics);
    Verdict verdict;
    judgeFlags(metrics, verdict);
    judgePatterns(metrics, verdict);
    return verdict;
}

} // namespace headscope
