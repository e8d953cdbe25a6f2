// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/transformer.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/activation.h"
#include "core/model/rotary_frequencies.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// LibTorch's own check writes a tensor of booleans first, which costs more than a small layer.
bool isFinite(const at::Tensor& tensor) {
    if (!tensor.is_cpu() || !tensor.is_contiguous()) return at::isfinite(tensor).all().item<bool>();
    const float* values = tensor.const_data_ptr<float>();
    std::uint32_t largest = 0; // of the magnitudes' bit patterns: infinity and NaN come after all numbers
    for (std::int64_t i = 0; i < tensor.numel(); ++i)
        largest = std::max(largest, std::bit_cast<std::uint32_t>(values[i]) & 0x7fffffffU);
    return largest < 0x7f800000U;
}

void requireFinite(const at::Tensor& tensor, const std::string& where) {
    if (!isFinite(tensor))
        fail(where, "its output holds NaN or infinity", "expected finite numbers",
             "the weights are damaged or too large for float32");
}

/// Of all pairs of rows: the squared length of the sum of unit vectors counts each pair twice and each row
/// once.
double meanCosine(const at::Tensor& states) {
    const auto rows = static_cast<double>(states.size(0));
    const at::Tensor lengths = states.norm(2, 1).clamp_min_(1e-30);
    const double sum =
        at::mv(states.t(), lengths.reciprocal_()).to(at::kDouble).square().sum().item<double>();
    return std::clamp((sum - rows) / (rows * (rows - 1.0)), -1.0, 1.0);
}

std::string layerText(AttentionKind kind, std::size_t layer) {
    if (kind == AttentionKind::Self) return fmt::format("layer {}", layer);
    return fmt::format("{} layer {}", kind == AttentionKind::Encoder ? "encoder" : "decoder", layer);
}

} // namespace

Convolution::Convolution(const WeightLoader& loader, const ConvolutionSpec& spec, std::int64_t modelSize)
    : m_spec(spec),
      m_weight(loader.tensor(spec.weight, std::array{modelSize, modelSize / spec.groups, spec.kernel})),
      m_bias(loader.vector(spec.bias, modelSize)), m_norm(loader.norm(spec.norm, modelSize)) {}

at::Tensor Convolution::forward(const at::Tensor& embeddings, const at::Tensor& hidden) const {
    const at::Tensor convolved = at::conv1d(embeddings.t().unsqueeze(0), m_weight, m_bias, 1,
                                            (m_spec.kernel - 1) / 2, 1, m_spec.groups)
                                     .squeeze(0)
                                     .t()
                                     .contiguous();
    return applyNorm(m_norm, hidden + applyActivation(m_spec.activation, convolved));
}

Transformer::Transformer(TransformerSpec spec, WeightLoader::Source source, std::int64_t encoderSize,
                         WeightLedger& ledger, WeightLoader::Mode outside)
    : m_spec(std::move(spec)), m_source(std::move(source)), m_encoderSize(encoderSize) {
    WeightLoader read(m_source, outside);
    read.recordIn(&ledger);
    // The words first: a folder without them holds another family, or nothing.
    m_embedding = Embedding(read, m_spec, m_source.device);
    WeightLoader check(m_source, WeightLoader::Mode::Check);
    for (std::size_t index = 0; index < m_spec.blocks.size(); ++index) {
        WeightLedger own;
        check.recordIn(&own);
        readBlock(index, check);
        const std::uint64_t bytes = static_cast<std::uint64_t>(own.parameters) * sizeof(float);
        m_largestBlockBytes = std::max(m_largestBlockBytes, bytes);
        if (m_spec.blocks[index].weightsOf != index) continue;
        m_blockBytes += bytes;
        for (const std::string& name : own.used) {
            const TensorInfo& info = *m_source.weights->find(name);
            m_blockBytesInFile += static_cast<std::uint64_t>(info.elements * sizeOf(info.dtype));
            if (!ledger.used.insert(name).second) continue; // T5's table of distances serves every block
            ledger.parameters += info.elements;
            ++ledger.ofBlocks;
        }
    }
    if (const auto& table = m_spec.relativeTable) {
        m_relativeTable = read.matrix(table->table, 2 * table->span, m_spec.hiddenSize);
        if (table->norm)
            m_relativeTable = applyNorm(read.norm(*table->norm, m_spec.hiddenSize), m_relativeTable);
    }
    if (m_spec.convolution)
        m_convolution = std::make_unique<Convolution>(read, *m_spec.convolution, m_spec.hiddenSize);
    if (m_spec.finalNorm) m_finalNorm = read.norm(*m_spec.finalNorm, m_spec.hiddenSize);
    m_outputProjection = read.linear(m_spec.outputProjection, m_spec.outputSize, m_spec.hiddenSize);
}

std::shared_ptr<const Block> Transformer::readBlock(std::size_t index, const WeightLoader& loader) const {
    return std::make_shared<const Block>(loader, m_spec.blocks[index], m_spec, m_encoderSize);
}

void Transformer::makeResident(const std::function<void()>& onTensor) {
    WeightLoader loader(m_source, WeightLoader::Mode::Read);
    loader.onTensor(onTensor);
    std::vector<std::shared_ptr<const Block>> blocks;
    for (std::size_t index = 0; index < m_spec.blocks.size(); ++index) {
        const std::size_t owner = m_spec.blocks[index].weightsOf;
        HS_CHECK_LE(owner, index);
        blocks.push_back(owner == index ? readBlock(index, loader) : blocks[owner]);
    }
    m_blocks = std::move(blocks);
}

StackPass Transformer::beginPass(const StackInput& input) const {
    StackPass pass;
    pass.tokens = static_cast<std::int64_t>(input.ids.size());
    pass.segments = input.types;
    pass.kind = input.kind;
    pass.observer = input.observer;
    pass.cancel = input.cancel;
    for (const RotarySpec& rotary : m_spec.rotaries)
        pass.rotaries.push_back(rotaryTable(rotary, pass.tokens, torchDevice(m_source.device)));
    pass.relativeTable = m_relativeTable;
    pass.encoderStates = input.encoderStates;
    return pass;
}

at::Tensor Transformer::forward(const StackInput& input) const {
    StackPass pass = beginPass(input);
    at::Tensor hidden = m_embedding.forward(input.ids, input.types);
    requireFinite(hidden, "embeddings");
    const at::Tensor embeddings = m_convolution ? hidden : at::Tensor();
    WeightLoader loader(m_source, WeightLoader::Mode::Read);
    loader.onTensor([&] {
        if (input.cancel != nullptr) input.cancel->throwIfCancelled();
    });
    for (std::size_t index = 0; index < m_spec.blocks.size(); ++index) {
        if (input.cancel != nullptr) input.cancel->throwIfCancelled();
        pass.layer = LayerIndex(static_cast<std::int64_t>(index));
        if (input.observer != nullptr && hidden.size(0) > 1)
            input.observer->seeStates(input.kind, pass.layer, meanCosine(hidden));
        hidden = (isResident() ? m_blocks[index] : readBlock(index, loader))->forward(hidden, pass);
        if (index == 0 && m_convolution) hidden = m_convolution->forward(embeddings, hidden);
        requireFinite(hidden, layerText(input.kind, index));
        if (input.layerDone) input.layerDone(static_cast<int>(index));
    }
    if (m_finalNorm) hidden = applyNorm(*m_finalNorm, hidden);
    if (m_outputProjection.weight.defined()) hidden = applyLinear(m_outputProjection, hidden);
    return hidden;
}

} // namespace headscope
