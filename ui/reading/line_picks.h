// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"
#include "core/raster/display_range.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headscope::ui {

/// A head whose weights are drawn as lines.
struct LineHead {
    int head = 0; ///< counted from 0 in its layer
    std::shared_ptr<const HeadMap> map;
    RangeStatistics statistics;
};

/// Which weights become lines: the strongest ones, or all from a weight up.
struct LineRule {
    std::int64_t strongest = 100; ///< 0: by weight
    float from = 0.0F;            ///< least weight, with strongest = 0
    /// Weights times the norms of values may be above 1.
    static constexpr double kLargestFrom = 1e6;
    friend bool operator==(const LineRule&, const LineRule&) = default;
};

/// What is drawn as lines: which weights, of which heads of the layer that is shown.
struct LinesShown {
    LineRule rule;
    /// Head by head in the order of the line colours; kNoHead: nothing has that colour. At most kLineColors
    /// of them, no head twice, the last one a head. nullopt: the chosen head alone; empty: none.
    std::optional<std::vector<int>> heads;

    static constexpr int kNoHead = -1;
    friend bool operator==(const LinesShown&, const LinesShown&) = default;
};

/// The rule where the lines of one token alone are drawn: they are few, its rule is the window.
LineRule ruleWith(LineRule rule, bool oneToken);

/// The token whose lines alone are drawn.
struct LineFocus {
    bool key = false; ///< a column of the map, instead of a row
    std::int64_t token = 0;
    friend bool operator==(const LineFocus&, const LineFocus&) = default;
};

struct AttentionLine {
    std::size_t slot = 0; ///< which of the heads
    std::int64_t query = 0;
    std::int64_t key = 0;
    float weight = 0.0F;
};

struct LinePicks {
    /// More are never drawn, whatever the rule says: nothing would be seen.
    static constexpr std::int64_t kMost = 3000;

    std::vector<AttentionLine> lines; ///< the weakest first, so that the strongest are drawn last
    std::int64_t candidates = 0;      ///< weights above 0 between the tokens of the window
    std::int64_t leftOut() const { return candidates - static_cast<std::int64_t>(lines.size()); }
};

/// The lines between the queries and the keys of a window. A row at a time is read, of the columns of the
/// window. Of equal weights the earlier head, query and key come first.
LinePicks pickLines(std::span<const LineHead> heads, Span queries, Span keys, const LineRule& rule,
                    const std::optional<LineFocus>& focus);

} // namespace headscope::ui
