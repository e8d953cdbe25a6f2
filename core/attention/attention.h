// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/norm.h"
#include "core/attention/observer.h"
#include "core/attention/rotary.h"
#include "core/base/cancel.h"
#include "core/maps/score_rule.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace headscope {

class SliceNorms;

/// y = x Wᵀ + b, float32. `weight` is [out, in]; `bias` [out] or undefined.
struct LinearWeights {
    at::Tensor weight;
    at::Tensor bias;
};

at::Tensor applyLinear(const LinearWeights& linear, const at::Tensor& input);

struct AttentionShape {
    std::int64_t modelSize = 0; ///< d_model
    int heads = 0;
    int keyValueHeads = 0; ///< divides heads
    std::int64_t headSize = 0;

    /// headSize = modelSize / heads, as many key/value heads as heads. Throws Error, with both numbers,
    /// unless heads divides modelSize.
    static AttentionShape divide(std::int64_t modelSize, int heads);
};

/// Projected queries, keys and values of one layer.
struct ProjectedHeads {
    at::Tensor queries; ///< [queries, heads * headSize]
    at::Tensor keys;    ///< [keys, keyValueHeads * headSize]
    at::Tensor values;  ///< [keys, keyValueHeads * headSize]
};

/// Where and for whom attention runs.
struct AttentionCall {
    AttentionKind kind = AttentionKind::Self;
    LayerIndex layer;
    const ScoreRule* rule = nullptr;
    AttentionObserver* observer = nullptr;   ///< null: nothing is kept, only the output is computed
    const CancelToken* cancel = nullptr;     ///< polled per strip
    const SliceNorms* outputNorms = nullptr; ///< of W_O, for an observer; null: not known
};

/// softmax(scores of call.rule) V per head, heads concatenated: [queries, heads * headSize], on the inputs'
/// device. Inputs are float32; with an observer Q becomes part of the maps, so it must not be changed
/// afterwards. On the CPU the weights come from the one score kernel in row strips, with an observer and
/// without: the output has the same bits. On other devices it is computed there and, when there is an
/// observer, maps and accumulators come from the same CPU kernel on copies of Q, K and V. A row that sees no
/// key gives 0. Not differentiable: runs in inference mode. Throws Error when cancelled, and LibTorch's
/// exceptions.
at::Tensor attend(const AttentionShape& shape, const ProjectedHeads& heads, const AttentionCall& call);

/// The same output by tensor operations in chunks of rows, on any device; call.observer is not used.
at::Tensor attendByTensors(const AttentionShape& shape, const ProjectedHeads& heads,
                           const AttentionCall& call);

/// What happens to projected queries and keys before they meet: a normalisation, then a rotation.
struct HeadTransforms {
    /// Over each head's headSize numbers, or over all of them together.
    enum class NormScope { None, Head, Whole };
    NormScope normScope = NormScope::None;
    NormWeights queryNorm; ///< weight [headSize] or [heads, headSize]; [heads * headSize] for Whole
    NormWeights keyNorm;
};

/// Multi-head attention: project, split into heads, normalise, rotate, attend, concatenate, W_O.
class MultiHeadAttention {
  public:
    struct Weights {
        LinearWeights query; ///< [heads * headSize, d_model]
        LinearWeights key;   ///< [keyValueHeads * headSize, d_key]
        LinearWeights value;
        LinearWeights output; ///< [d_model, heads * headSize]
        HeadTransforms transforms = {};
    };
    /// Throws Error naming the projection and both shapes when a weight does not fit `shape`.
    MultiHeadAttention(AttentionShape shape, Weights weights);

    const AttentionShape& shape() const { return m_shape; }
    /// `queriesFrom` [queries, d_model] reads `keysFrom` [keys, d_key]; the same tensor for self-attention.
    /// Returns [queries, d_model]. The weights go to call.observer. `rotary` may be null.
    at::Tensor forward(const at::Tensor& queriesFrom, const at::Tensor& keysFrom, const AttentionCall& call,
                       const RotaryTable* rotary = nullptr) const;

    /// The steps of forward(), for rules that depend on the projected heads.
    ProjectedHeads project(const at::Tensor& queriesFrom, const at::Tensor& keysFrom,
                           const RotaryTable* rotary) const;
    at::Tensor attendAndJoin(const ProjectedHeads& heads, const AttentionCall& call) const;

  private:
    struct KeptNorms; ///< made when an observer first asks, for all passes of a resident layer
    at::Tensor transformed(at::Tensor heads, const NormWeights& norm, const RotaryTable* rotary) const;

    AttentionShape m_shape;
    Weights m_weights;
    std::shared_ptr<KeptNorms> m_norms;
};

} // namespace headscope
