// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/layer_maps.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

/// A long text's map, for benchmarks of what draws it.
namespace headscope::bench {

inline constexpr std::int64_t kTokens = 8192;
inline constexpr std::int64_t kHeadSize = 64;
inline constexpr std::int64_t kStrip = 96;

inline std::vector<float> randomNumbers(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) number = normal(random);
    return numbers;
}

/// One head of kTokens tokens, with the normalisers that a forward pass leaves.
inline std::shared_ptr<const HeadMap> longMap(bool causal) {
    const auto layer = std::make_shared<LayerMaps>();
    layer->heads = layer->keyValueHeads = 1;
    layer->headSize = kHeadSize;
    layer->rule.scale = 0.125F;
    layer->rule.mask.queries = layer->rule.mask.keys = kTokens;
    layer->rule.mask.causal = causal;
    const std::vector<float> queries = randomNumbers(kTokens * kHeadSize, 1);
    const std::vector<float> keys = randomNumbers(kTokens * kHeadSize, 2);
    layer->keepQueries({queries.data(), kTokens, kHeadSize});
    layer->keys = {
        std::make_shared<const KeyPanels>(MatrixView<const float>(keys.data(), kTokens, kHeadSize))};
    layer->normalisers.resize(static_cast<std::size_t>(kTokens));
    std::vector<float> scores(static_cast<std::size_t>(kStrip * kTokens));
    std::vector<RowSums> sums(static_cast<std::size_t>(kStrip));
    for (std::int64_t begin = 0; begin < kTokens; begin += kStrip) {
        const Span rows{begin, std::min(begin + kStrip, kTokens)};
        const MatrixView<float> strip(scores.data(), rows.size(), kTokens);
        scoreVisible(layer->sourceOf(HeadIndex(0)), layer->rule.mask, {rows, {0, kTokens}}, strip);
        softmaxRows(layer->softmaxOf(HeadIndex(0)), rows, strip, sums.data());
        for (std::int64_t r = 0; r < rows.size(); ++r)
            layer->normalisers[static_cast<std::size_t>(begin + r)] =
                sums[static_cast<std::size_t>(r)].normaliser;
    }
    return recomputedMap(layer, HeadIndex(0));
}

} // namespace headscope::bench
