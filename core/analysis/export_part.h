// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/map_view.h"
#include "core/maps/head_map.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope {

/// Which heads, how they are shown, and which part of it.
struct PartRequest {
    std::vector<HeadRef> heads; ///< all of one kind, at least one; of one layer for a rollout
    MapView view = {};
    ShownPart part = {};
};

/// The same, checked against an analysis: what the writers of files and pictures read.
struct ExportPart {
    std::shared_ptr<const Analysis> analysis;
    std::vector<HeadRef> heads;
    MapView view;
    ViewedAxes axes; ///< of every map

    std::size_t size() const; ///< maps: one a head, or one of all
    /// The heads of which a map is made.
    std::span<const HeadRef> headsOf(std::size_t index) const;
    /// The one head of a map that is not combined.
    const HeadResult& result(std::size_t index) const;
    /// [axes.queries.size(), axes.keys.size()]. Throws Error as viewedMap() does.
    std::shared_ptr<const HeadMap> map(std::size_t index, const CancelToken& cancel = {}) const;
    /// What the automatic range of its picture needs: of the whole map, so that a part has its colours.
    RangeStatistics statistics(std::size_t index, const CancelToken& cancel = {}) const;
};

/// Throws Error: a head that the model does not have (with the model's counts), a range past the last token
/// (with the count), nothing left, a view that there is not.
ExportPart resolvePart(std::shared_ptr<const Analysis> analysis, const PartRequest& request);

/// All heads of one layer, or of every layer, in order. Throws Error for a layer that the model does not
/// have.
std::vector<HeadRef> headsOfLayer(const ModelSpec& spec, AttentionKind kind, LayerIndex layer);
std::vector<HeadRef> allHeads(const ModelSpec& spec, AttentionKind kind);
/// Throws Error with the model's counts unless the model has this head.
void requireHead(const ModelSpec& spec, const HeadRef& head);
/// Kind of attention shown when none is asked for.
AttentionKind defaultKind(const ModelSpec& spec);

/// The given rows and columns (ascending, within the map) of a map: a map again, equal cell by cell.
std::shared_ptr<const HeadMap> selectedMap(std::shared_ptr<const HeadMap> map, std::vector<std::int64_t> rows,
                                           std::vector<std::int64_t> columns);

} // namespace headscope
