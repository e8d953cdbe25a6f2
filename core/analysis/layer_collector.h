// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// Listens to a forward pass: feeds metrics, ranges and thumbnails of each layer and publishes its
/// LayerResult when it is through.
class LayerCollector final : public AttentionObserver {
  public:
    using Publish = std::function<void(std::shared_ptr<const LayerResult>)>;
    /// What is known of the keys of a kind of attention; null: nothing.
    using KeyFacts = std::function<const TokenFacts*(AttentionKind)>;
    /// Of a layer's weights; asked only where a head needs an explanation.
    using Fingerprint = std::function<std::optional<WeightFingerprint>(AttentionKind, LayerIndex)>;
    LayerCollector(Publish publish, KeyFacts keyFacts, Fingerprint fingerprint)
        : m_publish(std::move(publish)), m_keyFacts(std::move(keyFacts)),
          m_fingerprint(std::move(fingerprint)) {}

    void seeStates(AttentionKind kind, LayerIndex layer, double meanCosine) override;
    std::vector<RowAccumulator*> beginLayer(const AttentionLayer& layer) override;
    void endLayer(const AttentionLayer& layer, std::shared_ptr<const LayerMaps> maps,
                  const LayerChecks& checks, const HeadOutputNorms& norms) override;

    const std::vector<std::shared_ptr<const LayerResult>>& layers() const { return m_layers; }
    const std::vector<std::string>& notes() const { return m_notes; } ///< self-checks that did not hold
    std::size_t bytesKept() const { return m_bytesKept; }

  private:
    void explain(LayerResult& result) const;
    void noteChecks(const AttentionLayer& layer, const LayerMaps& maps, const LayerChecks& checks);

    Publish m_publish;
    KeyFacts m_keyFacts;
    Fingerprint m_fingerprint;
    std::unique_ptr<MetricsAccumulator> m_metrics;
    std::unique_ptr<RangeAccumulator> m_ranges;
    std::unique_ptr<ThumbnailAccumulator> m_thumbnails;
    std::vector<std::shared_ptr<const LayerResult>> m_layers;
    std::vector<std::string> m_notes;
    std::size_t m_bytesKept = 0;
    std::optional<double> m_stateCosine; ///< of the layer that runs
};

} // namespace headscope
