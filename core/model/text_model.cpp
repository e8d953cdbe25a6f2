// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/text_model.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/torch_errors.h"
#include "core/model/working_memory.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

/// `input`: what the ids are called in messages.
void checkIds(std::span<const std::int64_t> ids, const TransformerSpec& stack, const std::string& input) {
    const auto tokens = static_cast<std::int64_t>(ids.size());
    if (tokens == 0) fail(input, "there are no tokens", "expected at least one");
    if (stack.maxPositions && tokens > *stack.maxPositions)
        fail(input, fmt::format("{} tokens", tokens),
             fmt::format("expected at most {}, where the model's position table ends", *stack.maxPositions));
    for (const std::int64_t id : ids)
        if (id < 0 || id >= stack.embedding.vocabularySize)
            fail(input, fmt::format("token id {} is outside the vocabulary", id),
                 fmt::format("expected 0 to {}", stack.embedding.vocabularySize - 1));
}

std::vector<float> hostNumbers(const at::Tensor& tensor) {
    const at::Tensor host = tensor.cpu().contiguous();
    const float* values = host.const_data_ptr<float>();
    return {values, values + host.numel()};
}

} // namespace

WeightMemory TextModel::weightMemory() const {
    WeightMemory memory;
    for (const Transformer* stack : {m_parts.main.get(), m_parts.decoder.get()}) {
        if (stack == nullptr) continue;
        if (stack->isResident()) {
            memory.resident += stack->blockBytes();
            continue;
        }
        memory.streamed += stack->blockBytes();
        memory.inFile += stack->blockBytesInFile();
        memory.atOnce = std::max(memory.atOnce, stack->largestBlockBytes());
    }
    return memory;
}

void TextModel::checkInput(const ModelInput& input) const {
    checkIds(input.ids, m_parts.main->spec(), "input");
    if (m_parts.decoder) checkIds(input.decoderIds, m_parts.decoder->spec(), "target");
    HS_CHECK(m_parts.decoder || input.decoderIds.empty());
    if (input.tokenTypes.empty()) return;
    HS_CHECK_EQ(input.tokenTypes.size(), input.ids.size());
    for (const std::int64_t type : input.tokenTypes)
        if (type < 0 || type >= m_parts.spec.tokenTypes)
            fail("input", fmt::format("token type {} is outside the model's table", type),
                 fmt::format("expected 0 to {}", m_parts.spec.tokenTypes - 1),
                 "this model knows no second text");
}

ModelOutput TextModel::run(const ModelInput& input, const ForwardHooks& hooks) const {
    const c10::InferenceMode inference;
    const int before = m_parts.decoder ? m_parts.main->blockCount() : 0;
    const int total = m_parts.main->blockCount() + (m_parts.decoder ? m_parts.decoder->blockCount() : 0);
    const auto reporting = [&](int offset) {
        return [&hooks, total, offset](int layer) {
            if (hooks.progress) hooks.progress({"layer", offset + layer + 1, total});
        };
    };
    StackInput main;
    main.ids = input.ids;
    main.types = input.tokenTypes;
    main.kind = m_parts.decoder ? AttentionKind::Encoder : AttentionKind::Self;
    main.observer = hooks.observer;
    main.cancel = &hooks.cancel;
    main.layerDone = reporting(0);
    ModelOutput output;
    at::Tensor hidden = m_parts.main->forward(main);
    if (!m_parts.decoder) {
        output.hidden = hostNumbers(hidden);
        return output;
    }
    output.encoderHidden = hostNumbers(hidden);
    StackInput decoder;
    decoder.ids = input.decoderIds;
    decoder.encoderStates =
        m_parts.encoderToDecoder.weight.defined() ? applyLinear(m_parts.encoderToDecoder, hidden) : hidden;
    decoder.kind = AttentionKind::Decoder;
    decoder.observer = hooks.observer;
    decoder.cancel = &hooks.cancel;
    decoder.layerDone = reporting(before);
    output.hidden = hostNumbers(m_parts.decoder->forward(decoder));
    return output;
}

ModelOutput TextModel::forward(const ModelInput& input, const ForwardHooks& hooks) const {
    checkInput(input);
    ModelOutput result;
    struct Release {
        ~Release() { releaseWorkingMemory(); }
    };
    const Release atTheEnd;
    translatingTorchErrors([&] { result = run(input, hooks); });
    return result;
}

std::vector<float> TextModel::logits(std::span<const float> hidden, const CancelToken& cancel) const {
    HS_CHECK(m_parts.head.has_value());
    const Transformer& last = m_parts.decoder ? *m_parts.decoder : *m_parts.main;
    const std::int64_t width = last.spec().outputSize;
    std::vector<float> scores;
    translatingTorchErrors([&] {
        const c10::InferenceMode inference;
        const auto count = static_cast<std::int64_t>(hidden.size());
        HS_CHECK_EQ(count % width, 0);
        at::Tensor states = at::empty({count / width, width}, at::kFloat);
        std::copy(hidden.begin(), hidden.end(), states.data_ptr<float>());
        scores = hostNumbers(m_parts.head->forward(states.to(torchDevice(m_parts.device)), cancel));
    });
    return scores;
}

} // namespace headscope
