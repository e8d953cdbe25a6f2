// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "core/composed/comparison.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// What lies along the rows and columns of two maps that are compared.
enum class Alignment {
    Tokens, ///< position by position
    Words,  ///< the words of the text
    None    ///< nothing that both have
};

std::string_view nameOf(Alignment alignment); ///< "tokens", "words", "none"

/// One head of one pass, or what a view makes of it or of its layer.
struct ComparedSide {
    std::shared_ptr<const Analysis> analysis;
    HeadRef head; ///< of a view of all heads: any of its layer
    MapView view = {};
    std::shared_ptr<const ViewedMap> made = {}; ///< what the view makes, where it is there already
};

/// The same map, whichever head of a layer names it.
bool isSameMap(const ComparedSide& one, const ComparedSide& other);

/// A map as it is compared, with its tokens or words.
struct AlignedMap {
    std::shared_ptr<const HeadMap> map;
    ViewedAxes axes;
    RangeStatistics statistics; ///< of this map

    const std::shared_ptr<const Axis>& queries() const { return axes.queries.axis; }
    const std::shared_ptr<const Axis>& keys() const { return axes.keys.axis; }
};

/// Two heads side by side.
struct HeadComparison {
    ComparedSide sides[2];
    AlignedMap maps[2]; ///< as their views show them, but where `regrouped`
    Alignment alignment = Alignment::None;
    /// Tokenizers differ: `maps` are by words without special tokens, whatever the views of the sides say.
    bool regrouped = false;
    /// One sentence where it matters: that words are compared, or positions of other tokens; or why nothing
    /// can be subtracted. Else empty.
    std::string note;
    std::shared_ptr<const HeadMap> difference; ///< first less second; null without an alignment
    MapComparison numbers;                     ///< likewise
    /// Rows were divided by their sums before they were told apart: they are no distributions.
    bool divided = false;
    /// The keys that either side uses as a sink (0.30 or more of the weight), which the rest divergence
    /// leaves out; columns of the aligned maps.
    std::vector<std::int64_t> sinks;

    /// How the maps of a side are shown: its view, by words where `regrouped`.
    MapView viewOf(std::size_t side) const;
};

/// Of both: what makes one automatic scale for them.
RangeStatistics sharedRange(const RangeStatistics& one, const RangeStatistics& other);
/// What the automatic scales of the two maps are from: one for both, or of each its own where one shows
/// weights and the other norms.
std::array<RangeStatistics, 2> comparedRanges(const HeadComparison& comparison);

/// Aligns two sides and measures how far they are apart. They are subtracted where both are shown alike
/// (words, tokens left out, weights or norms); of which heads they are made may differ. Throws Error: a head
/// that the model does not have, a view that there is not, cancelled.
HeadComparison compareHeads(const ComparedSide& first, const ComparedSide& second, std::size_t farthest,
                            const CancelToken& cancel);

} // namespace headscope
