// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/find_heads.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

void requirePosition(const char* what, std::int64_t position, std::int64_t size) {
    if (position >= 0 && position < size) return;
    fail(what, fmt::format("there is no position {}", position),
         fmt::format("this text has {} of them, counted from 0", size));
}

FoundHead measured(const HeadRef& ref, const HeadMap& map, const MaskRule& mask, const CellQuestion& cell) {
    const std::vector<float> row = map.row(cell.query);
    FoundHead found{.head = ref, .weight = row[static_cast<std::size_t>(cell.key)]};
    std::vector<Span> spans;
    mask.visibleSpans(cell.query, spans);
    for (const Span span : spans) {
        found.keys += span.size();
        found.rank += std::count_if(row.begin() + span.begin, row.begin() + span.end,
                                    [&found](float weight) { return weight > found.weight; });
    }
    return found;
}

} // namespace

FoundHeads findHeads(const Analysis& analysis, const CellQuestion& cell, const CancelToken& cancel) {
    requirePosition("query", cell.query, analysis.queryAxis(cell.kind).size());
    requirePosition("key", cell.key, analysis.keyAxis(cell.kind).size());
    FoundHeads result;
    for (const auto& layer : analysis.layers) {
        if (layer->kind != cell.kind) continue;
        // One mask for all heads of a layer; layers may differ, where windows alternate.
        const HiddenBy hidden = hiddenBy(layer->mask, cell.query, cell.key);
        if (hidden != HiddenBy::Nothing) {
            if (result.hidden == 0) result.hiddenBy = hidden;
            result.hidden += layer->heads.size();
            continue;
        }
        for (std::size_t h = 0; h < layer->heads.size(); ++h) {
            cancel.throwIfCancelled();
            const HeadRef ref{layer->kind, layer->layer, HeadIndex(static_cast<std::int64_t>(h))};
            result.heads.push_back(measured(ref, *layer->heads[h].map, layer->mask, cell));
        }
    }
    std::sort(result.heads.begin(), result.heads.end(), [](const FoundHead& one, const FoundHead& other) {
        if (one.weight != other.weight) return one.weight > other.weight;
        if (one.head.layer != other.head.layer) return one.head.layer < other.head.layer;
        return one.head.head < other.head.head;
    });
    return result;
}

} // namespace headscope
