// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/layer_maps.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace headscope {

inline std::vector<float> randomNumbers(std::int64_t count, unsigned seed, float spread = 1.0F) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, spread);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) number = normal(random);
    return numbers;
}

/// A layer built straight from the kernel, as the forward pass does it, with the strips kept for comparison.
struct BuiltLayer {
    std::shared_ptr<LayerMaps> layer = std::make_shared<LayerMaps>();
    std::vector<std::vector<float>> strips; ///< [heads], [queries, keys]
    std::vector<std::vector<RowSums>> sums; ///< [heads], [queries]

    std::shared_ptr<const HeadMap> map(int head) const { return recomputedMap(layer, HeadIndex(head)); }
};

inline BuiltLayer buildLayer(const MaskRule& mask, int heads, int keyValueHeads, std::int64_t headSize,
                             Isa isa = bestIsa(), float spread = 1.0F) {
    BuiltLayer built;
    LayerMaps& layer = *built.layer;
    layer.heads = heads;
    layer.keyValueHeads = keyValueHeads;
    layer.headSize = headSize;
    layer.rule = {.scale = 1.0F / std::sqrt(static_cast<float>(headSize)), .mask = mask};
    const auto queries =
        std::make_shared<std::vector<float>>(randomNumbers(mask.queries * heads * headSize, 1, spread));
    layer.queriesOwner = queries;
    layer.queries = {queries->data(), mask.queries, heads * headSize};
    const std::vector<float> keys = randomNumbers(mask.keys * keyValueHeads * headSize, 2, spread);
    for (int h = 0; h < keyValueHeads; ++h)
        layer.keys.push_back(std::make_shared<const KeyPanels>(MatrixView<const float>(
            keys.data() + h * headSize, mask.keys, headSize, keyValueHeads * headSize)));
    for (int h = 0; h < heads; ++h) {
        std::vector<float> weights(static_cast<std::size_t>(mask.queries * mask.keys), NAN);
        std::vector<RowSums> sums(static_cast<std::size_t>(mask.queries));
        const MatrixView<float> strip(weights.data(), mask.queries, mask.keys);
        const Span rows{0, mask.queries};
        const ScoreSource source{layer.queriesOf(HeadIndex(h)), layer.keysOf(HeadIndex(h)), layer.rule.scale};
        scoreVisible(source, mask, {rows, {0, mask.keys}}, strip, isa);
        softmaxRows(mask, rows, strip, sums.data(), isa);
        for (const RowSums& row : sums) layer.normalisers.push_back(row.normaliser);
        built.strips.push_back(std::move(weights));
        built.sums.push_back(std::move(sums));
    }
    return built;
}

} // namespace headscope
