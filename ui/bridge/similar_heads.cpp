// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/similar_heads.h"

#include "core/base/check.h"
#include "core/diagnosis/similarity.h"

#include <algorithm>

namespace headscope::ui {
namespace {

bool seesTheSame(const MaskRule& one, const MaskRule& other) {
    const auto reach = [](const MaskRule& mask) {
        return std::min(mask.window.value_or(mask.keys), mask.keys);
    };
    return one.causal == other.causal && reach(one) == reach(other);
}

} // namespace

SimilarHeads similarHeads(const ComparedSide& head, const CancelToken& cancel, const ProgressSink& progress) {
    SimilarHeads result;
    result.of = head;
    const auto& layers = head.analysis->layers;
    const auto own = std::find_if(layers.begin(), layers.end(), [&head](const auto& layer) {
        return layer->kind == head.head.kind && layer->layer == head.head.layer;
    });
    HS_CHECK(own != layers.end());
    const MaskRule& mask = (*own)->mask;
    std::vector<ComparedHead> heads;
    std::vector<HeadRef> names;
    std::size_t place = 0;
    for (const auto& layer : layers) {
        if (layer->kind != head.head.kind) continue;
        if (!seesTheSame(layer->mask, mask)) {
            result.otherMasks += layer->heads.size();
            continue;
        }
        for (std::size_t h = 0; h < layer->heads.size(); ++h) {
            names.push_back({layer->kind, layer->layer, HeadIndex(static_cast<std::int64_t>(h))});
            if (names.back() == head.head) place = heads.size();
            heads.push_back({.map = layer->heads[h].map, .metrics = &layer->heads[h].metrics});
        }
    }
    const std::vector<PairSimilarity> pairs = similarTo(heads, place, mask, cancel, progress);
    result.withSinks =
        std::none_of(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.isTested(); });
    for (const PairSimilarity& pair : pairs) {
        const HeadRef& other = names[pair.first == place ? pair.second : pair.first];
        const bool tested = result.withSinks ? pair.fullRows >= PairSimilarity::kFewestRows : pair.isTested();
        if (!tested)
            ++result.untested;
        else if (result.withSinks)
            result.others.push_back({other, pair.fullDivergence, pair.fullRows});
        else
            result.others.push_back({other, pair.divergence, pair.rows});
    }
    if (result.withSinks)
        std::stable_sort(result.others.begin(), result.others.end(),
                         [](const auto& one, const auto& next) { return one.divergence < next.divergence; });
    return result;
}

} // namespace headscope::ui
