// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/attention.h"

#include "core/attention/output_norms.h"
#include "core/base/check.h"
#include "core/base/error.h"

#include <c10/core/InferenceMode.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace headscope {

namespace {

std::string shapeText(at::IntArrayRef sizes) {
    return sizes.empty() ? "a single number"
                         : fmt::format("{}", fmt::join(sizes.begin(), sizes.end(), " x "));
}

/// `inputs` 0: any number.
void checkProjection(const std::string& name, const LinearWeights& linear, std::int64_t outputs,
                     std::int64_t inputs) {
    const at::Tensor& weight = linear.weight;
    if (!weight.defined()) fail(name, "no weight", fmt::format("expected {} rows", outputs));
    const bool fits =
        weight.dim() == 2 && weight.size(0) == outputs && (inputs == 0 || weight.size(1) == inputs);
    if (!fits) {
        const std::string columns = inputs == 0 ? "any number of columns" : fmt::format("{}", inputs);
        fail(name + " weight", "found " + shapeText(weight.sizes()),
             fmt::format("expected {} x {}", outputs, columns));
    }
    const at::Tensor& bias = linear.bias;
    if (bias.defined() && (bias.dim() != 1 || bias.size(0) != outputs))
        fail(name + " bias", "found " + shapeText(bias.sizes()), fmt::format("expected {}", outputs));
}

} // namespace

at::Tensor applyLinear(const LinearWeights& linear, const at::Tensor& input) {
    if (linear.bias.defined()) return at::linear(input, linear.weight, linear.bias);
    return at::linear(input, linear.weight);
}

AttentionShape AttentionShape::divide(std::int64_t modelSize, int heads) {
    if (modelSize <= 0 || heads <= 0)
        fail("attention", fmt::format("a model size of {} with {} heads", modelSize, heads),
             "expected at least 1 of each");
    if (modelSize % heads != 0)
        fail("attention",
             fmt::format("a model size of {} cannot be divided evenly among {} heads", modelSize, heads),
             fmt::format("{} would be left over", modelSize % heads),
             "choose a number of heads that divides the model size");
    return {.modelSize = modelSize, .heads = heads, .keyValueHeads = heads, .headSize = modelSize / heads};
}

struct MultiHeadAttention::KeptNorms {
    std::once_flag once;
    std::unique_ptr<const SliceNorms> norms;
};

MultiHeadAttention::MultiHeadAttention(AttentionShape shape, Weights weights)
    : m_shape(shape), m_weights(std::move(weights)), m_norms(std::make_shared<KeptNorms>()) {
    if (shape.heads <= 0 || shape.headSize <= 0 || shape.modelSize <= 0)
        fail("attention",
             fmt::format("{} heads of size {} on a model size of {}", shape.heads, shape.headSize,
                         shape.modelSize),
             "expected at least 1 of each");
    if (shape.keyValueHeads <= 0 || shape.heads % shape.keyValueHeads != 0)
        fail("attention", fmt::format("{} key/value heads for {} heads", shape.keyValueHeads, shape.heads),
             "expected a number that divides the heads");
    const std::int64_t queryWidth = shape.heads * shape.headSize;
    const std::int64_t keyWidth = shape.keyValueHeads * shape.headSize;
    checkProjection("query projection", m_weights.query, queryWidth, shape.modelSize);
    checkProjection("key projection", m_weights.key, keyWidth, 0);
    checkProjection("value projection", m_weights.value, keyWidth, m_weights.key.weight.size(1));
    checkProjection("output projection", m_weights.output, shape.modelSize, queryWidth);
}

at::Tensor MultiHeadAttention::transformed(at::Tensor heads, const NormWeights& norm,
                                           const RotaryTable* rotary) const {
    switch (m_weights.transforms.normScope) {
    case HeadTransforms::NormScope::None:
        break;
    case HeadTransforms::NormScope::Head:
        heads = applyNorm(norm, heads.view({heads.size(0), -1, m_shape.headSize})).view(heads.sizes());
        break;
    case HeadTransforms::NormScope::Whole:
        heads = applyNorm(norm, heads);
        break;
    }
    if (rotary != nullptr) applyRotary(*rotary, heads, m_shape.headSize);
    return heads;
}

ProjectedHeads MultiHeadAttention::project(const at::Tensor& queriesFrom, const at::Tensor& keysFrom,
                                           const RotaryTable* rotary) const {
    const c10::InferenceMode inference;
    HS_CHECK_EQ(queriesFrom.dim(), 2);
    HS_CHECK_EQ(keysFrom.dim(), 2);
    HS_CHECK_EQ(queriesFrom.size(1), m_shape.modelSize);
    HS_CHECK_EQ(keysFrom.size(1), m_weights.key.weight.size(1));
    const HeadTransforms& transforms = m_weights.transforms;
    return {.queries = transformed(applyLinear(m_weights.query, queriesFrom), transforms.queryNorm, rotary),
            .keys = transformed(applyLinear(m_weights.key, keysFrom), transforms.keyNorm, rotary),
            .values = applyLinear(m_weights.value, keysFrom)};
}

at::Tensor MultiHeadAttention::attendAndJoin(const ProjectedHeads& heads, const AttentionCall& call) const {
    const c10::InferenceMode inference;
    AttentionCall known = call;
    if (call.observer != nullptr) {
        std::call_once(m_norms->once, [&] {
            m_norms->norms = std::make_unique<const SliceNorms>(m_shape, m_weights.output.weight);
        });
        known.outputNorms = m_norms->norms.get();
    }
    return applyLinear(m_weights.output, attend(m_shape, heads, known));
}

at::Tensor MultiHeadAttention::forward(const at::Tensor& queriesFrom, const at::Tensor& keysFrom,
                                       const AttentionCall& call, const RotaryTable* rotary) const {
    return attendAndJoin(project(queriesFrom, keysFrom, rotary), call);
}

} // namespace headscope
