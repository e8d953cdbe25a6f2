// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/observer.h"
#include "core/base/cancel.h"
#include "core/base/matrix_view.h"
#include "core/base/page_vector.h"
#include "core/maps/layer_maps.h"

#include <memory>
#include <string>
#include <vector>

namespace headscope {

/// One layer's attention on the CPU, in row strips over the score kernel: scores, softmax, accumulators,
/// weights x values, then the strip is overwritten by the next one. Uses LibTorch's threads, never more.
class StripRun {
  public:
    /// What to fill and read; all pointers stay the caller's.
    struct Setup {
        LayerMaps* layer =
            nullptr; ///< heads, sizes, rule and queries are set; keys and normalisers are filled here
        MatrixView<const float> keys;        ///< [keys, keyValueHeads * headSize]
        MatrixView<const float> values;      ///< likewise
        const CancelToken* cancel = nullptr; ///< polled per strip; may be null
        std::string name = "layer";          ///< of the layer, for errors
    };
    explicit StripRun(const Setup& setup);

    /// Writes [queries, heads * headSize]. Throws what cancellation throws, and Error naming head and query
    /// where scores are NaN or infinite; `out` is then unspecified.
    void computeOutput(MatrixView<float> out);
    /// The same, feeding `accumulators`, with value norms, checks and norms as by-products. `layer` (the one
    /// of the setup) must be owned by a shared pointer, from which the self-check reads its maps.
    void observe(const std::shared_ptr<const LayerMaps>& layer,
                 const std::vector<RowAccumulator*>& accumulators, MatrixView<float> out);

    const LayerChecks& checks() const { return m_checks; }
    const HeadOutputNorms& norms() const { return m_norms; }

  private:
    void pack(bool withValueNorms);
    std::int64_t keyValueHead(HeadIndex head) const;
    MatrixView<float> outputOf(HeadIndex head, MatrixView<float> out) const;
    double runRows(HeadIndex head, Span rows, const std::vector<RowAccumulator*>& accumulators,
                   MatrixView<float> headOut, PageVector<float>& scratch);
    void requireFinite(const RowNormaliser& row, HeadIndex head, std::int64_t query) const;
    void measureNorms(MatrixView<const float> out);

    Setup m_setup;
    std::vector<std::unique_ptr<const ValueRows>> m_values; ///< [keyValueHeads]
    LayerChecks m_checks;
    HeadOutputNorms m_norms;
};

} // namespace headscope
