// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/bare_products.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace headscope {

namespace {

/// Layers beyond this many float32 bytes of weights share one set of them: larger models do not fit into
/// memory whole, and are not read from there either.
constexpr std::uint64_t kMostWeights = std::uint64_t{4} << 30;

/// A product with a weight [out, in] of inputs [rows, in].
struct Linear {
    at::Tensor input;
    at::Tensor weight;
};

/// One attention of a layer, with the heads of some text.
struct Attention {
    const AttentionSpec* spec = nullptr;
    at::Tensor queries; ///< [heads, queries, headSize]
    at::Tensor keys;
    at::Tensor values;
};

struct Layer {
    std::vector<Linear> linears;
    std::vector<Attention> attentions;
};

at::TensorOptions optionsOn(DeviceChoice device) {
    return at::TensorOptions().dtype(at::kFloat).device(device == DeviceChoice::Cuda ? at::kCUDA : at::kCPU);
}

/// Random weights and inputs in the shapes of a stack's layers.
class RandomLayers {
  public:
    RandomLayers(const TransformerSpec& stack, std::int64_t encoderSize, const BareProductsRequest& request)
        : m_hidden(stack.hiddenSize), m_encoderSize(encoderSize), m_tokens(request.tokens),
          m_options(optionsOn(request.device)) {
        for (const BlockSpec& block : stack.blocks) m_layers.push_back(layerOf(block));
    }
    const std::vector<Layer>& layers() const { return m_layers; }

  private:
    Layer layerOf(const BlockSpec& block) {
        m_sharing = m_bytes > kMostWeights;
        Layer layer;
        addAttention(layer, block.attention, m_hidden);
        if (block.cross) addAttention(layer, block.cross->attention, m_encoderSize);
        if (block.feedForward.exists()) addFeedForward(layer, block.feedForward);
        return layer;
    }
    void addAttention(Layer& layer, const AttentionSpec& spec, std::int64_t keySize) {
        const std::int64_t wide = spec.heads * spec.headSize;
        const std::int64_t narrow = spec.keyValueHeads * spec.headSize;
        addLinear(layer, m_tokens, wide, m_hidden);
        addLinear(layer, m_tokens, narrow, keySize);
        addLinear(layer, m_tokens, narrow, keySize);
        addLinear(layer, m_tokens, m_hidden, wide);
        const auto heads = [&] { return at::randn({spec.heads, m_tokens, spec.headSize}, m_options); };
        // The same heads serve every layer of a shape: only their products are timed.
        if (m_heads.empty() || m_heads.front().size(0) != spec.heads ||
            m_heads.front().size(2) != spec.headSize)
            m_heads = {heads(), heads(), heads()};
        layer.attentions.push_back({&spec, m_heads[0], m_heads[1], m_heads[2]});
    }
    void addFeedForward(Layer& layer, const FeedForwardSpec& spec) {
        std::int64_t width = spec.intermediateSize;
        std::int64_t passes = 1;
        bool gated = spec.gate.exists() || spec.gateUp.exists();
        if (spec.mixture) {
            width = spec.mixture->intermediateSize;
            passes = spec.mixture->chosen;
            gated = true;
            if (spec.mixture->sharedIntermediateSize > 0)
                addPart(layer, spec.mixture->sharedIntermediateSize, gated);
        }
        for (std::int64_t pass = 0; pass < passes; ++pass) addPart(layer, width, gated);
    }
    void addPart(Layer& layer, std::int64_t width, bool gated) {
        addLinear(layer, m_tokens, width, m_hidden);
        if (gated) addLinear(layer, m_tokens, width, m_hidden);
        addLinear(layer, m_tokens, m_hidden, width);
    }
    void addLinear(Layer& layer, std::int64_t rows, std::int64_t out, std::int64_t in) {
        at::Tensor& weight = m_shared[{out, in}];
        if (!m_sharing || !weight.defined()) {
            weight = at::randn({out, in}, m_options).mul_(0.02);
            m_bytes += static_cast<std::uint64_t>(out * in) * sizeof(float);
        }
        at::Tensor& input = m_inputs[in];
        if (!input.defined()) input = at::randn({rows, in}, m_options);
        layer.linears.push_back({input, weight});
    }

    std::int64_t m_hidden;
    std::int64_t m_encoderSize;
    std::int64_t m_tokens;
    at::TensorOptions m_options;
    bool m_sharing = false;
    std::uint64_t m_bytes = 0;
    std::map<std::pair<std::int64_t, std::int64_t>, at::Tensor> m_shared; ///< the last weight of each shape
    std::map<std::int64_t, at::Tensor> m_inputs;
    std::vector<at::Tensor> m_heads;
    std::vector<Layer> m_layers;
};

/// Q Kᵀ and A V of all heads. Where only earlier keys are seen, blocks of queries stop at their last one.
void attentionProducts(const Attention& attention) {
    constexpr std::int64_t kBlock = 256;
    const std::int64_t tokens = attention.queries.size(1);
    const at::Tensor keysAcross = attention.keys.transpose(1, 2);
    for (std::int64_t first = 0; first < tokens; first += kBlock) {
        const std::int64_t last = std::min(first + kBlock, tokens);
        const std::int64_t seen = attention.spec->causal ? last : tokens;
        const at::Tensor scores =
            at::bmm(attention.queries.slice(1, first, last), keysAcross.slice(2, 0, seen));
        at::bmm(scores, attention.values.slice(1, 0, seen));
    }
}

void fusedAttention(const Attention& attention) {
    at::scaled_dot_product_attention(attention.queries.unsqueeze(0), attention.keys.unsqueeze(0),
                                     attention.values.unsqueeze(0), {}, 0.0, attention.spec->causal);
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
    const Stopwatch watch(request.device == DeviceChoice::Cuda);
    BareProducts times;
    const auto time = [&](const TransformerSpec& stack) {
        const RandomLayers random(stack, spec.hiddenSize, request);
        times.matrixProducts += watch.leastOf(request, [&] {
            for (const Layer& layer : random.layers()) {
                for (const Linear& linear : layer.linears) at::linear(linear.input, linear.weight);
                for (const Attention& attention : layer.attentions) attentionProducts(attention);
            }
        });
        times.fusedAttention += watch.leastOf(request, [&] {
            for (const Layer& layer : random.layers())
                for (const Attention& attention : layer.attentions) fusedAttention(attention);
        });
    };
    time(spec.main);
    if (spec.decoder) time(*spec.decoder);
    return times;
}

} // namespace headscope
