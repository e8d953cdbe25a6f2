// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/block.h"

namespace headscope {

namespace {

std::optional<NormWeights> readNorm(const WeightLoader& loader, const std::optional<NormSpec>& spec,
                                    std::int64_t modelSize) {
    if (!spec) return std::nullopt;
    return loader.norm(*spec, modelSize);
}

at::Tensor normed(const std::optional<NormWeights>& norm, const at::Tensor& input) {
    return norm ? applyNorm(*norm, input) : input;
}

} // namespace

BranchNorms::BranchNorms(const WeightLoader& loader, const BranchSpec& spec, std::int64_t modelSize)
    : before(readNorm(loader, spec.before, modelSize)), onOutput(readNorm(loader, spec.onOutput, modelSize)),
      after(readNorm(loader, spec.after, modelSize)) {}

Block::Block(const WeightLoader& loader, const BlockSpec& spec, const TransformerSpec& stack,
             std::int64_t encoderSize)
    : m_residualScale(spec.residualScale), m_parallel(spec.parallel),
      m_residualFromNorm(spec.residualFromNorm), m_attention(loader, spec.attention, stack, stack.hiddenSize),
      m_attentionNorms(loader, spec.attentionBranch, stack.hiddenSize) {
    if (spec.cross && encoderSize > 0) {
        m_cross = std::make_unique<const LayerAttention>(loader, spec.cross->attention, stack, encoderSize);
        m_crossNorms = BranchNorms(loader, spec.cross->branch, stack.hiddenSize);
    }
    if (!spec.feedForward.exists()) return;
    m_feedForward = readFeedForward(loader, spec.feedForward, stack.hiddenSize);
    m_feedForwardNorms = BranchNorms(loader, spec.feedForwardBranch, stack.hiddenSize);
}

template <typename Part>
at::Tensor Block::branch(const BranchNorms& norms, const at::Tensor& input, Part part) const {
    const at::Tensor read = normed(norms.before, input);
    at::Tensor added = normed(norms.onOutput, part(read));
    if (m_residualScale != 1.0) added = added * m_residualScale;
    return normed(norms.after, added + (m_residualFromNorm ? read : input));
}

at::Tensor Block::parallel(const at::Tensor& input, StackPass& pass) const {
    const at::Tensor read = normed(m_attentionNorms.before, input);
    const at::Tensor attended = m_attention.forward(read, read, pass.kind, pass);
    if (!m_feedForward) return attended + input;
    const at::Tensor widened = m_feedForward->forward(
        m_feedForwardNorms.before ? applyNorm(*m_feedForwardNorms.before, input) : read);
    return widened + attended + input;
}

at::Tensor Block::forward(const at::Tensor& input, StackPass& pass) const {
    if (m_parallel) return parallel(input, pass);
    at::Tensor hidden = branch(m_attentionNorms, input, [&](const at::Tensor& read) {
        return m_attention.forward(read, read, pass.kind, pass);
    });
    if (m_cross && pass.encoderStates.defined())
        hidden = branch(m_crossNorms, hidden, [&](const at::Tensor& read) {
            return m_cross->forward(read, pass.encoderStates, AttentionKind::Cross, pass);
        });
    if (!m_feedForward) return hidden;
    return branch(m_feedForwardNorms, hidden,
                  [&](const at::Tensor& read) { return m_feedForward->forward(read); });
}

} // namespace headscope
