// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/encoder_model.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/torch_errors.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace headscope {

namespace {

/// True unless there is a NaN or an infinity. On the CPU one pass over the bits: the largest exponent, which
/// the compiler vectorises where it may not reorder a float reduction.
bool isFinite(const at::Tensor& tensor) {
    if (!tensor.device().is_cpu() || !tensor.is_contiguous()) return at::isfinite(tensor).all().item<bool>();
    const float* values = tensor.const_data_ptr<float>();
    const std::int64_t count = tensor.numel();
    std::uint32_t largest = 0;
    for (std::int64_t i = 0; i < count; ++i)
        largest = std::max(largest, std::bit_cast<std::uint32_t>(values[i]) & 0x7fffffffU);
    return largest < 0x7f800000U;
}

void requireFinite(const at::Tensor& tensor, const std::string& where) {
    if (!isFinite(tensor))
        fail(where, "its output holds NaN or infinity", "expected finite numbers",
             "the weights are damaged or too large for float32");
}

at::Tensor indexTensor(const std::vector<std::int64_t>& values, at::Device device) {
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kLong);
    std::copy(values.begin(), values.end(), tensor.data_ptr<std::int64_t>());
    return tensor.to(device);
}

} // namespace

EncoderModel::EncoderModel(ModelSpec spec, DeviceChoice device, Parts parts)
    : m_spec(std::move(spec)), m_device(device), m_parts(std::move(parts)) {
    HS_CHECK_EQ(m_spec.stacks.size(), 1U);
    HS_CHECK_EQ(m_parts.blocks.size(), static_cast<std::size_t>(m_spec.stacks[0].layers));
}

void EncoderModel::checkInput(const ModelInput& input) const {
    const auto tokens = static_cast<std::int64_t>(input.ids.size());
    if (tokens == 0) fail("input", "there are no tokens", "expected at least one");
    if (tokens > *m_spec.maxPositions)
        fail("input", fmt::format("{} tokens", tokens),
             fmt::format("expected at most {}, where the model's position table ends", *m_spec.maxPositions));
    for (const std::int64_t id : input.ids)
        if (id < 0 || id >= m_spec.vocabularySize)
            fail("input", fmt::format("token id {} is outside the vocabulary", id),
                 fmt::format("expected 0 to {}", m_spec.vocabularySize - 1));
    if (input.tokenTypes.empty()) return;
    HS_CHECK_EQ(input.tokenTypes.size(), input.ids.size());
    for (const std::int64_t type : input.tokenTypes)
        if (type < 0 || type >= m_spec.tokenTypes)
            fail("input", fmt::format("token type {} is outside the model's table", type),
                 fmt::format("expected 0 to {}", m_spec.tokenTypes - 1), "this model knows no second text");
}

at::Tensor EncoderModel::embed(const ModelInput& input) const {
    const at::Device device = torchDevice(m_device);
    const auto tokens = static_cast<std::int64_t>(input.ids.size());
    at::Tensor sum = m_parts.words.read(input.ids).to(device);
    sum += input.tokenTypes.empty() ? m_parts.types[0]
                                    : m_parts.types.index_select(0, indexTensor(input.tokenTypes, device));
    sum += m_parts.positions.narrow(0, 0, tokens);
    return applyNorm(m_parts.norm, sum);
}

std::vector<float> EncoderModel::run(const ModelInput& input, const ForwardHooks& hooks) const {
    const c10::InferenceMode inference;
    at::Tensor hidden = embed(input);
    requireFinite(hidden, "embeddings");

    const StackSpec& stack = m_spec.stacks[0];
    ScoreRule rule;
    rule.scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(stack.headSize)));
    rule.mask.queries = hidden.size(0);
    rule.mask.keys = hidden.size(0);
    AttentionCall call;
    call.kind = stack.kind;
    call.rule = &rule;
    call.observer = hooks.observer;
    call.cancel = &hooks.cancel;
    for (int layer = 0; layer < stack.layers; ++layer) {
        hooks.cancel.throwIfCancelled();
        call.layer = LayerIndex(layer);
        hidden = m_parts.blocks[static_cast<std::size_t>(layer)].forward(hidden, call);
        requireFinite(hidden, fmt::format("layer {}", layer));
        if (hooks.progress) hooks.progress({"layer", layer + 1, stack.layers});
    }
    const at::Tensor result = hidden.cpu().contiguous();
    const float* values = result.const_data_ptr<float>();
    return {values, values + result.numel()};
}

std::vector<float> EncoderModel::forward(const ModelInput& input, const ForwardHooks& hooks) const {
    checkInput(input);
    std::vector<float> result;
    translatingTorchErrors([&] { result = run(input, hooks); });
    return result;
}

} // namespace headscope
