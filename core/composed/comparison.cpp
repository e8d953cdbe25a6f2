// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/comparison.h"

#include "core/base/check.h"
#include "core/composed/span_sets.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

std::int64_t sizeOf(const std::vector<Span>& spans) {
    std::int64_t size = 0;
    for (const Span& span : spans) size += span.size();
    return size;
}

/// Two rows side by side, cut to the keys that either may see.
struct RowPair {
    std::vector<float> first;
    std::vector<float> second;
    std::vector<Span> spans;
    std::int64_t fewest = 0; ///< keys that the one with the narrower sight sees

    void load(const HeadMap& one, const HeadMap& other, std::int64_t row) {
        const std::int64_t keys = one.extent().columns;
        first.resize(static_cast<std::size_t>(keys));
        second.resize(static_cast<std::size_t>(keys));
        std::vector<Span> seen;
        one.visibleSpans(row, spans);
        other.visibleSpans(row, seen);
        fewest = std::min(sizeOf(spans), sizeOf(seen));
        spans = united(spans, seen);
        one.tile({row, row + 1}, {0, keys}, {first.data(), 1, keys});
        other.tile({row, row + 1}, {0, keys}, {second.data(), 1, keys});
    }

    template <typename Work>
    void forEach(const std::vector<Span>& keys, const Work& work) const {
        for (const Span& span : keys)
            for (std::int64_t key = span.begin; key < span.end; ++key)
                work(key, static_cast<double>(first[static_cast<std::size_t>(key)]),
                     static_cast<double>(second[static_cast<std::size_t>(key)]));
    }
};

struct Totals {
    double first = 0.0;
    double second = 0.0;
};

Totals totalsOf(const RowPair& pair, const std::vector<Span>& keys) {
    Totals totals;
    pair.forEach(keys, [&](std::int64_t, double a, double b) {
        totals.first += a;
        totals.second += b;
    });
    return totals;
}

/// a ln(a / m) with m the middle of both; 0 ln 0 = 0.
double term(double share, double middle) {
    return share > 0.0 ? share * std::log(share / middle) : 0.0;
}

double divergenceOf(const RowPair& pair, const std::vector<Span>& keys, const Totals& totals) {
    double sum = 0.0;
    pair.forEach(keys, [&](std::int64_t, double a, double b) {
        const double p = a / totals.first;
        const double q = b / totals.second;
        const double middle = 0.5 * (p + q);
        sum += 0.5 * (term(p, middle) + term(q, middle));
    });
    return std::max(0.0, sum);
}

/// `whole`: what the weights are divided by before they are told apart.
MapComparison::Row rowOf(const RowPair& pair, std::int64_t index, double divergence, const Totals& whole) {
    MapComparison::Row row{index, 0.0, divergence, pair.spans.front().begin, 0.0, 0.0};
    double largest = -1.0;
    pair.forEach(pair.spans, [&](std::int64_t key, double a, double b) {
        const double apart = std::abs(a - b);
        row.totalVariation += 0.5 * std::abs(a / whole.first - b / whole.second);
        if (apart <= largest) return;
        largest = apart;
        row.key = key;
        row.first = a;
        row.second = b;
    });
    return row;
}

/// Pearson's correlation of pairs that come one after the other (Welford's recurrences).
class Correlation {
  public:
    void add(double a, double b) {
        ++m_count;
        const double n = static_cast<double>(m_count);
        const double fromFirst = a - m_first;
        m_first += fromFirst / n;
        m_firstSquares += fromFirst * (a - m_first);
        const double fromSecond = b - m_second;
        m_second += fromSecond / n;
        m_secondSquares += fromSecond * (b - m_second);
        m_products += fromFirst * (b - m_second);
    }
    std::optional<double> value() const {
        if (!(m_firstSquares > 0.0 && m_secondSquares > 0.0)) return std::nullopt;
        return std::clamp(m_products / (std::sqrt(m_firstSquares) * std::sqrt(m_secondSquares)), -1.0, 1.0);
    }

  private:
    std::int64_t m_count = 0;
    double m_first = 0.0;
    double m_second = 0.0;
    double m_firstSquares = 0.0;
    double m_secondSquares = 0.0;
    double m_products = 0.0;
};

std::int64_t mostKeys(const HeadMap& first, const HeadMap& second) {
    std::int64_t most = 0;
    std::vector<Span> one;
    std::vector<Span> other;
    for (std::int64_t row = 0; row < first.extent().rows && most < MapComparison::kUsualKeys; ++row) {
        first.visibleSpans(row, one);
        second.visibleSpans(row, other);
        most = std::max(most, std::min(sizeOf(one), sizeOf(other)));
    }
    return most;
}

void keepFarthest(std::vector<MapComparison::Row>& rows, std::size_t most) {
    const auto farther = [](const MapComparison::Row& a, const MapComparison::Row& b) {
        return a.totalVariation != b.totalVariation ? a.totalVariation > b.totalVariation : a.row < b.row;
    };
    const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(most, rows.size()));
    std::partial_sort(rows.begin(), end, rows.end(), farther);
    rows.erase(end, rows.end());
}

} // namespace

MapComparison compareMaps(const HeadMap& first, const HeadMap& second, const ComparisonRules& rules,
                          const CancelToken& cancel) {
    HS_CHECK(first.extent() == second.extent());
    constexpr std::int64_t kPoll = 64;
    std::vector<Span> removed;
    for (const std::int64_t key : rules.sinks) removed.push_back({key, key + 1});
    removed = united(removed, {});

    MapComparison result;
    if (mostKeys(first, second) < MapComparison::kUsualKeys) result.fewestKeys = 2;
    double rest = 0.0;
    Correlation correlation;
    RowPair pair;
    for (std::int64_t row = 0; row < first.extent().rows; ++row) {
        if (row % kPoll == 0) cancel.throwIfCancelled();
        pair.load(first, second, row);
        pair.forEach(pair.spans, [&](std::int64_t, double a, double b) {
            result.largest = std::max(result.largest, std::abs(a - b));
        });
        if (pair.fewest < result.fewestKeys) continue;
        const Totals totals = totalsOf(pair, pair.spans);
        if (!(totals.first > 0.0 && totals.second > 0.0)) continue;
        ++result.rows;
        const Totals whole = rules.scale == RowScale::Divided ? totals : Totals{1.0, 1.0};
        result.farthest.push_back(rowOf(pair, row, divergenceOf(pair, pair.spans, totals), whole));
        result.divergence += result.farthest.back().divergence;
        result.totalVariation += result.farthest.back().totalVariation;
        pair.forEach(pair.spans, [&](std::int64_t, double a, double b) { correlation.add(a, b); });

        const std::vector<Span> left = without(pair.spans, removed);
        const Totals kept = totalsOf(pair, left);
        if (sizeOf(left) < MapComparison::kKeysLeft || kept.first < MapComparison::kKeptMass * whole.first ||
            kept.second < MapComparison::kKeptMass * whole.second)
            continue;
        ++result.restRows;
        rest += divergenceOf(pair, left, kept);
    }
    if (result.rows > 0) {
        result.divergence /= static_cast<double>(result.rows);
        result.totalVariation /= static_cast<double>(result.rows);
    }
    if (result.restRows >= MapComparison::kFewestRows)
        result.restDivergence = rest / static_cast<double>(result.restRows);
    result.correlation = correlation.value();
    keepFarthest(result.farthest, rules.farthest);
    return result;
}

} // namespace headscope
