// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/encoder_block.h"
#include "core/model/model.h"
#include "core/model/weight_loader.h"

#include <string>
#include <vector>

namespace headscope {

/// A single stack of post-LN blocks over word + type + position embeddings: BERT and its relatives.
class EncoderModel final : public Model {
  public:
    struct Parts {
        RowTable words;       ///< [vocabularySize, hiddenSize], read row by row
        at::Tensor positions; ///< [maxPositions, hiddenSize]
        at::Tensor types;     ///< [tokenTypes, hiddenSize]
        NormWeights norm;
        std::vector<PostNormBlock> blocks;
        std::int64_t parameters = 0;
        std::vector<std::string> notes;
    };
    EncoderModel(ModelSpec spec, DeviceChoice device, Parts parts);

    const ModelSpec& spec() const override { return m_spec; }
    DeviceChoice device() const override { return m_device; }
    std::int64_t parameters() const override { return m_parts.parameters; }
    std::vector<std::string> notes() const override { return m_parts.notes; }
    std::vector<float> forward(const ModelInput& input, const ForwardHooks& hooks) const override;

  private:
    void checkInput(const ModelInput& input) const;
    at::Tensor embed(const ModelInput& input) const;
    std::vector<float> run(const ModelInput& input, const ForwardHooks& hooks) const;

    ModelSpec m_spec;
    DeviceChoice m_device;
    Parts m_parts;
};

} // namespace headscope
