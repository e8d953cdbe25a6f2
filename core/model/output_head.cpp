// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/output_head.h"

#include "core/model/activation.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kRowsAtATime = 8192;

} // namespace

OutputHead::OutputHead(const WeightLoader& loader, OutputHeadSpec spec, const RowTable& words,
                       std::int64_t inputSize)
    : m_spec(std::move(spec)) {
    const std::int64_t width = m_spec.weight.empty() ? words.width()
                               : m_spec.width > 0    ? m_spec.width
                                                     : inputSize;
    m_transform = loader.linear(m_spec.transform, width, inputSize);
    if (m_spec.transformNorm) m_transformNorm = loader.norm(*m_spec.transformNorm, width);
    m_words = m_spec.weight.empty() ? words : loader.rows(m_spec.weight, m_spec.vocabularySize, width);
    if (!m_spec.bias.empty())
        m_bias = m_spec.biasIsRow ? loader.matrix(m_spec.bias, 1, m_spec.vocabularySize).flatten()
                                  : loader.vector(m_spec.bias, m_spec.vocabularySize);
}

at::Tensor OutputHead::forward(const at::Tensor& hidden, const CancelToken& cancel) const {
    at::Tensor states = hidden;
    if (m_transform.weight.defined()) {
        states = applyActivation(m_spec.transformActivation, applyLinear(m_transform, states));
        if (m_transformNorm) states = applyNorm(*m_transformNorm, states);
    }
    if (m_spec.inputScale != 1.0) states = states * m_spec.inputScale;
    at::Tensor scores = at::empty({states.size(0), m_words.rows()}, at::kFloat);
    for (std::int64_t first = 0; first < m_words.rows(); first += kRowsAtATime) {
        cancel.throwIfCancelled();
        const std::int64_t count = std::min(kRowsAtATime, m_words.rows() - first);
        const at::Tensor rows = m_words.readRange(first, count).to(states.device());
        scores.narrow(1, first, count).copy_(at::linear(states, rows));
    }
    if (m_bias.defined()) scores.add_(m_bias.to(at::kCPU));
    if (m_spec.scale != 1.0) scores.mul_(m_spec.scale);
    if (m_spec.cap) scores.div_(*m_spec.cap).tanh_().mul_(*m_spec.cap);
    return scores;
}

} // namespace headscope
