// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/progress.h"
#include "core/diagnosis/metrics.h"
#include "core/maps/head_map.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace headscope {

/// A head of one text as similarity sees it. All heads of one call have the same mask.
struct ComparedHead {
    std::shared_ptr<const HeadMap> map;
    const HeadMetrics* metrics = nullptr; ///< its columns
};

/// Two heads of one text, without the keys that either of them uses as a sink (alpha >= 0.30): over the rows
/// of R where both keep at least 0.2 of their weight and at least 4 keys are left, weights divided by what is
/// left. Means over these rows. What a learned sink takes is not kept either.
struct PairSimilarity {
    static constexpr std::int64_t kFewestRows = 16;
    static constexpr double kRedundant = 0.02; ///< nats, at most
    static constexpr double kFlatRest = 0.25;  ///< nats of KL, below which a rest tells nothing
    static constexpr double kIdentical = 1e-4; ///< nats: what rounding q and k to 16 bits can do

    std::size_t first = 0; ///< indices into the heads given, first < second
    std::size_t second = 0;
    std::int64_t rows = 0;   ///< that count; fewer than kFewestRows test nothing
    double divergence = 0.0; ///< Jensen-Shannon divergence, nats, 0 to ln 2
    double firstKl = 0.0;    ///< KL of what is left to even weights, nats: two flat rests tell nothing
    double secondKl = 0.0;
    std::int64_t fullRows = 0;   ///< of R, without those of which a learned sink left one head nothing
    double fullDivergence = 0.0; ///< over all keys of these rows; sinks make any two heads alike here

    bool isTested() const { return rows >= kFewestRows; }
    bool isRedundant() const; ///< divergence <= kRedundant and both KL >= kFlatRest
    bool isIdentical() const; ///< divergence < kIdentical: a matter of words, the label is the same
};

/// Measures one pair; symmetric to the bit, and exactly 0 apart where the weights are the same. The order of
/// the two does not matter.
PairSimilarity comparePair(std::span<const ComparedHead> heads, std::size_t first, std::size_t second,
                           const MaskRule& mask);

/// Every pair whose divergence is at most `limit` and that is tested, ascending by divergence. Exact: pairs
/// are left out only where ln 2 (1 - Bhattacharyya coefficient) <= JSD, from one pass over all heads, proves
/// them farther apart. Throws Error when cancelled.
std::vector<PairSimilarity> similarPairs(std::span<const ComparedHead> heads, const MaskRule& mask,
                                         double limit, const CancelToken& cancel);

/// What all pairs of the heads of one text say.
struct PairsOnText {
    std::vector<PairSimilarity> close; ///< as similarPairs() gives them
    /// Which pairs have enough rows to test: [first][second - first - 1]. Without it nobody could say on how
    /// many of several texts a pair was tested.
    std::vector<std::vector<bool>> tested;
};
PairsOnText pairsOnText(std::span<const ComparedHead> heads, const MaskRule& mask, double limit,
                        const CancelToken& cancel);

/// All other heads by their divergence from one, nearest first; untested pairs last. Progress counts rows of
/// the text. Throws Error when cancelled.
std::vector<PairSimilarity> similarTo(std::span<const ComparedHead> heads, std::size_t head,
                                      const MaskRule& mask, const CancelToken& cancel,
                                      const ProgressSink& progress = {});

} // namespace headscope
