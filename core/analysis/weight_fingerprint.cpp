// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/weight_fingerprint.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace headscope {

namespace {

/// Numbers of a matrix that are read: the spread of so many is known to 0.3 %.
constexpr std::int64_t kStretch = 65536;

class Names {
  public:
    Names(const TensorSource& weights, const TransformerSpec& stack) : m_weights(weights), m_stack(stack) {}

    std::vector<float> stretchOf(const std::string& name) const {
        if (name.empty()) return {};
        for (const std::string& prefix : m_stack.prefixes) {
            const TensorInfo* info = m_weights.find(prefix + name);
            if (info == nullptr) continue;
            std::vector<float> values(static_cast<std::size_t>(std::min(info->elements, kStretch)));
            m_weights.readFloats(*info, 0, values);
            return values;
        }
        return {};
    }
    /// Whether all numbers of a tensor are `value`; `all` stays none where there is no such tensor.
    void areAll(const std::string& name, float value, std::optional<bool>& all) const {
        const std::vector<float> values = stretchOf(name);
        if (values.empty()) return;
        const bool same =
            std::all_of(values.begin(), values.end(), [value](float one) { return one == value; });
        all = all.value_or(true) && same;
    }

  private:
    const TensorSource& m_weights;
    const TransformerSpec& m_stack;
};

double spreadOf(const std::vector<float>& values) {
    double sum = 0.0;
    double squares = 0.0;
    for (const float value : values) {
        sum += static_cast<double>(value);
        squares += static_cast<double>(value) * static_cast<double>(value);
    }
    const auto count = static_cast<double>(values.size());
    return std::sqrt(std::max(0.0, squares / count - sum / count * (sum / count)));
}

} // namespace

std::optional<WeightFingerprint> weightFingerprint(const OpenModel& model, AttentionKind kind,
                                                   LayerIndex layer) {
    const ModelSpec& spec = model.spec();
    const bool ofDecoder = kind == AttentionKind::Decoder || kind == AttentionKind::Cross;
    const TransformerSpec& stack = ofDecoder && spec.decoder ? *spec.decoder : spec.main;
    const auto index = static_cast<std::size_t>(layer.value);
    if (index >= stack.blocks.size() || model.checkpoint.weights == nullptr) return std::nullopt;
    const BlockSpec& block = stack.blocks[index];
    if (kind == AttentionKind::Cross && !block.cross) return std::nullopt;
    const AttentionSpec& attention = kind == AttentionKind::Cross ? block.cross->attention : block.attention;
    const BranchSpec& branch = kind == AttentionKind::Cross ? block.cross->branch : block.attentionBranch;
    const Names names(*model.checkpoint.weights, stack);

    const ProjectionSpec& projections = attention.projections;
    const std::vector<float> query =
        names.stretchOf(projections.query.exists() ? projections.query.weight : projections.fused.weight);
    if (query.empty()) return std::nullopt;
    WeightFingerprint result;
    result.spread = spreadOf(query);
    result.initializerRange = spec.initializerRange;
    for (const auto& norm : {branch.before, branch.onOutput, branch.after})
        if (norm)
            names.areAll(norm->weight, norm->kind == NormKind::RmsPlusOne ? 0.0F : 1.0F, result.gainsAreOne);
    for (const LinearSpec* linear :
         {&projections.query, &projections.key, &projections.value, &projections.fused, &projections.output})
        names.areAll(linear->bias, 0.0F, result.biasesAreZero);
    return result;
}

} // namespace headscope
