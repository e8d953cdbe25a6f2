// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "core/maps/score_rule.h"
#include "core/model/model_spec.h"
#include "core/model/weight_loader.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace headscope {

/// The text that position terms are made for.
struct TermContext {
    std::int64_t queries = 0;
    std::int64_t keys = 0;
    float scale = 1.0F;                        ///< of the scores
    const ProjectedHeads* heads = nullptr;     ///< of this layer
    std::span<const std::int64_t> segments;    ///< token types, or empty: all the same
    const at::Tensor* relativeTable = nullptr; ///< the stack's, [2 * span, model size], where it has one
};

/// Makes what one attention layer adds to its scores for the places of query and key.
class PositionMaker {
  public:
    virtual ~PositionMaker() = default;
    virtual std::shared_ptr<const PositionTerms> make(const TermContext& context) const = 0;
    /// Layers with the same key, if not empty, have the same terms for the same text.
    virtual std::string sharingKey() const { return {}; }
};

/// Reads what `spec` names; null when it has no position terms. `stack` is where the layer stands, `weights`
/// are its own, of which the terms may share some.
std::unique_ptr<const PositionMaker> readPositionMaker(const WeightLoader& loader, const AttentionSpec& spec,
                                                       const TransformerSpec& stack,
                                                       const MultiHeadAttention::Weights& weights);

/// The span of distances in DeBERTa's table for a text of `tokens` tokens.
std::int64_t spanOf(const RelativeTableSpec& table, std::int64_t tokens);

// One kind a file.
std::unique_ptr<const PositionMaker> readBucketBias(const WeightLoader& loader, const BucketBias& bias,
                                                    int heads);
std::unique_ptr<const PositionMaker> makeAlibi(const Alibi& alibi, int heads);
std::unique_ptr<const PositionMaker> readRelativeKey(const WeightLoader& loader, const RelativeKey& relative,
                                                     const AttentionSpec& spec);
std::unique_ptr<const PositionMaker> readDisentangled(const WeightLoader& loader, const AttentionSpec& spec,
                                                      const TransformerSpec& stack,
                                                      const MultiHeadAttention::Weights& weights);
std::unique_ptr<const PositionMaker> readXlnetRelative(const WeightLoader& loader, const AttentionSpec& spec,
                                                       const TransformerSpec& stack);

/// One number for each j - i from 1 - queries to keys - 1.
std::vector<std::int32_t> rowsByDistance(const TermContext& context,
                                         const std::function<std::int64_t(std::int64_t)>& rowOf);
/// A table [rows, heads * headSize] cut into one of KeyPanels a head; [rows, headSize] with `heads` 1.
std::vector<std::shared_ptr<const KeyPanels>> panelsByHead(const at::Tensor& table, int heads);

} // namespace headscope
