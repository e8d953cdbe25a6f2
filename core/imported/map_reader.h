// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/checkpoint/tensor_source.h"
#include "core/imported/attention_layers.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headscope {

/// The maps of one layer on their way in.
struct LayerWeights {
    std::vector<std::vector<float>> heads; ///< each row-major [queries, keys]
    bool seesLater = false;
};

/// Reads maps and checks them as far as no mask is needed.
class MapReader {
  public:
    MapReader(const TensorSource& source, const std::string& file, const CancelToken& cancel)
        : m_source(source), m_file(file), m_cancel(cancel) {}

    /// Throws Error for numbers that are no weights, and when cancelled.
    LayerWeights read(const FoundLayer& layer);
    void noteBelowZero(std::vector<std::string>& notes) const;

  private:
    void readFloats(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const;
    std::vector<float> headOf(const FoundLayer& layer, std::int64_t head) const;

    const TensorSource& m_source;
    const std::string& m_file;
    const CancelToken& m_cancel;
    std::vector<float> m_array; ///< elements [m_first, ...) of an array whose maps do not stand together
    std::int64_t m_first = 0;
    std::int64_t m_belowZero = 0;
    double m_mostBelow = 0.0;
};

} // namespace headscope
