// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_spec.h"
#include "core/model/weight_loader.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// Rows of the position table for a text.
std::vector<std::int64_t> positionRows(const PositionEmbeddingSpec& spec, std::span<const std::int64_t> ids);

/// The first states of a stack: words, positions, token types, their norm and projection.
class Embedding {
  public:
    Embedding() = default;
    /// Throws Error for missing or misshaped tensors.
    Embedding(const WeightLoader& loader, const TransformerSpec& stack, DeviceChoice device);

    /// [ids.size(), model size]. `types` is empty or as long as `ids`. Everything has been checked against
    /// the tables.
    at::Tensor forward(std::span<const std::int64_t> ids, std::span<const std::int64_t> types) const;
    const RowTable& words() const { return m_words; }

  private:
    at::Tensor positions(std::span<const std::int64_t> ids) const;

    EmbeddingSpec m_spec;
    DeviceChoice m_device = DeviceChoice::Cpu;
    RowTable m_words;
    std::optional<RowTable> m_positions; ///< only the rows of a text are read
    at::Tensor m_types;
    std::optional<NormWeights> m_norm;
    LinearWeights m_projection;
};

} // namespace headscope
