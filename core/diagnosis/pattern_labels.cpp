// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/pattern_labels.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headscope {

namespace {

constexpr double kNeighbourMass = 0.5;
constexpr double kNeighbourKappa = 0.4;
constexpr double kOffsetDistance = 2.0;
constexpr double kOffsetShare = 0.5;
constexpr double kOffsetMass = 0.3;
constexpr double kRepeatShare = 0.5;
constexpr double kInductionKappa = 0.35;
constexpr double kDuplicateKappa = 0.25;
constexpr double kDelimiterMass = 0.6;
constexpr double kDelimiterKappa = 0.5;
constexpr double kDelimiterSpread = 0.1;
constexpr double kBlockKappa = 0.8;
constexpr double kBlockNearKappa = 0.5;
constexpr double kLocalKappa = 0.7;
constexpr double kBroadcastShare = 0.75;
constexpr double kBroadEntropy = 0.78;
/// Where an even head has this much already, a text cannot tell.
constexpr double kChanceTooHigh = 0.75;
constexpr double kTokenChanceTooHigh = 0.5;
constexpr std::int64_t kMinimumRows = 16;
constexpr std::int64_t kMinimumTypes = 5;
constexpr std::int64_t kMinimumRowsWithTwo = 8;

constexpr const char* kClarkHalf =
    "Clark et al., What Does BERT Look At?, 2019 (arXiv 1906.04341): more than half of the weight";
constexpr const char* kClarkDelimiter =
    "Clark et al. 2019 (arXiv 1906.04341): more than 0.6 of the weight on one kind of delimiter";
constexpr const char* kChance = "set by HeadScope: far above what even weights give under the same mask";
constexpr const char* kVoita =
    "after Voita et al. 2019 (arXiv 1905.09418), who ask for the argmax at one offset in "
    "0.9 of the rows; the cut is set by HeadScope";
constexpr const char* kOwnDistance = "set by HeadScope: nearer ones are previous, self and next";
constexpr const char* kOlsson =
    "prefix matching of Olsson et al., In-context Learning and Induction Heads, 2022 (arXiv "
    "2209.11895); 0.35 isolates the induction heads of GPT-2 small";
constexpr const char* kDuplicateSource =
    "set by HeadScope below the duplicate-token heads of GPT-2 small, which score 0.24 to 0.42";
constexpr const char* kOwnSpread =
    "set by HeadScope: a head stuck on one full stop has all of the class's weight there";
constexpr const char* kOwnBlock = "set by HeadScope from simulated heads: a block head scores 1.00";
constexpr const char* kOwnBlockLocal =
    "set by HeadScope: heads that only look nearby stay within a sentence too";
constexpr const char* kLocalSource =
    "the window of a public head analyzer, 8 tokens; the cut on kappa is set by HeadScope";

constexpr const char* kOwnBroadcast =
    "set by HeadScope: the four heaviest content keys hold half of the weight of three rows in four";
constexpr const char* kClarkBroad =
    "Clark et al. 2019 (arXiv 1906.04341): an entropy above 3.8 nats, which is 0.78 of that of 128 even keys";

std::string chanceReason(double chance) {
    return fmt::format("even weights would give {:.2f} already", chance);
}

/// Adds patterns, and what could not be tested with its reason.
class Patterns {
  public:
    Patterns(const HeadMetrics& metrics, Verdict& verdict) : m_metrics(metrics), m_verdict(verdict) {}

    void judgeSelfAttention(const OffsetMetrics& offsets) {
        judgeNeighbours(offsets);
        judgeFixedOffset(offsets);
        if (m_metrics.tokens) {
            const TokenMetrics& tokens = *m_metrics.tokens;
            if (m_metrics.causal)
                judgeMatch(
                    Label::Induction, tokens.induction,
                    {"induction_kappa", tokens.induction.kappa(), kInductionKappa, false, "", kOlsson});
            judgeMatch(
                Label::DuplicateToken, tokens.duplicate,
                {"duplicate_kappa", tokens.duplicate.kappa(), kDuplicateKappa, false, "", kDuplicateSource});
            judgeDelimiter(tokens);
            judgeBlock(tokens.segment);
        }
        judgeLocal(offsets.local);
    }
    void judgeDelimiter(const TokenMetrics& tokens);
    void judgeSpread();

  private:
    void add(Finding one, double kappa) {
        one.kappa = kappa;
        m_verdict.findings.push_back(std::move(one));
    }
    void notTested(Label label, std::string reason) {
        m_verdict.notTested.push_back({label, std::move(reason)});
    }
    bool isChanceTooHigh(Label label, double chance, double limit) {
        if (chance > limit) notTested(label, chanceReason(chance));
        return chance > limit;
    }

    void judgeNeighbours(const OffsetMetrics& offsets);
    void judgeFixedOffset(const OffsetMetrics& offsets);
    void judgeMatch(Label label, const MatchMass& mass, const Measure& measure);
    void judgeBlock(const SegmentMass& segment);
    void judgeLocal(const SetMass& local);

    const HeadMetrics& m_metrics;
    Verdict& m_verdict;
};

void Patterns::judgeNeighbours(const OffsetMetrics& offsets) {
    struct Neighbour {
        Label label;
        const SetMass* mass;
        const char* name;
    };
    std::vector<Neighbour> neighbours{{Label::PreviousToken, &offsets.previous, "previous_mass"},
                                      {Label::Self, &offsets.self, "self_mass"}};
    if (!m_metrics.causal) neighbours.push_back({Label::NextToken, &offsets.next, "next_mass"});
    // The primary one is the one with most mass.
    std::stable_sort(neighbours.begin(), neighbours.end(), [](const Neighbour& one, const Neighbour& other) {
        return one.mass->mass > other.mass->mass;
    });
    for (const auto& [label, mass, name] : neighbours) {
        if (mass->rows == 0 || isChanceTooHigh(label, mass->chance, kChanceTooHigh)) continue;
        add(finding(label, mass->mass,
                    {{name, mass->mass, kNeighbourMass, false, "", kClarkHalf},
                     {"kappa", mass->kappa(), kNeighbourKappa, false, "", kChance}}),
            mass->kappa());
    }
}

void Patterns::judgeFixedOffset(const OffsetMetrics& offsets) {
    if (!offsets.mode) {
        notTested(Label::FixedOffset,
                  "no offset is seen by at least 16 of the counted queries and by a quarter of them");
        return;
    }
    const OffsetMetrics::Mode& mode = *offsets.mode;
    const auto distance = static_cast<double>(std::llabs(mode.offset)); // less is a neighbour
    Finding fixed = finding(Label::FixedOffset, mode.share,
                            {{"offset_distance", distance, kOffsetDistance, false, "tokens", kOwnDistance},
                             {"offset_mode_share", mode.share, kOffsetShare, false, "", kVoita}});
    // Not measured where the share is far from its cut: no number then, least of all 0.
    if (mode.mass) fixed.measures.push_back({"offset_mass", *mode.mass, kOffsetMass, false, "", kVoita});
    fixed.fires = fixed.fires && mode.mass.value_or(0.0) >= kOffsetMass;
    fixed.detail = fmt::format("offset {}", mode.offset);
    if (fixed.fires && mode.repeatShare > kRepeatShare)
        notTested(
            Label::FixedOffset,
            fmt::format("at offset {} the text repeats itself, which would look the same", mode.offset));
    else
        m_verdict.findings.push_back(std::move(fixed));
}

void Patterns::judgeMatch(Label label, const MatchMass& mass, const Measure& measure) {
    if (mass.rows < kMinimumRows || mass.types < kMinimumTypes) {
        notTested(
            label,
            fmt::format("the text repeats too little: {} rows of {} kinds of tokens, needed are {} of {}",
                        mass.rows, mass.types, kMinimumRows, kMinimumTypes));
        return;
    }
    if (isChanceTooHigh(label, mass.chance, kTokenChanceTooHigh)) return;
    Finding match = finding(label, mass.mass, {measure});
    if (match.fires && mass.commonOffsetShare > kRepeatShare) {
        notTested(label,
                  "the repeats lie at one and the same offset, and a fixed offset would look the same");
        return;
    }
    if (m_verdict.fires(Label::FixedOffset)) match.fires = false;
    add(std::move(match), mass.kappa());
}

void Patterns::judgeDelimiter(const TokenMetrics& tokens) {
    std::optional<Finding> best;
    std::string reason = "the text has too few separators, punctuation marks or line breaks of one kind";
    for (const TokenClass tokenClass :
         {TokenClass::Separator, TokenClass::Punctuation, TokenClass::Newline}) {
        const ClassMass& mass = tokens.of(tokenClass);
        if (mass.keys < 2 || mass.rows < kMinimumRows || mass.rowsWithTwo < kMinimumRowsWithTwo) continue;
        if (mass.chance > kTokenChanceTooHigh) {
            reason = chanceReason(mass.chance);
            continue;
        }
        Finding one = finding(Label::Delimiter, mass.mass,
                              {{"class_mass", mass.mass, kDelimiterMass, false, "", kClarkDelimiter},
                               {"kappa", mass.kappa(), kDelimiterKappa, false, "", kChance},
                               {"class_spread", mass.spread, kDelimiterSpread, false, "", kOwnSpread}});
        one.kappa = mass.kappa();
        one.column = mass.heaviest;
        one.detail = nameOf(tokenClass);
        if (!best || std::pair(one.fires, one.score) > std::pair(best->fires, best->score))
            best = std::move(one);
    }
    if (best)
        m_verdict.findings.push_back(std::move(*best));
    else
        notTested(Label::Delimiter, reason);
}

void Patterns::judgeBlock(const SegmentMass& segment) {
    if (segment.rows < kMinimumRows) {
        notTested(Label::Block, "the text has one sentence, or too few tokens beyond it");
        return;
    }
    if (isChanceTooHigh(Label::Block, segment.chance, kChanceTooHigh)) return;
    if (segment.nearChance > kChanceTooHigh) {
        notTested(Label::Block, "its sentences are so short that a local head would look the same");
        return;
    }
    add(finding(Label::Block, segment.mass,
                {{"segment_kappa", segment.kappa(), kBlockKappa, false, "", kOwnBlock},
                 {"segment_local_kappa", segment.nearKappa(), kBlockNearKappa, true, "", kOwnBlockLocal}}),
        segment.kappa());
}

void Patterns::judgeLocal(const SetMass& local) {
    if (local.rows == 0 || isChanceTooHigh(Label::Local, local.chance, kChanceTooHigh)) return;
    Finding one = finding(Label::Local, local.mass,
                          {{"local8_kappa", local.kappa(), kLocalKappa, false, "", kLocalSource}});
    // What says more than "nearby" takes its place.
    for (const Label label :
         {Label::PreviousToken, Label::NextToken, Label::Self, Label::FixedOffset, Label::Block})
        if (m_verdict.fires(label)) one.fires = false;
    add(std::move(one), local.kappa());
}

void Patterns::judgeSpread() {
    if (m_metrics.broadcast && m_metrics.broadcast->rows > 0) {
        Finding one = finding(
            Label::Broadcast, m_metrics.broadcast->share,
            {{"broadcast_share", m_metrics.broadcast->share, kBroadcastShare, false, "", kOwnBroadcast}});
        one.column = m_metrics.broadcast->columns.front();
        m_verdict.findings.push_back(std::move(one));
    } else if (m_metrics.column) {
        notTested(Label::Broadcast, "fewer than five content keys are seen by enough queries");
    }
    m_verdict.findings.push_back(finding(
        Label::Broad, m_metrics.normalizedEntropy,
        {{"normalized_entropy", m_metrics.normalizedEntropy, kBroadEntropy, false, "", kClarkBroad}}));
}

} // namespace

void judgePatterns(const HeadMetrics& metrics, Verdict& verdict) {
    Patterns patterns(metrics, verdict);
    if (metrics.offsets)
        patterns.judgeSelfAttention(*metrics.offsets);
    else if (metrics.tokens)
        patterns.judgeDelimiter(*metrics.tokens);
    patterns.judgeSpread();
}

} // namespace headscope
