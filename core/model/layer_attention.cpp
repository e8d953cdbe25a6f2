// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/layer_attention.h"

#include "core/base/check.h"

#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

AttentionShape shapeOf(const AttentionSpec& spec, std::int64_t modelSize) {
    return {.modelSize = modelSize,
            .heads = spec.heads,
            .keyValueHeads = spec.keyValueHeads,
            .headSize = spec.headSize};
}

/// A matrix that holds several projections, cut into them.
class FusedMatrix {
  public:
    FusedMatrix(const AttentionSpec& spec, LinearWeights fused) : m_spec(spec), m_fused(std::move(fused)) {}

    static std::int64_t rowCount(const AttentionSpec& spec) {
        const std::int64_t keyRows = spec.keyValueHeads * spec.headSize;
        return spec.projections.layout == FusedLayout::KeyValue ? 2 * keyRows
                                                                : spec.heads * spec.headSize + 2 * keyRows;
    }

    void cutInto(MultiHeadAttention::Weights& weights) const {
        const std::int64_t queryRows = m_spec.heads * m_spec.headSize;
        const std::int64_t keyRows = m_spec.keyValueHeads * m_spec.headSize;
        switch (m_spec.projections.layout) {
        case FusedLayout::Joined:
            weights.query = stretch(0, queryRows);
            weights.key = stretch(queryRows, keyRows);
            weights.value = stretch(queryRows + keyRows, keyRows);
            return;
        case FusedLayout::KeyValue:
            weights.key = stretch(0, keyRows);
            weights.value = stretch(keyRows, keyRows);
            return;
        case FusedLayout::Grouped: {
            const std::int64_t sharing = m_spec.heads / m_spec.keyValueHeads;
            weights.query = ofGroups(0, sharing);
            weights.key = ofGroups(sharing, 1);
            weights.value = ofGroups(sharing + 1, 1);
            return;
        }
        }
    }

  private:
    LinearWeights stretch(std::int64_t first, std::int64_t count) const {
        return {m_fused.weight.narrow(0, first, count),
                m_fused.bias.defined() ? m_fused.bias.narrow(0, first, count) : at::Tensor()};
    }
    /// Heads [first, first + count) of every group. By views, which need no memory and no numbers:
    /// index_select does not know tensors that are only checked.
    LinearWeights ofGroups(std::int64_t first, std::int64_t count) const {
        return {rowsOfGroups(m_fused.weight, first, count), rowsOfGroups(m_fused.bias, first, count)};
    }
    at::Tensor rowsOfGroups(const at::Tensor& rows, std::int64_t first, std::int64_t count) const {
        if (!rows.defined()) return rows;
        const std::int64_t perGroup = m_spec.heads / m_spec.keyValueHeads + 2;
        const at::Tensor groups =
            rows.unflatten(0, {m_spec.keyValueHeads, perGroup, m_spec.headSize}).narrow(1, first, count);
        return groups.flatten(0, 2);
    }

    const AttentionSpec& m_spec;
    LinearWeights m_fused;
};

void addBias(LinearWeights& linear, const at::Tensor& bias) {
    linear.bias = linear.bias.defined() ? linear.bias + bias : bias;
}

LinearWeights readProjection(const WeightLoader& loader, const LinearSpec& spec,
                             const AttentionSpec& attention, std::array<std::int64_t, 2> size) {
    if (spec.layout == WeightLayout::InHeads)
        return loader.headedLinear(spec,
                                   std::array<std::int64_t, 3>{size[1], attention.heads, attention.headSize});
    return loader.linear(spec, size[0], size[1]);
}

/// [heads * headSize]; in the file [heads, headSize] where the matrix is kept by heads.
at::Tensor readQueryBias(const WeightLoader& loader, const AttentionSpec& spec) {
    const ProjectionSpec& names = spec.projections;
    if (names.query.layout != WeightLayout::InHeads)
        return loader.vector(names.queryBias, spec.heads * spec.headSize);
    return loader.tensor(names.queryBias, std::array<std::int64_t, 2>{spec.heads, spec.headSize}).flatten();
}

/// [headSize] or [heads, headSize], as the spec's scope says.
NormWeights readHeadNorm(const WeightLoader& loader, const NormSpec& spec, HeadNormSpec::Scope scope,
                         std::array<std::int64_t, 2> shape) {
    switch (scope) {
    case HeadNormSpec::Scope::EachHead:
        return loader.norm(spec, shape[1]);
    case HeadNormSpec::Scope::Whole:
        return loader.norm(spec, shape[0] * shape[1]);
    case HeadNormSpec::Scope::OwnOfHead:
        return loader.norm(spec, shape);
    case HeadNormSpec::Scope::OwnTensors:
        break;
    }
    NormWeights joined;
    std::vector<at::Tensor> weights;
    for (std::int64_t head = 0; head < shape[0]; ++head) {
        NormSpec own = spec;
        own.weight = fmt::format(fmt::runtime(spec.weight), head);
        joined = loader.norm(own, shape[1]);
        weights.push_back(joined.weight);
    }
    joined.weight = at::stack(weights);
    return joined;
}

MultiHeadAttention::Weights readWeights(const WeightLoader& loader, const AttentionSpec& spec,
                                        std::int64_t modelSize, std::int64_t keySize) {
    const ProjectionSpec& names = spec.projections;
    const std::int64_t queryRows = spec.heads * spec.headSize;
    const std::int64_t keyRows = spec.keyValueHeads * spec.headSize;
    MultiHeadAttention::Weights weights;
    if (names.query.exists())
        weights.query = readProjection(loader, names.query, spec, {queryRows, modelSize});
    if (names.fused.exists()) {
        const std::int64_t rows = FusedMatrix::rowCount(spec);
        FusedMatrix(spec, loader.linear(names.fused, rows, keySize)).cutInto(weights);
    } else {
        weights.key = readProjection(loader, names.key, spec, {keyRows, keySize});
        weights.value = readProjection(loader, names.value, spec, {keyRows, keySize});
    }
    if (!names.queryBias.empty()) addBias(weights.query, readQueryBias(loader, spec));
    if (!names.valueBias.empty()) addBias(weights.value, loader.vector(names.valueBias, keyRows));
    if (names.output.layout ==
        WeightLayout::InHeads) // XLNet: [model size, heads, headSize], not turned round
        weights.output.weight = loader
                                    .tensor(names.output.weight,
                                            std::array<std::int64_t, 3>{modelSize, spec.heads, spec.headSize})
                                    .flatten(1);
    else
        weights.output = loader.linear(names.output, modelSize, queryRows);
    if (spec.headNorm) {
        const HeadNormSpec& norm = *spec.headNorm;
        weights.transforms.normScope = norm.scope == HeadNormSpec::Scope::Whole
                                           ? HeadTransforms::NormScope::Whole
                                           : HeadTransforms::NormScope::Head;
        weights.transforms.queryNorm =
            readHeadNorm(loader, norm.query, norm.scope, {spec.heads, spec.headSize});
        weights.transforms.keyNorm =
            readHeadNorm(loader, norm.key, norm.scope, {spec.keyValueHeads, spec.headSize});
    }
    return weights;
}

std::vector<float> readSinks(const WeightLoader& loader, const AttentionSpec& spec) {
    if (spec.sinks.empty()) return {};
    const at::Tensor sinks = loader.vector(spec.sinks, spec.heads);
    if (loader.mode() == WeightLoader::Mode::Check) return {};
    const at::Tensor host = sinks.to(at::kCPU);
    return {host.const_data_ptr<float>(), host.const_data_ptr<float>() + host.numel()};
}

} // namespace

LayerAttention::LayerAttention(const WeightLoader& loader, const AttentionSpec& spec,
                               const TransformerSpec& stack, std::int64_t keySize)
    : LayerAttention(loader, spec, stack, readWeights(loader, spec, stack.hiddenSize, keySize)) {}

LayerAttention::LayerAttention(const WeightLoader& loader, const AttentionSpec& spec,
                               const TransformerSpec& stack, const MultiHeadAttention::Weights& weights)
    : m_spec(spec), m_attention(shapeOf(spec, stack.hiddenSize), weights),
      m_position(readPositionMaker(loader, spec, stack, weights)), m_sinks(readSinks(loader, spec)) {}

std::shared_ptr<const PositionTerms>
LayerAttention::positionTerms(const ProjectedHeads& heads, const ScoreRule& rule, StackPass& pass) const {
    if (!m_position) return nullptr;
    const std::string key = m_position->sharingKey();
    const auto make = [&] {
        return m_position->make({.queries = rule.mask.queries,
                                 .keys = rule.mask.keys,
                                 .scale = rule.scale,
                                 .heads = &heads,
                                 .segments = pass.segments,
                                 .relativeTable = &pass.relativeTable});
    };
    if (key.empty()) return make();
    std::shared_ptr<const PositionTerms>& shared = pass.sharedTerms[key];
    if (!shared) shared = make();
    return shared;
}

at::Tensor LayerAttention::forward(const at::Tensor& input, const at::Tensor& keysFrom, AttentionKind kind,
                                   StackPass& pass) const {
    const RotaryTable* rotary = m_spec.rotary ? &pass.rotaries.at(*m_spec.rotary) : nullptr;
    const ProjectedHeads heads = m_attention.project(input, keysFrom, rotary);
    ScoreRule rule;
    rule.scale = static_cast<float>(m_spec.scale);
    rule.mask.queries = input.size(0);
    rule.mask.keys = keysFrom.size(0);
    rule.mask.causal = m_spec.causal;
    rule.mask.window = m_spec.window;
    if (m_spec.softCap) rule.softCap = static_cast<float>(*m_spec.softCap);
    rule.sinks = m_sinks;
    rule.position = positionTerms(heads, rule, pass);
    return m_attention.attendAndJoin(
        heads,
        {.kind = kind, .layer = pass.layer, .rule = &rule, .observer = pass.observer, .cancel = pass.cancel});
}

} // namespace headscope
