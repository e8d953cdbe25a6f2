// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/layer_maps.h"
#include "tests/core/maps/mask_fixture.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace headscope {

inline std::vector<Isa> supportedIsas() {
    std::vector<Isa> isas;
    for (const Isa isa : {Isa::Scalar, Isa::Avx2, Isa::Avx512})
        if (isSupported(isa)) isas.push_back(isa);
    return isas;
}

inline std::vector<std::uint32_t> bitsOf(const std::vector<float>& numbers) {
    std::vector<std::uint32_t> bits;
    for (const float number : numbers) bits.push_back(std::bit_cast<std::uint32_t>(number));
    return bits;
}

inline std::vector<float> randomNumbers(std::int64_t count, unsigned seed, float spread = 1.0F) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, spread);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) number = normal(random);
    return numbers;
}

struct LayerShape {
    int heads = 1;
    int keyValueHeads = 1;
    std::int64_t headSize = 1;
    float spread = 1.0F; ///< of queries and keys
};

/// A layer built straight from the kernel, as the forward pass does it, with the strips kept for comparison.
struct BuiltLayer {
    std::shared_ptr<LayerMaps> layer = std::make_shared<LayerMaps>();
    std::vector<float> keys;                ///< [keys, keyValueHeads * headSize]
    std::vector<std::vector<float>> strips; ///< [heads], [queries, keys]
    std::vector<std::vector<RowSums>> sums; ///< [heads], [queries]

    std::shared_ptr<const HeadMap> map(int head) const { return recomputedMap(layer, HeadIndex(head)); }
};

inline BuiltLayer buildLayer(const ScoreRule& rule, const LayerShape& shape, Isa isa = bestIsa()) {
    BuiltLayer built;
    LayerMaps& layer = *built.layer;
    const MaskRule& mask = rule.mask;
    layer.heads = shape.heads;
    layer.keyValueHeads = shape.keyValueHeads;
    layer.headSize = shape.headSize;
    layer.rule = rule;
    const std::int64_t width = shape.heads * shape.headSize;
    const auto queries =
        std::make_shared<std::vector<float>>(randomNumbers(mask.queries * width, 1, shape.spread));
    layer.queriesOwner = queries;
    layer.queries = {queries->data(), mask.queries, width};
    const std::int64_t keyWidth = shape.keyValueHeads * shape.headSize;
    built.keys = randomNumbers(mask.keys * keyWidth, 2, shape.spread);
    for (int h = 0; h < shape.keyValueHeads; ++h)
        layer.keys.push_back(std::make_shared<const KeyPanels>(MatrixView<const float>(
            built.keys.data() + h * shape.headSize, mask.keys, shape.headSize, keyWidth)));
    for (int h = 0; h < shape.heads; ++h) {
        std::vector<float> weights(static_cast<std::size_t>(mask.queries * mask.keys), NAN);
        std::vector<RowSums> sums(static_cast<std::size_t>(mask.queries));
        const MatrixView<float> strip(weights.data(), mask.queries, mask.keys);
        const Span rows{0, mask.queries};
        scoreVisible(layer.sourceOf(HeadIndex(h)), mask, {rows, {0, mask.keys}}, strip, isa);
        softmaxRows(layer.softmaxOf(HeadIndex(h)), rows, strip, sums.data(), isa);
        for (const RowSums& row : sums) layer.normalisers.push_back(row.normaliser);
        built.strips.push_back(std::move(weights));
        built.sums.push_back(std::move(sums));
    }
    return built;
}

/// The same with scores that are scaled products and nothing else.
inline BuiltLayer buildLayer(const MaskRule& mask, const LayerShape& shape, Isa isa = bestIsa()) {
    return buildLayer(ScoreRule{.scale = 1.0F / std::sqrt(static_cast<float>(shape.headSize)), .mask = mask},
                      shape, isa);
}

} // namespace headscope
