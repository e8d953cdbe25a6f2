// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/over_texts.h"

#include "core/diagnosis/label_over_texts.h"
#include "core/diagnosis/pooled_texts.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

constexpr double kConsistent = 0.8;
constexpr double kHalf = 0.5;
constexpr int kBroadcastTexts = 3;
constexpr double kDormantMass = 0.8;
constexpr double kActiveMass = 0.5;
constexpr const char* kGuo =
    "Guo et al., Active-Dormant Attention Heads, 2024 (arXiv 2410.13835): the start "
    "token takes most of the weight on some texts and not on others; the cuts are set by "
    "HeadScope";

/// The labels of one text that several texts can repeat.
constexpr std::array kLabelsOfTexts{
    Label::Uniform,        Label::Sink,        Label::Stuck,     Label::PreviousToken, Label::NextToken,
    Label::Self,           Label::FixedOffset, Label::Induction, Label::Block,         Label::Delimiter,
    Label::DuplicateToken, Label::Local,       Label::Broadcast, Label::Broad};

/// The reason most texts give for not testing a label, those that are too short only if no other gives one;
/// empty where none does.
std::string reasonOf(std::span<const HeadOnText> texts, Label label) {
    std::vector<std::string> reasons;
    for (const bool tooShort : {false, true}) {
        for (const HeadOnText& text : texts)
            for (const NotTested& one : text.verdict->notTested)
                if (one.label == label && text.verdict->isTooShort() == tooShort)
                    reasons.push_back(one.reason);
        if (!reasons.empty()) break;
    }
    std::string reason;
    commonest(reasons, &reason);
    return reason;
}

void add(HeadDiagnosis& head, HeadLabel label) {
    (label.isListed() ? head.labels : head.unlisted).push_back(std::move(label));
}

/// Start-token weight that is most of it on some texts and less than half on others.
void judgeDormancy(std::span<const HeadOnText> texts, HeadDiagnosis& head) {
    HeadLabel result;
    result.label = Label::ActiveDormant;
    int dormant = 0;
    int active = 0;
    double least = 1.0;
    double most = 0.0;
    for (std::size_t t = 0; t < texts.size(); ++t) {
        const HeadMetrics& metrics = *texts[t].metrics;
        if (texts[t].verdict->isTooShort() || !metrics.offsets || metrics.columns.keys() == 0) continue;
        if (!metrics.columns.counts(0)) continue;
        const double mass = metrics.columns.mass[0];
        least = std::min(least, mass);
        most = std::max(most, mass);
        if (mass >= kDormantMass) ++dormant;
        if (mass < kActiveMass) ++active;
        result.onTexts.push_back({.text = t, .fires = mass >= kDormantMass, .score = mass, .column = 0});
    }
    const auto tested = static_cast<int>(result.onTexts.size());
    if (tested < 2) {
        if (texts.front().metrics->offsets)
            head.notTested.push_back(
                {Label::ActiveDormant, "it takes at least two texts that show the first key"});
        return;
    }
    const double needed = std::max(1.0, 0.2 * tested);
    result.score = most - least;
    result.texts = {.fired = dormant, .tested = tested};
    result.measures = {{"dormant_texts", static_cast<double>(dormant), needed, false, "texts", kGuo},
                       {"active_texts", static_cast<double>(active), needed, false, "texts", kGuo}};
    result.column = 0;
    const bool fires = dormant >= needed && active >= needed;
    result.confidence = !fires        ? Confidence::NotListed
                        : tested >= 8 ? Confidence::Confirmed
                        : tested >= 3 ? Confidence::Likely
                                      : Confidence::Observed;
    add(head, std::move(result));
}

bool isPooled(Label label) {
    return label == Label::Uniform || label == Label::Sink || label == Label::Stuck;
}

/// Uniform, sink and stuck on rows of many short texts, where there are enough.
void judgePooled(std::span<const HeadOnText> texts, HeadDiagnosis& head) {
    const std::optional<PooledRows> pooled = poolRows(texts);
    for (const Label label : kLabelsOfTexts) {
        if (pooled && isPooled(label)) continue;
        std::string reason = reasonOf(texts, label);
        if (reason.empty()) continue; // not of this kind of attention
        if (isPooled(label) && texts.size() > 1 && areFewKeys(texts))
            reason = "every text is shorter than 32 tokens, and together they have too few rows (needed: 8 "
                     "texts and 100 rows that see 8 keys)";
        head.notTested.push_back({label, std::move(reason)});
    }
    if (!pooled) return;
    Verdict verdict;
    judgeFlags(pooled->metrics, verdict);
    for (const Finding& finding : verdict.findings) {
        HeadLabel result;
        result.label = finding.label;
        result.score = finding.score;
        result.kappa = finding.kappa;
        result.measures = finding.measures;
        result.texts = {.fired = finding.fires ? pooled->texts : 0, .tested = pooled->texts};
        result.confidence = std::min(result.texts.confidence(), Confidence::Likely);
        result.detail = finding.detail;
        if (finding.column)
            result.detail =
                fmt::format("key {} from the {}", *finding.column, pooled->fromEnd ? "end" : "start");
        add(head, std::move(result));
    }
    for (NotTested& one : verdict.notTested)
        if (isPooled(one.label)) head.notTested.push_back(std::move(one));
}

/// Every label by the texts that test it.
void judgeEach(std::span<const HeadOnText> texts, HeadDiagnosis& head) {
    for (const Label label : kLabelsOfTexts) {
        if (std::optional<HeadLabel> result = labelOverTexts(texts, label)) {
            if (label == Label::Broadcast && result->texts.tested < kBroadcastTexts)
                head.notTested.push_back({label, "it takes at least three texts"});
            else
                add(head, std::move(*result));
        } else if (std::string reason = reasonOf(texts, label); !reason.empty()) {
            head.notTested.push_back({label, std::move(reason)});
        }
    }
}

/// Place in the order in which the primary label is chosen; labels that are never primary come last.
int rankOf(Label label) {
    constexpr std::array kOrder{Label::Uniform,       Label::PreviousToken,  Label::FixedOffset,
                                Label::Induction,     Label::DuplicateToken, Label::Delimiter,
                                Label::ActiveDormant, Label::Stuck,          Label::Sink,
                                Label::Block,         Label::Local,          Label::Broadcast};
    if (label == Label::NextToken || label == Label::Self) label = Label::PreviousToken;
    return static_cast<int>(std::find(kOrder.begin(), kOrder.end(), label) - kOrder.begin());
}

bool mayBePrimary(Label label) {
    return label != Label::Broad && label != Label::Inactive && label != Label::Redundant &&
           label != Label::Collapsed;
}

} // namespace

const HeadLabel* HeadDiagnosis::find(Label label) const {
    const auto found = std::find_if(labels.begin(), labels.end(),
                                    [label](const HeadLabel& one) { return one.label == label; });
    return found == labels.end() ? nullptr : &*found;
}

HeadDiagnosis judgeTexts(std::span<const HeadOnText> texts) {
    HeadDiagnosis head;
    if (texts.empty()) return head;
    if (std::all_of(texts.begin(), texts.end(),
                    [](const HeadOnText& one) { return one.verdict->isTooShort(); }))
        judgePooled(texts, head);
    else
        judgeEach(texts, head);
    judgeDormancy(texts, head);
    head.notTested.push_back({Label::Collapsed, "it shows from one checkpoint of a training to the next"});
    return head;
}

void choosePrimary(HeadDiagnosis& head) {
    std::stable_sort(head.labels.begin(), head.labels.end(),
                     [](const HeadLabel& one, const HeadLabel& other) {
                         const int left = rankOf(one.label);
                         const int right = rankOf(other.label);
                         return left != right ? left < right : one.score > other.score;
                     });
    const bool nothingTested = head.labels.empty() && head.unlisted.empty();
    head.primary = nothingTested ? Label::InsufficientEvidence : Label::Mixed;
    for (const double share : {kConsistent, kHalf})
        for (const HeadLabel& one : head.labels) {
            const double found = one.label == Label::ActiveDormant ? 1.0 : one.texts.share();
            if (!mayBePrimary(one.label) || found < share) continue;
            head.primary = one.label;
            return;
        }
}

} // namespace headscope
