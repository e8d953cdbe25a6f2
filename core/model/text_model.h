// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/model/output_head.h"
#include "core/model/transformer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headscope {

/// A model of text built from its spec: one stack, or an encoder with a decoder that reads its output.
class TextModel final : public Model {
  public:
    struct Parts {
        ModelSpec spec;
        DeviceChoice device = DeviceChoice::Cpu;
        std::unique_ptr<Transformer> main;
        std::unique_ptr<Transformer> decoder; ///< null: none
        LinearWeights encoderToDecoder;       ///< undefined: none
        std::optional<OutputHead> head;
        std::int64_t parameters = 0;
        std::vector<std::string> notes;
    };
    explicit TextModel(Parts parts) : m_parts(std::move(parts)) {}

    const ModelSpec& spec() const override { return m_parts.spec; }
    DeviceChoice device() const override { return m_parts.device; }
    std::int64_t parameters() const override { return m_parts.parameters; }
    WeightMemory weightMemory() const override;
    std::vector<std::string> notes() const override { return m_parts.notes; }
    ModelOutput forward(const ModelInput& input, const ForwardHooks& hooks) const override;
    bool hasOutputHead() const override { return m_parts.head.has_value(); }
    std::vector<float> logits(std::span<const float> hidden, const CancelToken& cancel) const override;

  private:
    void checkInput(const ModelInput& input) const;
    ModelOutput run(const ModelInput& input, const ForwardHooks& hooks) const;

    Parts m_parts;
};

} // namespace headscope
