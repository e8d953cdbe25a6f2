// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/spec/attention_spec.h"

namespace headscope {

/// Several feed-forward networks of which a router picks some for each token.
struct MixtureSpec {
    std::int64_t experts = 0;
    std::int64_t chosen = 0;        ///< of them, for each token
    LinearSpec router;              ///< [experts, model size]
    bool softmaxOverChosen = false; ///< else over all experts, before the choice
    bool normalised = false;        ///< the chosen weights are divided by their sum
    std::int64_t intermediateSize = 0;
    /// "{}" stands for the expert's number. Gated: down(act(gate x) * up x).
    LinearSpec gate;
    LinearSpec up;
    LinearSpec down;
    /// gpt-oss: all experts in one tensor each, [experts, in, out] with biases [experts, out], gate and up
    /// alternating; clamped, (up + 1) * gate * sigmoid(1.702 gate).
    std::string stackedGateUp;
    std::string stackedGateUpBias;
    std::string stackedDown;
    std::string stackedDownBias;
    /// qwen2_moe: a network that every token passes, weighted by the sigmoid of a gate [1, model size].
    std::int64_t sharedIntermediateSize = 0;
    LinearSpec sharedGate;
    LinearSpec sharedUp;
    LinearSpec sharedDown;
    LinearSpec sharedWeight;
};

/// down(act(up x)); gated: down(act(gate x) * up x).
struct FeedForwardSpec {
    std::int64_t intermediateSize = 0;
    Activation activation = Activation::GeluErf;
    LinearSpec up;
    LinearSpec gate;   ///< exists: gated
    LinearSpec gateUp; ///< exists: rows gate | up in one matrix, instead of the two
    LinearSpec down;
    std::optional<MixtureSpec> mixture; ///< instead of all of the above but `activation`

    bool exists() const {
        return down.exists() || mixture.has_value();
    } ///< else the block is attention alone
};

/// The norms around one part of a block: y = after(x + scale * onOutput(part(before(x)))).
struct BranchSpec {
    std::optional<NormSpec> before;
    std::optional<NormSpec> onOutput;
    std::optional<NormSpec> after;
};

/// Cross-attention of a decoder: queries from its own stream, keys and values from the encoder's output.
struct CrossSpec {
    BranchSpec branch;
    AttentionSpec attention;
};

/// One layer of a stack.
struct BlockSpec {
    BranchSpec attentionBranch;
    AttentionSpec attention;
    std::optional<CrossSpec> cross;
    BranchSpec feedForwardBranch;
    FeedForwardSpec feedForward;
    /// y = x + attention(before(x)) + feedForward(before'(x)); without a norm of its own the feed-forward
    /// part reads what the attention reads.
    bool parallel = false;
    double residualScale = 1.0;    ///< multiplies what each branch adds (Granite)
    bool residualFromNorm = false; ///< the normalised input is what is added to (Bloom's option)
    std::size_t weightsOf = 0;     ///< the block whose weights it has: itself, or an earlier one (ALBERT)
};

} // namespace headscope
