// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/maps/head_map.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope {

/// Which heads, and which part of their maps.
struct PartRequest {
    std::vector<HeadRef> heads;  ///< all of one kind, at least one
    std::optional<Span> rows;    ///< queries; nullopt = all
    std::optional<Span> columns; ///< keys; nullopt = all
    bool hideSpecial = false;    ///< leave out the rows and columns of special tokens
};

/// The same, checked against an analysis: what the writers of files and pictures read.
struct ExportPart {
    std::shared_ptr<const Analysis> analysis;
    std::vector<HeadRef> heads;
    std::vector<std::int64_t> rows;      ///< ascending queries of the whole map
    std::vector<std::int64_t> columns;   ///< ascending keys of the whole map
    std::shared_ptr<const Axis> queries; ///< entries of `rows`
    std::shared_ptr<const Axis> keys;    ///< entries of `columns`
    bool specialHidden = false;          ///< special tokens were left out

    const HeadResult& result(std::size_t index) const; ///< of heads[index]
    /// [rows.size(), columns.size()]
    std::shared_ptr<const HeadMap> map(std::size_t index) const;
};

/// Throws Error: a head that the model does not have (with the model's counts), a range past the last token
/// (with the count), nothing left.
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

/// What the automatic range of a part's picture needs. The whole map's, so that a part has the colours of the
/// whole, unless special tokens are left out: what dominated the map is then gone, and the range follows what
/// is left.
RangeStatistics statisticsOf(const ExportPart& part, std::size_t index);

} // namespace headscope
