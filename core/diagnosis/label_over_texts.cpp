// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/label_over_texts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace headscope {

namespace {

constexpr double kConsistent = 0.8;
constexpr double kHalf = 0.5;
constexpr double kStuckEverywhere = 0.5;
constexpr int kSinkTexts = 3;

/// By how much of its threshold the measure that holds least clears it; negative where one fails.
double marginOf(const Finding& finding) {
    double margin = std::numeric_limits<double>::infinity();
    for (const Measure& measure : finding.measures) {
        const double above =
            measure.atMost ? measure.threshold - measure.value : measure.value - measure.threshold;
        margin = std::min(margin, above / std::max(std::abs(measure.threshold), 1e-9));
    }
    return margin;
}

/// One label over the texts that tested it.
class LabelOverTexts {
  public:
    LabelOverTexts(std::span<const HeadOnText> texts, Label label) : m_texts(texts) {
        m_result.label = label;
        for (std::size_t t = 0; t < texts.size(); ++t)
            if (const Finding* finding = texts[t].verdict->find(label)) add(t, *finding);
        finishMeans();
    }

    bool isTested() const { return !m_result.onTexts.empty(); }
    HeadLabel result() {
        m_result.texts.tested = static_cast<int>(m_result.onTexts.size());
        m_result.texts.fired = static_cast<int>(std::count_if(
            m_result.onTexts.begin(), m_result.onTexts.end(), [](const auto& one) { return one.fires; }));
        m_result.confidence = m_result.texts.confidence();
        if (m_result.label == Label::Stuck) requireOnePlace();
        if (m_result.label == Label::FixedOffset) requireOneOffset();
        if (m_result.label == Label::Sink && m_result.texts.fired >= kSinkTexts && !isPlaceShared()) unlist();
        if (m_result.label == Label::Broadcast && (m_result.texts.fired == 0 || isColumnShared())) unlist();
        chooseExamples();
        return std::move(m_result);
    }

  private:
    void add(std::size_t text, const Finding& finding) {
        m_findings.push_back(&finding);
        m_result.onTexts.push_back(
            {.text = text, .fires = finding.fires, .score = finding.score, .column = finding.column});
    }
    void finishMeans();
    void chooseExamples();
    void unlist() { m_result.confidence = Confidence::NotListed; }
    void recount(const std::vector<bool>& fires) {
        for (std::size_t i = 0; i < fires.size(); ++i) m_result.onTexts[i].fires = fires[i];
        m_result.texts.fired = static_cast<int>(std::count(fires.begin(), fires.end(), true));
        m_result.confidence = m_result.texts.confidence();
    }
    const HeadOnText& textOf(std::size_t i) const { return m_texts[m_result.onTexts[i].text]; }
    std::int64_t fromEnd(std::size_t i) const {
        return textOf(i).metrics->columns.keys() - 1 - m_findings[i]->column.value_or(0);
    }
    void requireOnePlace();
    void requireOneOffset();
    bool isPlaceShared() const;
    bool isColumnShared() const;

    std::span<const HeadOnText> m_texts;
    std::vector<const Finding*> m_findings; ///< of the texts that tested it
    HeadLabel m_result;
    std::string m_place; ///< that the texts must share, in words; empty: they need not
};

void LabelOverTexts::finishMeans() {
    if (m_findings.empty()) return;
    const auto count = static_cast<double>(m_findings.size());
    double kappa = 0.0;
    int withKappa = 0;
    for (const Finding* onText : m_findings) {
        const Finding& finding = *onText;
        m_result.score += finding.score / count;
        if (finding.kappa) {
            kappa += *finding.kappa;
            ++withKappa;
        }
        // Texts may have different measures (a sink on a key, or on the learned one): each has its own mean.
        for (const Measure& measure : finding.measures) {
            const auto same = std::find_if(m_result.measures.begin(), m_result.measures.end(),
                                           [&](const Measure& one) { return one.name == measure.name; });
            if (same == m_result.measures.end()) m_result.measures.push_back(measure);
        }
    }
    for (Measure& measure : m_result.measures) {
        double sum = 0.0;
        int seen = 0;
        for (const Finding* finding : m_findings)
            for (const Measure& one : finding->measures)
                if (one.name == measure.name) {
                    sum += one.value;
                    ++seen;
                }
        measure.value = sum / seen;
    }
    if (withKappa > 0) m_result.kappa = kappa / withKappa;
}

/// The text that speaks most against the label, and the one with the largest score, which says what it is
/// about. A text on which the label does not hold comes first in the one and last in the other, whatever its
/// numbers: it may be vetoed, or be about another place.
void LabelOverTexts::chooseExamples() {
    std::pair worst{true, std::numeric_limits<double>::infinity()};
    std::pair best{false, -std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < m_findings.size(); ++i) {
        const Finding& finding = *m_findings[i];
        const HeadLabel::OnText& onText = m_result.onTexts[i];
        if (const std::pair here{onText.fires, marginOf(finding)}; !m_result.worst || here < worst) {
            worst = here;
            m_result.worst = onText.text;
        }
        if (const std::pair here{onText.fires, finding.score}; i == 0 || here > best) {
            best = here;
            m_result.column = finding.column;
            if (m_place.empty()) m_result.detail = finding.detail;
        }
    }
    if (!m_place.empty()) m_result.detail = m_place;
}

/// Stuck is a finding about one place, from the start or from the end: only texts that share it count, and
/// the key there must have half of the weight on every text.
void LabelOverTexts::requireOnePlace() {
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> ends;
    for (std::size_t i = 0; i < m_findings.size(); ++i) {
        if (!m_findings[i]->fires) continue;
        starts.push_back(*m_findings[i]->column);
        ends.push_back(fromEnd(i));
    }
    if (starts.empty()) return;
    std::int64_t start = 0;
    std::int64_t end = 0;
    const bool atStart = commonest(starts, &start) >= commonest(ends, &end);
    std::vector<bool> fires;
    bool everywhere = true;
    for (std::size_t i = 0; i < m_findings.size(); ++i) {
        fires.push_back(m_findings[i]->fires &&
                        (atStart ? *m_findings[i]->column == start : fromEnd(i) == end));
        const ColumnTable& columns = textOf(i).metrics->columns;
        const std::int64_t key = atStart ? start : columns.keys() - 1 - end;
        everywhere = everywhere && key >= 0 && key < columns.keys() &&
                     columns.mass[static_cast<std::size_t>(key)] >= kStuckEverywhere;
    }
    recount(fires);
    m_place = atStart ? fmt::format("key {} from the start", start) : fmt::format("key {} from the end", end);
    if (!everywhere || m_result.texts.share() < kConsistent) unlist();
}

void LabelOverTexts::requireOneOffset() {
    std::vector<std::string> offsets;
    for (const Finding* finding : m_findings)
        if (finding->fires) offsets.push_back(finding->detail);
    if (offsets.empty()) return;
    commonest(offsets, &m_place);
    std::vector<bool> fires;
    for (const Finding* finding : m_findings) fires.push_back(finding->fires && finding->detail == m_place);
    recount(fires);
}

/// Whether half of the firing texts have the sink at the same index from the start or from the end, on the
/// same class of tokens other than content, or on the learned sink.
bool LabelOverTexts::isPlaceShared() const {
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> ends;
    std::vector<TokenClass> classes;
    int learned = 0;
    for (std::size_t i = 0; i < m_findings.size(); ++i) {
        if (!m_findings[i]->fires) continue;
        if (!m_findings[i]->column) {
            ++learned;
            continue;
        }
        const std::int64_t key = *m_findings[i]->column;
        starts.push_back(key);
        ends.push_back(fromEnd(i));
        if (const TokenFacts* facts = textOf(i).facts)
            if (facts->classes[static_cast<std::size_t>(key)] != TokenClass::Content)
                classes.push_back(facts->classes[static_cast<std::size_t>(key)]);
    }
    const int most = std::max({commonest(starts), commonest(ends), commonest(classes), learned});
    return most >= kHalf * m_result.texts.fired;
}

/// Whether half of the firing texts rest on the same index or the same token: then it is no broadcast.
bool LabelOverTexts::isColumnShared() const {
    std::vector<std::int64_t> places;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < m_findings.size(); ++i) {
        if (!m_findings[i]->fires) continue;
        const std::int64_t key = *m_findings[i]->column;
        places.push_back(key);
        if (const TokenFacts* facts = textOf(i).facts)
            names.push_back(facts->names[static_cast<std::size_t>(key)]);
    }
    return std::max(commonest(places), commonest(names)) >= kHalf * m_result.texts.fired;
}

} // namespace

std::optional<HeadLabel> labelOverTexts(std::span<const HeadOnText> texts, Label label) {
    LabelOverTexts over(texts, label);
    return over.isTested() ? std::optional(over.result()) : std::nullopt;
}

} // namespace headscope
