// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/composed/comparison.h"

#include <memory>
#include <string>

namespace headscope {

/// What lies along the rows and columns of two maps that are compared.
enum class Alignment {
    Tokens, ///< position by position
    Words,  ///< the words of the text, special tokens left out: tokenizers differ
    None    ///< nothing that both have
};

std::string_view nameOf(Alignment alignment); ///< "tokens", "words", "none"

/// One head of one pass.
struct ComparedSide {
    std::shared_ptr<const Analysis> analysis;
    HeadRef head;
};

/// A map as it is compared, with its tokens or words.
struct AlignedMap {
    std::shared_ptr<const HeadMap> map;
    std::shared_ptr<const Axis> queries;
    std::shared_ptr<const Axis> keys;
    RangeStatistics statistics; ///< of this map
};

/// Two heads side by side.
struct HeadComparison {
    ComparedSide sides[2];
    AlignedMap maps[2]; ///< tokens where they cannot be aligned
    Alignment alignment = Alignment::None;
    /// One sentence where it matters: that words are compared, or positions of other tokens; or why nothing
    /// can be subtracted. Else empty.
    std::string note;
    std::shared_ptr<const HeadMap> difference; ///< first less second; null without an alignment
    MapComparison numbers;                     ///< likewise
    /// The keys that either head uses as a sink (0.30 or more of the weight), which the rest divergence
    /// leaves out; positions of the aligned maps.
    std::vector<std::int64_t> sinks;
};

/// Aligns two heads and measures how far they are apart. Throws Error: a head that the model does not have,
/// cancelled.
HeadComparison compareHeads(const ComparedSide& first, const ComparedSide& second, std::size_t farthest,
                            const CancelToken& cancel);

} // namespace headscope
