// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/similarity.h"

#include "core/base/check.h"
#include "core/diagnosis/pair_bound.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

namespace headscope {

namespace {

/// What the exact divergence may have lost to rounding, far above what it does.
constexpr double kExactRounding = 1e-9;

/// A head's part of one row of a pair.
struct RowPart {
    const HeadRow& head;
    double kept;
};

double divergenceOver(std::span<const Span> spans, const RowPart& first, const RowPart& second) {
    double sum = 0.0;
    for (const Span& span : spans)
        sum += pairPass().divergence({first.head.weights + span.begin, 1.0 / first.kept},
                                     {second.head.weights + span.begin, 1.0 / second.kept}, span.size());
    return std::clamp(sum, 0.0, std::numbers::ln2);
}

/// Of the weights left, divided by their sum, to even ones.
double klToEven(const RowPart& part, const RestOfRow& rest) {
    double weightedLog = part.head.totals.weightedLog;
    for (const std::int64_t key : rest.dropped)
        if (const auto weight = static_cast<double>(part.head.weights[key]); weight > 0.0)
            weightedLog -= weight * std::log(weight);
    const double entropy = std::log(part.kept) - weightedLog / part.kept;
    return std::max(0.0, std::log(static_cast<double>(rest.left)) - entropy);
}

/// Adds one row to the sums that become means in the end.
void addRow(PairSimilarity& sums, const StripRow& row, const RestOfRow& rest, const HeadRow& first,
            const HeadRow& second) {
    const RowPart firstAll{first, first.totals.sum};
    const RowPart secondAll{second, second.totals.sum};
    double full = 0.0;
    if (firstAll.kept > 0.0 && secondAll.kept > 0.0 && std::isfinite(firstAll.kept + secondAll.kept)) {
        full = divergenceOver(row.spans, firstAll, secondAll);
        sums.fullDivergence += full;
        ++sums.fullRows;
    }
    const RowPart firstRest{first, rest.keptBy(first)};
    const RowPart secondRest{second, rest.keptBy(second)};
    if (!rest.counts(firstRest.kept, secondRest.kept)) return;
    ++sums.rows;
    sums.divergence += rest.dropped.empty() ? full : divergenceOver(rest.spans, firstRest, secondRest);
    sums.firstKl += klToEven(firstRest, rest);
    sums.secondKl += klToEven(secondRest, rest);
}

void divideByRows(PairSimilarity& sums) {
    if (sums.fullRows > 0)
        sums.fullDivergence =
            std::min(sums.fullDivergence / static_cast<double>(sums.fullRows), std::numbers::ln2);
    if (sums.rows == 0) return;
    const auto rows = static_cast<double>(sums.rows);
    sums.divergence = std::min(sums.divergence / rows, std::numbers::ln2);
    sums.firstKl /= rows;
    sums.secondKl /= rows;
}

std::vector<std::size_t> headsOf(std::span<const HeadPair> pairs) {
    std::vector<std::size_t> heads;
    for (const HeadPair& pair : pairs) {
        heads.push_back(pair.first);
        heads.push_back(pair.second);
    }
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    return heads;
}

/// Measures all `pairs`; their results lie at their indices, which count from 0.
std::vector<PairSimilarity> comparePairs(std::span<const ComparedHead> heads, std::span<const HeadPair> pairs,
                                         const MaskRule& mask, const CancelToken& cancel,
                                         const ProgressSink& progress = {}) {
    std::vector<PairSimilarity> results(pairs.size());
    for (const HeadPair& pair : pairs) {
        results[pair.index].first = pair.first;
        results[pair.index].second = pair.second;
    }
    const std::vector<PairGroup> groups = groupBySinks(heads, pairs);
    StripWalk walk(heads, mask, headsOf(pairs));
    RestOfRow rest;
    std::int64_t done = 0;
    while (walk.next(cancel)) {
        for (std::size_t row = 0; row < walk.rows(); ++row) {
            cancel.throwIfCancelled();
            for (const PairGroup& group : groups) {
                walk.leaveOut(group.keys, row, rest);
                for (const HeadPair& pair : group.pairs)
                    addRow(results[pair.index], walk.row(row), rest, walk.at(pair.first, row),
                           walk.at(pair.second, row));
            }
        }
        done += static_cast<std::int64_t>(walk.rows());
        if (progress) progress({"row", done, mask.queries});
    }
    std::for_each(results.begin(), results.end(), divideByRows);
    return results;
}

bool isNearer(const PairSimilarity& one, const PairSimilarity& other) {
    // What is not known cannot be put in order.
    const auto keyOf = [](const PairSimilarity& pair) {
        const bool known = pair.isTested() && !std::isnan(pair.divergence);
        return std::tuple(!known, known ? pair.divergence : 0.0, pair.first, pair.second);
    };
    return keyOf(one) < keyOf(other);
}

std::vector<HeadPair> allPairs(std::size_t heads) {
    std::vector<HeadPair> pairs;
    for (std::size_t first = 0; first < heads; ++first)
        for (std::size_t second = first + 1; second < heads; ++second)
            pairs.push_back({first, second, pairs.size()});
    return pairs;
}

} // namespace

bool PairSimilarity::isRedundant() const {
    return isTested() && divergence <= kRedundant && firstKl >= kFlatRest && secondKl >= kFlatRest;
}

bool PairSimilarity::isIdentical() const {
    return isTested() && divergence < kIdentical;
}

PairSimilarity comparePair(std::span<const ComparedHead> heads, std::size_t first, std::size_t second,
                           const MaskRule& mask) {
    HS_CHECK(first != second && first < heads.size() && second < heads.size());
    const std::vector<ComparedHead> both{heads[std::min(first, second)], heads[std::max(first, second)]};
    PairSimilarity result = comparePairs(both, allPairs(2), mask, {}).front();
    result.first = std::min(first, second);
    result.second = std::max(first, second);
    return result;
}

PairsOnText pairsOnText(std::span<const ComparedHead> heads, const MaskRule& mask, double limit,
                        const CancelToken& cancel) {
    PairsOnText result;
    for (std::size_t first = 0; first < heads.size(); ++first)
        result.tested.emplace_back(heads.size() - first - 1);
    std::vector<HeadPair> pairs = allPairs(heads.size());
    const std::vector<PairBound> bounds = boundPairs(heads, mask, groupBySinks(heads, pairs), cancel);
    std::vector<HeadPair> survivors;
    for (const HeadPair& pair : pairs) {
        const PairBound& bound = bounds[pair.index];
        if (bound.rows < PairSimilarity::kFewestRows) continue;
        result.tested[pair.first][pair.second - pair.first - 1] = true;
        if (bound.leastDivergence() > limit + kExactRounding) continue;
        survivors.push_back({pair.first, pair.second, survivors.size()});
    }
    result.close = comparePairs(heads, survivors, mask, cancel);
    std::erase_if(result.close, [&](const PairSimilarity& pair) { return !(pair.divergence <= limit); });
    std::sort(result.close.begin(), result.close.end(), isNearer);
    return result;
}

std::vector<PairSimilarity> similarPairs(std::span<const ComparedHead> heads, const MaskRule& mask,
                                         double limit, const CancelToken& cancel) {
    return pairsOnText(heads, mask, limit, cancel).close;
}

std::vector<PairSimilarity> similarTo(std::span<const ComparedHead> heads, std::size_t head,
                                      const MaskRule& mask, const CancelToken& cancel,
                                      const ProgressSink& progress) {
    HS_CHECK_LT(head, heads.size());
    std::vector<HeadPair> pairs;
    for (std::size_t other = 0; other < heads.size(); ++other)
        if (other != head) pairs.push_back({std::min(head, other), std::max(head, other), pairs.size()});
    std::vector<PairSimilarity> results = comparePairs(heads, pairs, mask, cancel, progress);
    std::sort(results.begin(), results.end(), isNearer);
    return results;
}

} // namespace headscope
