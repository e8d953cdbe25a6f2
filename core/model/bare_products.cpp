// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/bare_products.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <vector>

namespace headscope {

namespace {

/// One layer's weights, [out, in] each.
struct LayerWeights {
    at::Tensor query, key, value, output, up, down;
};

at::TensorOptions optionsOn(DeviceChoice device) {
    return at::TensorOptions().dtype(at::kFloat).device(device == DeviceChoice::Cuda ? at::kCUDA : at::kCPU);
}

LayerWeights randomWeights(const ModelSpec& spec, const StackSpec& stack, const at::TensorOptions& options) {
    const auto matrix = [&](std::int64_t out, std::int64_t in) {
        return at::randn({out, in}, options).mul_(0.02);
    };
    const std::int64_t wide = stack.heads * stack.headSize;
    const std::int64_t narrow = stack.keyValueHeads * stack.headSize;
    return {matrix(wide, spec.hiddenSize),
            matrix(narrow, spec.hiddenSize),
            matrix(narrow, spec.hiddenSize),
            matrix(spec.hiddenSize, wide),
            matrix(spec.intermediateSize, spec.hiddenSize),
            matrix(spec.hiddenSize, spec.intermediateSize)};
}

/// Q Kᵀ and A V of all heads. Where only earlier keys are seen, blocks of queries stop at their last one.
void attentionProducts(const StackSpec& stack, const at::Tensor& queries, const at::Tensor& keys,
                       const at::Tensor& values) {
    constexpr std::int64_t kBlock = 256;
    const std::int64_t tokens = queries.size(1);
    const at::Tensor keysAcross = keys.transpose(1, 2);
    for (std::int64_t first = 0; first < tokens; first += kBlock) {
        const std::int64_t last = std::min(first + kBlock, tokens);
        const std::int64_t seen = stack.causal ? last : tokens;
        const at::Tensor scores = at::bmm(queries.slice(1, first, last), keysAcross.slice(2, 0, seen));
        at::bmm(scores, values.slice(1, 0, seen));
    }
}

at::Tensor splitHeads(const at::Tensor& projected, const StackSpec& stack) {
    return projected.view({projected.size(0), -1, stack.headSize})
        .repeat_interleave(
            projected.size(1) == stack.heads * stack.headSize ? 1 : stack.heads / stack.keyValueHeads, 1)
        .transpose(0, 1)
        .contiguous();
}

class Stopwatch {
  public:
    explicit Stopwatch(bool cuda) : m_cuda(cuda) {}
    double leastOf(const BareProductsRequest& request, const std::function<void()>& work) const {
        double least = std::numeric_limits<double>::infinity();
        for (int round = 0; round <= request.repeats; ++round) {
            request.cancel.throwIfCancelled();
            const auto start = std::chrono::steady_clock::now();
            work();
            if (m_cuda)
                at::empty({1}, optionsOn(DeviceChoice::Cuda)).zero_().item<float>(); // waits for the device
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
            if (round > 0) least = std::min(least, taken.count()); // the first one is cold
        }
        return least;
    }

  private:
    bool m_cuda;
};

} // namespace

BareProducts timeBareProducts(const ModelSpec& spec, const BareProductsRequest& request) {
    const c10::InferenceMode inference;
    const at::TensorOptions options = optionsOn(request.device);
    const Stopwatch watch(request.device == DeviceChoice::Cuda);
    BareProducts times;
    for (const StackSpec& stack : spec.stacks) {
        std::vector<LayerWeights> layers;
        for (int i = 0; i < stack.layers; ++i) layers.push_back(randomWeights(spec, stack, options));
        const at::Tensor hidden = at::randn({request.tokens, spec.hiddenSize}, options);
        const at::Tensor inner = at::randn({request.tokens, spec.intermediateSize}, options);
        const at::Tensor joined = at::randn({request.tokens, stack.heads * stack.headSize}, options);
        const at::Tensor queries = splitHeads(at::linear(hidden, layers[0].query), stack);
        const at::Tensor keys = splitHeads(at::linear(hidden, layers[0].key), stack);
        const at::Tensor values = splitHeads(at::linear(hidden, layers[0].value), stack);
        times.matrixProducts += watch.leastOf(request, [&] {
            for (const LayerWeights& layer : layers) {
                at::linear(hidden, layer.query);
                at::linear(hidden, layer.key);
                at::linear(hidden, layer.value);
                attentionProducts(stack, queries, keys, values);
                at::linear(joined, layer.output);
                at::linear(hidden, layer.up);
                at::linear(inner, layer.down);
            }
        });
        times.fusedAttention += watch.leastOf(request, [&] {
            for (int i = 0; i < stack.layers; ++i)
                at::scaled_dot_product_attention(queries.unsqueeze(0), keys.unsqueeze(0), values.unsqueeze(0),
                                                 {}, 0.0, stack.causal);
        });
    }
    return times;
}

} // namespace headscope
