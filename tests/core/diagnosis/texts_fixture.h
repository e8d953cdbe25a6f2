// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/map_metrics.h"
#include "core/diagnosis/over_texts.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <deque>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace headscope::test {

/// One head on several texts, each made of pieces and a formula for its scores.
class HeadOnTexts {
  public:
    explicit HeadOnTexts(bool causal = true) : m_causal(causal) {}

    HeadOnTexts& add(const std::vector<std::string>& pieces, const ScoreFunction& score,
                     std::optional<double> sink = {}) {
        Axis axis;
        for (const std::string& piece : pieces) {
            AxisEntry entry;
            entry.piece = piece;
            entry.text = 0;
            axis.entries.push_back(entry);
        }
        Text& text = m_texts.emplace_back();
        text.facts = tokenFacts(axis);
        const auto tokens = static_cast<std::int64_t>(pieces.size());
        const SyntheticHead head(m_causal ? causalMask(tokens) : fullMask(tokens, tokens), score, sink);
        text.metrics = head.metrics(true, 16, &text.facts);
        const StoredMap map({tokens, tokens}, head.weights);
        measureOnMap(text.metrics, {.map = map, .mask = head.mask, .facts = &text.facts});
        text.verdict = judge(text.metrics);
        return *this;
    }

    std::vector<HeadOnText> onTexts() const {
        std::vector<HeadOnText> result;
        for (const Text& text : m_texts) result.push_back({&text.metrics, &text.verdict, &text.facts});
        return result;
    }
    HeadDiagnosis judged() const {
        const std::vector<HeadOnText> texts = onTexts();
        HeadDiagnosis head = judgeTexts(texts);
        choosePrimary(head);
        return head;
    }
    HeadMetrics& metrics(std::size_t text) { return m_texts[text].metrics; }

  private:
    struct Text {
        HeadMetrics metrics;
        Verdict verdict;
        TokenFacts facts;
    };
    bool m_causal;
    std::deque<Text> m_texts; ///< pointers into it stay
};

/// `count` different words, a full stop every `period` (0: none), offset by the seed.
inline std::vector<std::string> words(int count, unsigned seed, int period = 12) {
    std::vector<std::string> pieces;
    for (int i = 0; i < count; ++i)
        pieces.push_back(period > 0 && i % period == period - 1
                             ? std::string(".")
                             : fmt::format("w{}", 1000 * seed + static_cast<unsigned>(i)));
    return pieces;
}

inline std::vector<Label> labelsOf(const HeadDiagnosis& head) {
    std::vector<Label> labels;
    for (const HeadLabel& one : head.labels) labels.push_back(one.label);
    return labels;
}

} // namespace headscope::test
