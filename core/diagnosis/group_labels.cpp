// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/group_labels.h"

#include "core/base/check.h"

#include <algorithm>
#include <map>
#include <utility>

namespace headscope {

namespace {

constexpr double kInactiveRatio = 0.5;
constexpr std::size_t kFewestHeads = 4;
constexpr double kRedundantTexts = 0.8;
constexpr const char* kSandoval =
    "Sandoval-Segura et al., inactive attention heads, ICLR 2026 (arXiv 2504.03889): head output norm over "
    "its mean "
    "in the layer; the heads with the lowest values were switched off at little loss";
constexpr const char* kOwnRank = "set by HeadScope: the lowest tenth of the model's heads";
constexpr const char* kOwnRedundant =
    "set by HeadScope: independent heads with the same sink measure 0.19 to 0.63 without it";
constexpr const char* kOwnNotFlat =
    "set by HeadScope: two heads that spread the rest evenly are alike whatever they are";

/// The ratios of the texts long enough to judge, and which texts those are.
HeadLabel inactiveLabel(const GroupedHead& head) {
    HeadLabel result;
    result.label = Label::Inactive;
    for (std::size_t t = 0; t < head.onTexts.size(); ++t) {
        const HeadMetrics& metrics = *head.onTexts[t].metrics;
        if (head.onTexts[t].verdict->isTooShort() || !metrics.outputNormRatio) continue;
        const double ratio = *metrics.outputNormRatio;
        result.onTexts.push_back({.text = t, .fires = ratio <= kInactiveRatio, .score = ratio, .column = {}});
        result.score += ratio;
        if (!result.worst || ratio > result.onTexts[*result.worst].score)
            result.worst = result.onTexts.size() - 1;
    }
    if (result.onTexts.empty()) return result;
    result.worst = result.onTexts[*result.worst].text;
    result.score /= static_cast<double>(result.onTexts.size());
    result.texts.tested = static_cast<int>(result.onTexts.size());
    result.texts.fired = static_cast<int>(std::count_if(result.onTexts.begin(), result.onTexts.end(),
                                                        [](const auto& one) { return one.fires; }));
    return result;
}

void addTo(HeadDiagnosis& head, HeadLabel label) {
    (label.isListed() ? head.labels : head.unlisted).push_back(std::move(label));
}

} // namespace

void addInactive(std::span<GroupedHead> heads) {
    std::vector<HeadLabel> labels;
    std::vector<double> scores; // of those that are known
    for (const GroupedHead& head : heads) {
        labels.push_back(inactiveLabel(head));
        if (!labels.back().onTexts.empty()) scores.push_back(labels.back().score);
    }
    const bool enough = heads.size() >= kFewestHeads;
    const auto lowest = static_cast<double>((heads.size() + 9) / 10);
    for (std::size_t h = 0; h < heads.size(); ++h) {
        HeadLabel& label = labels[h];
        if (!enough || label.onTexts.empty()) {
            const char* reason =
                !enough ? "the model has fewer than 4 heads of this kind"
                        : "the sizes of the heads' outputs are not known on a text that is long enough";
            heads[h].diagnosis->notTested.push_back({Label::Inactive, reason});
            continue;
        }
        const auto rank =
            1.0 + static_cast<double>(std::count_if(scores.begin(), scores.end(),
                                                    [&](double one) { return one < label.score; }));
        label.measures = {{"output_norm_ratio", label.score, kInactiveRatio, true, "", kSandoval},
                          {"rank_from_lowest", rank, lowest, true, "", kOwnRank}};
        const bool fires = std::all_of(label.measures.begin(), label.measures.end(),
                                       [](const Measure& one) { return one.holds(); });
        label.confidence = fires ? Confidence::Observed : Confidence::NotListed;
        addTo(*heads[h].diagnosis, std::move(label));
    }
}

namespace {

/// A pair that was redundant on some text.
struct FoundPair {
    RedundantPair pair;
    double leastKl = 0.0;                   ///< of the two, on the text with the lowest divergence
    std::vector<HeadLabel::OnText> onTexts; ///< those on which it was
};

/// What all pairs of a group say on all texts. A text too short to judge either head tests no pair.
class PairsOverTexts {
  public:
    PairsOverTexts(std::span<const GroupedHead> heads, std::span<const PairsOnText> texts)
        : m_heads(heads), m_texts(texts) {}

    std::span<const PairsOnText> texts() const { return m_texts; }
    bool isTested(std::size_t text, std::size_t one, std::size_t other) const {
        const auto [first, second] = std::minmax(one, other);
        return !m_texts[text].tested.empty() && m_texts[text].tested[first][second - first - 1] &&
               !isTooShort(text, first) && !isTooShort(text, second);
    }
    bool isEverTested(std::size_t head) const {
        for (std::size_t text = 0; text < m_texts.size(); ++text)
            for (std::size_t other = 0; other < m_heads.size(); ++other)
                if (other != head && isTested(text, head, other)) return true;
        return false;
    }
    bool isAlwaysTooShort(std::size_t head) const {
        for (std::size_t text = 0; text < m_texts.size(); ++text)
            if (!isTooShort(text, head)) return false;
        return true;
    }

  private:
    bool isTooShort(std::size_t text, std::size_t head) const {
        HS_CHECK_LT(text, m_heads[head].onTexts.size());
        return m_heads[head].onTexts[text].verdict->isTooShort();
    }
    std::span<const GroupedHead> m_heads;
    std::span<const PairsOnText> m_texts;
};

/// By divergence, the nearest first.
std::vector<FoundPair> redundantPairs(const PairsOverTexts& over) {
    const std::span<const PairsOnText> texts = over.texts();
    std::map<std::pair<std::size_t, std::size_t>, FoundPair> found;
    for (std::size_t t = 0; t < texts.size(); ++t)
        for (const PairSimilarity& one : texts[t].close) {
            if (!one.isRedundant() || !over.isTested(t, one.first, one.second)) continue;
            FoundPair& pair = found[{one.first, one.second}];
            if (pair.onTexts.empty() || one.divergence < pair.pair.divergence) {
                pair.pair = {one.first, one.second, one.divergence, pair.pair.texts};
                pair.leastKl = std::min(one.firstKl, one.secondKl);
            }
            pair.onTexts.push_back({.text = t, .fires = true, .score = one.divergence, .column = {}});
            ++pair.pair.texts.fired;
        }
    std::vector<FoundPair> pairs;
    for (auto& [key, pair] : found) {
        for (std::size_t t = 0; t < texts.size(); ++t)
            if (over.isTested(t, key.first, key.second)) ++pair.pair.texts.tested;
        if (pair.pair.texts.share() >= kRedundantTexts) pairs.push_back(std::move(pair));
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const FoundPair& one, const FoundPair& other) {
        return one.pair.divergence < other.pair.divergence;
    });
    return pairs;
}

HeadLabel redundantLabel(const FoundPair& found, const std::string& other) {
    HeadLabel label;
    label.label = Label::Redundant;
    label.score = found.pair.divergence;
    label.measures = {
        {"sink_excluded_jsd", found.pair.divergence, PairSimilarity::kRedundant, true, "nats", kOwnRedundant},
        {"sink_excluded_kl", found.leastKl, PairSimilarity::kFlatRest, false, "nats", kOwnNotFlat}};
    label.texts = found.pair.texts;
    label.confidence = label.texts.confidence();
    label.onTexts = found.onTexts;
    label.detail = other;
    return label;
}

const char* reasonForNoPair(const PairsOverTexts& over, std::size_t head) {
    if (over.isAlwaysTooShort(head)) return "no text is long enough: a flag needs 32 keys and 24 queries";
    return "no other head of its kind sees the same keys and keeps enough weight beside those that they rest "
           "on";
}

} // namespace

std::vector<RedundantPair> addRedundant(std::span<GroupedHead> heads, std::span<const PairsOnText> texts) {
    std::vector<RedundantPair> result;
    const PairsOverTexts over(heads, texts);
    for (const FoundPair& found : redundantPairs(over)) {
        result.push_back(found.pair);
        for (const auto& [head, other] :
             {std::pair(found.pair.first, found.pair.second), std::pair(found.pair.second, found.pair.first)})
            // The nearest copy is named.
            if (heads[head].diagnosis->find(Label::Redundant) == nullptr)
                heads[head].diagnosis->labels.push_back(redundantLabel(found, heads[other].name));
    }
    for (std::size_t h = 0; h < heads.size(); ++h)
        if (!over.isEverTested(h))
            heads[h].diagnosis->notTested.push_back({Label::Redundant, reasonForNoPair(over, h)});
    return result;
}

} // namespace headscope
