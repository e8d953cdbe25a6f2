// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/maps/head_map.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headscope {

/// How far apart two maps of one extent are. Every mean is over the rows in which each map sees at least
/// `fewestKeys` keys and has any weight; each row counts alike.
struct MapComparison {
    static constexpr std::int64_t kUsualKeys = 8; ///< as in a diagnosis: shorter rows are alike by themselves
    static constexpr std::int64_t kFewestRows = 16; ///< of the divergence without sinks
    static constexpr double kKeptMass = 0.2;
    static constexpr std::int64_t kKeysLeft = 4;

    struct Row {
        std::int64_t row = 0;
        double totalVariation = 0.0;
        double divergence = 0.0; ///< nats
        std::int64_t key = 0;    ///< where the weights differ most
        double first = 0.0;      ///< the weights there
        double second = 0.0;
    };

    std::int64_t fewestKeys = kUsualKeys; ///< 2 where no row has that many
    std::int64_t rows = 0;                ///< that count; 0: nothing can be compared
    /// Mean Jensen-Shannon divergence of the rows, each divided by its sum; nats, 0 to ln 2.
    double divergence = 0.0;
    /// The same without the keys that were given as sinks, over the rows of which both keep kKeptMass or more
    /// and kKeysLeft keys or more; none for fewer than kFewestRows rows.
    std::optional<double> restDivergence;
    std::int64_t restRows = 0;
    /// Mean of half the sum of |a - b|: the share of weight that lies elsewhere. With RowScale::Divided of
    /// the rows divided by their sums, as the divergence is.
    double totalVariation = 0.0;
    /// Pearson's, over the cells of these rows that either may see; none where one of them is constant.
    std::optional<double> correlation;
    double largest = 0.0;      ///< largest |a - b| of all rows, those that do not count too
    std::vector<Row> farthest; ///< by total variation, the largest first; at most the number asked for
};

/// What the numbers of a row are.
enum class RowScale {
    Weights, ///< of a distribution, of which a sink may have taken a part
    Divided  ///< of any sum: divided by it before rows are told apart
};

struct ComparisonRules {
    std::span<const std::int64_t> sinks; ///< keys, ascending
    std::size_t farthest = 10;
    RowScale scale = RowScale::Weights;
};

/// One pass over both maps, a row at a time. Throws Error when cancelled.
MapComparison compareMaps(const HeadMap& first, const HeadMap& second, const ComparisonRules& rules,
                          const CancelToken& cancel);

} // namespace headscope
