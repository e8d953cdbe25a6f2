// SPDX-License-Identifier: GPL-3.0-or-later
// MultiHeadAttention against torch::nn::MultiheadAttention: the one file that includes LibTorch's modules.
#include "tests/core/attention/attention_fixture.h"

#include <c10/core/InferenceMode.h>
#include <torch/nn/modules/activation.h>

#include <gtest/gtest.h>
#include <limits>

namespace headscope {
namespace {

struct Widths {
    std::int64_t model;
    int heads;
    std::int64_t queries;
    std::int64_t keys;
    std::int64_t keyWidth; ///< 0: as the model
};

/// Both read the same module's parameters. With separate widths the module keeps three matrices, else one of
/// 3 x d rows.
MultiHeadAttention sameWeights(torch::nn::MultiheadAttention& module, const Widths& widths) {
    const std::int64_t d = widths.model;
    const at::Tensor bias = module->in_proj_bias.detach();
    const auto part = [&](std::int64_t which) {
        if (widths.keyWidth == 0) return module->in_proj_weight.detach().narrow(0, which * d, d);
        return (which == 0   ? module->q_proj_weight
                : which == 1 ? module->k_proj_weight
                             : module->v_proj_weight)
            .detach();
    };
    const auto linear = [&](std::int64_t which) {
        return LinearWeights{part(which), bias.narrow(0, which * d, d)};
    };
    return {AttentionShape::divide(d, widths.heads),
            {linear(0),
             linear(1),
             linear(2),
             {module->out_proj->weight.detach(), module->out_proj->bias.detach()}}};
}

TEST(TorchModule, GivesTheSameOutputAndWeights) {
    torch::manual_seed(1);
    for (const Widths& widths :
         {Widths{512, 8, 20, 20, 0}, Widths{768, 8, 11, 11, 0}, Widths{768, 12, 35, 35, 0},
          Widths{16, 1, 9, 9, 0}, Widths{24, 4, 6, 13, 10}, Widths{8, 2, 1, 1, 0}}) {
        for (const auto& [name, mask] : maskCases(widths.queries, widths.keys)) {
            SCOPED_TRACE(name + ", width " + std::to_string(widths.model));
            auto options = torch::nn::MultiheadAttentionOptions(widths.model, widths.heads);
            if (widths.keyWidth != 0) options.kdim(widths.keyWidth).vdim(widths.keyWidth);
            torch::nn::MultiheadAttention module(options);
            module->eval();
            const torch::NoGradGuard noGradient;
            // The library's own initialisation gives nearly flat maps; these are peaked, with outputs of
            // order 1.
            for (torch::Tensor& parameter : module->parameters())
                parameter.normal_(0.0, parameter.dim() == 1 ? 0.3 : 1.3 / std::sqrt(parameter.size(1)));
            const at::Tensor x = torch::randn({widths.queries, widths.model});
            const at::Tensor y =
                widths.keyWidth == 0 && widths.queries == widths.keys
                    ? x
                    : torch::randn({widths.keys, widths.keyWidth == 0 ? widths.model : widths.keyWidth});
            at::Tensor hidden = torch::ones({widths.queries, widths.keys}, torch::kBool);
            for (std::int64_t i = 0; i < widths.queries; ++i)
                for (std::int64_t j = 0; j < widths.keys; ++j)
                    if (mask.visible(i, j)) hidden[i][j] = false;

            // The C++ module adds its mask to the scores, booleans included.
            const at::Tensor added = torch::zeros({widths.queries, widths.keys})
                                         .masked_fill(hidden, -std::numeric_limits<float>::infinity());
            const auto [theirs, theirWeights] =
                module->forward(x.unsqueeze(1), y.unsqueeze(1), y.unsqueeze(1), {}, true, added, false);

            const MultiHeadAttention ours = sameWeights(module, widths);
            const ScoreRule rule{.scale = 1.0F / std::sqrt(static_cast<float>(ours.shape().headSize)),
                                 .mask = mask};
            RecordingObserver observer;
            AttentionCall call;
            call.rule = &rule;
            call.observer = &observer;
            const at::Tensor output = ours.forward(x, y, call);

            // The module gives NaN for a row that sees nothing; here its weights are 0 and the bias of W_O
            // remains.
            const at::Tensor blind = hidden.all(1, true);
            const at::Tensor expected = torch::where(blind, module->out_proj->bias, theirs.squeeze(1));
            EXPECT_LT(largestDifference(output, expected), 4e-6)
                << "outputs up to " << expected.abs().max().item<float>();
            for (int head = 0; head < widths.heads; ++head) {
                const at::Tensor expectedWeights = torch::where(blind, 0.0F, theirWeights[0][head]);
                const at::Tensor weights =
                    matrix(widths.queries, widths.keys, observer.weights[static_cast<std::size_t>(head)]);
                EXPECT_LT(largestDifference(weights, expectedWeights), 1e-6);
            }
        }
    }
}

} // namespace
} // namespace headscope
