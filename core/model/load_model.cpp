// SPDX-License-Identifier: GPL-3.0-or-later
// From a checkpoint to a model: everything that is the same for all families.
#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/families.h"
#include "core/model/text_model.h"
#include "core/model/torch_errors.h"
#include "core/model/working_memory.h"

#include <c10/core/InferenceMode.h>

#include <fmt/format.h>

namespace headscope {

namespace {

class ModelBuilder {
  public:
    ModelBuilder(const Checkpoint& checkpoint, DeviceChoice device, WeightLoader::Mode mode)
        : m_weights(checkpoint.weights), m_device(device), m_mode(mode) {
        m_parts.spec = specOf(checkpoint);
        m_parts.device = device;
    }

    void findTensors() {
        const ModelSpec& spec = m_parts.spec;
        m_parts.main = stackOf(spec.main, 0);
        if (spec.decoder) {
            const std::int64_t encoderSize =
                spec.encoderToDecoder.exists() ? spec.decoder->hiddenSize : spec.main.outputSize;
            m_parts.decoder = stackOf(*spec.decoder, encoderSize);
        }
        WeightLoader loader(sourceWith(""), m_mode);
        loader.recordIn(&m_ledger);
        m_parts.encoderToDecoder = loader.linear(
            spec.encoderToDecoder, spec.decoder ? spec.decoder->hiddenSize : 0, spec.hiddenSize);
        if (spec.head) {
            const Transformer& last = m_parts.decoder ? *m_parts.decoder : *m_parts.main;
            m_parts.head.emplace(loader, *spec.head, last.embedding().words(), last.spec().outputSize);
        }
    }

    void readWeights(std::uint64_t limit, const CancelToken& cancel, const ProgressSink& progress) {
        const std::uint64_t bytes =
            m_parts.main->blockBytes() + (m_parts.decoder ? m_parts.decoder->blockBytes() : 0);
        if (bytes > limit) return;
        // Tables and norms outside the blocks have been read by now.
        const auto expected = static_cast<std::int64_t>(m_ledger.used.size());
        std::int64_t read = expected - m_ledger.ofBlocks;
        const auto onTensor = [&] {
            cancel.throwIfCancelled();
            if (progress) progress({"tensor", std::min(++read, expected), expected});
        };
        m_parts.main->makeResident(onTensor);
        if (m_parts.decoder) m_parts.decoder->makeResident(onTensor);
    }

    std::shared_ptr<const Model> finish() {
        m_parts.parameters = m_ledger.parameters;
        m_parts.notes = notes();
        return std::make_shared<TextModel>(std::move(m_parts));
    }

    std::vector<std::string> notes() const {
        std::vector<std::string> all = m_parts.spec.notes;
        for (std::string& note : notesOnUnusedTensors(*m_weights, m_ledger)) all.push_back(std::move(note));
        return all;
    }

  private:
    WeightLoader::Source sourceWith(std::string prefix) const {
        return {m_weights, std::move(prefix), m_device};
    }

    std::unique_ptr<Transformer> stackOf(const TransformerSpec& spec, std::int64_t encoderSize) {
        const std::string prefix = choosePrefix(*m_weights, spec.prefixes, spec.embedding.words);
        return std::make_unique<Transformer>(spec, sourceWith(prefix), encoderSize, m_ledger, m_mode);
    }

    std::shared_ptr<const TensorSource> m_weights;
    DeviceChoice m_device;
    WeightLoader::Mode m_mode;
    WeightLedger m_ledger;
    TextModel::Parts m_parts;
};

} // namespace

ModelSpec specOf(const Checkpoint& checkpoint) {
    return familyOf(checkpoint).spec(checkpoint);
}

std::shared_ptr<const Model> loadModel(const Checkpoint& checkpoint, DeviceChoice device,
                                       const CancelToken& cancel, const ProgressSink& progress,
                                       std::uint64_t residentLimit) {
    std::shared_ptr<const Model> model;
    translatingTorchErrors([&] {
        useWorkingMemory();
        const c10::InferenceMode inference;
        ModelBuilder builder(checkpoint, resolveDevice(device), WeightLoader::Mode::Read);
        builder.findTensors();
        builder.readWeights(residentLimit, cancel, progress);
        model = builder.finish();
    });
    return model;
}

std::vector<std::string> checkModel(const Checkpoint& checkpoint) {
    std::vector<std::string> notes;
    translatingTorchErrors([&] {
        const c10::InferenceMode inference;
        ModelBuilder builder(checkpoint, DeviceChoice::Cpu, WeightLoader::Mode::Check);
        builder.findTensors();
        notes = builder.notes();
    });
    return notes;
}

} // namespace headscope
