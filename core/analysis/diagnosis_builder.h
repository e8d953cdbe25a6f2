// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"
#include "core/diagnosis/group_labels.h"

#include <map>
#include <memory>
#include <vector>

namespace headscope {

/// Gathers what each text says of each head, then judges them. Of a text it keeps numbers, no maps.
class DiagnosisBuilder {
  public:
    /// All texts have the same layers of the same kinds. Throws Error when cancelled, and then is as before.
    void addText(DiagnosedText text, const std::vector<std::shared_ptr<const LayerResult>>& layers,
                 const CancelToken& cancel);
    Diagnosis finish();

  private:
    struct OneText {
        std::vector<HeadMetrics> metrics; ///< by head, in the order of m_heads
        std::vector<Verdict> verdicts;
        std::vector<std::vector<Cause>> causes;
        TokenFacts sourceFacts;
        TokenFacts targetFacts;
        std::map<AttentionKind, PairsOnText> pairs;
    };
    void learnHeads(const std::vector<std::shared_ptr<const LayerResult>>& layers);
    std::vector<Cause> causesOf(std::size_t head) const;
    const TokenFacts* factsOf(std::size_t text, AttentionKind kind) const;
    void addLabelsOfKind(AttentionKind kind, std::vector<std::vector<HeadOnText>>& onTexts,
                         Diagnosis& result);

    std::vector<DiagnosedText> m_texts;
    std::vector<std::unique_ptr<const OneText>> m_records; ///< [texts]
    std::vector<HeadRef> m_heads;
    std::map<AttentionKind, std::vector<std::size_t>> m_kinds; ///< heads of each, as indices into m_heads
    struct LayerStates {
        DiagnosedLayer layer;
        double sum = 0.0;
        int count = 0;
    };
    std::vector<LayerStates> m_layers;
};

} // namespace headscope
