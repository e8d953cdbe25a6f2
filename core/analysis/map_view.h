// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/base/cancel.h"
#include "core/maps/axis.h"
#include "core/maps/head_map.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Of which heads a map is made.
enum class HeadsShown {
    One,     ///< a head by itself
    Mean,    ///< the mean of each weight over several heads
    Largest, ///< the largest of each
    Rollout  ///< the means of all layers up to that of the head, multiplied (rollout.h)
};

/// "one", "mean", "max", "rollout": the words of the command line and of saved views.
std::string_view nameOf(HeadsShown heads);
std::optional<HeadsShown> headsShownOf(std::string_view word);

/// How maps are shown. Plain: a head's weights, token by token.
struct MapView {
    HeadsShown heads = HeadsShown::One;
    /// Each weight times the norm of what its key gives: of the value behind W_O, or of the value where that
    /// is not known. Numbers are then no weights and may be above 1.
    bool valueWeighted = false;
    bool words = false;       ///< tokens put together by words: summed over keys, the mean over queries
    bool hideSpecial = false; ///< special tokens left out, as rows and as columns
    bool hideFirst = false;   ///< the first key (token or word) masked; the others keep their weights

    bool isPlain() const { return *this == MapView{}; }
    bool showsWeights() const { return !valueWeighted; } ///< else norms
    friend bool operator==(const MapView&, const MapView&) = default;
};

/// The heads of which the map of `head` is made in this view: itself, or all of its layer.
std::vector<HeadRef> shownHeads(const ModelSpec& spec, const HeadRef& head, const MapView& view);

/// What lies along the rows or the columns of a shown map.
struct ViewedAxis {
    std::shared_ptr<const Axis> axis;    ///< of the rows or columns shown
    std::vector<std::int64_t> positions; ///< of each: which token, or with words which word, ascending
    std::vector<Span> tokens;            ///< of each: the tokens it shows

    std::int64_t size() const { return static_cast<std::int64_t>(positions.size()); }
    /// The row or column that shows a token; none where it is hidden or left out.
    std::optional<std::int64_t> indexOf(std::int64_t token) const;
};

/// A part of the rows and columns of what a view shows; nullopt = all.
struct ShownPart {
    std::optional<Span> rows;
    std::optional<Span> columns;
};

struct ViewedAxes {
    ViewedAxis queries;
    ViewedAxis keys;
};

/// Rows and columns of the maps of a kind. Throws Error: a part past the last token or word (with the count),
/// nothing left.
ViewedAxes viewedAxes(const Analysis& analysis, AttentionKind kind, const MapView& view,
                      const ShownPart& part = {});

/// A map, with what its automatic scale needs.
struct ViewedMap {
    std::shared_ptr<const HeadMap> map;    ///< [axes.queries.size(), axes.keys.size()]
    std::shared_ptr<const HeadMap> tokens; ///< the same before words and hidden ones: [queries, keys]
    ViewedAxes axes;
    RangeStatistics statistics;
};

/// Throws Error where there is no such map: a rollout of cross-attention, of values or of too many tokens;
/// value norms of maps that have none.
void requireView(const Analysis& analysis, std::span<const HeadRef> heads, const MapView& view);

/// The map of `heads` (of one kind; exactly one with One, of one layer with Rollout) along `axes`, which are
/// of the same kind and view. Throws Error as requireView() does, and when cancelled.
std::shared_ptr<const HeadMap> viewedMap(const Analysis& analysis, std::span<const HeadRef> heads,
                                         const MapView& view, const ViewedAxes& axes,
                                         const CancelToken& cancel);
/// Of the whole map in this view, so that a part of it has the colours of the whole. Reads every cell unless
/// the view is plain.
RangeStatistics viewedStatistics(const Analysis& analysis, std::span<const HeadRef> heads,
                                 const MapView& view, const CancelToken& cancel);
/// What a window asks for: how the map of a head is to be shown.
struct ViewRequest {
    std::shared_ptr<const Analysis> analysis;
    HeadRef head;
    MapView view;

    friend bool operator==(const ViewRequest&, const ViewRequest&) = default;
};

/// All of it.
ViewedMap viewMap(const ViewRequest& request, const CancelToken& cancel);
/// The same from `tokens`, which another view of the same heads and numbers has: only words and what is left
/// out are made anew.
ViewedMap viewMap(const ViewRequest& request, std::shared_ptr<const HeadMap> tokens,
                  const CancelToken& cancel);

} // namespace headscope
