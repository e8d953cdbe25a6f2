// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/pair_bound.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace headscope {

namespace {

/// How far a computed product of square roots, or a sum of them, may be below the true one, as a share of it:
/// what its additions lose and half a unit in the last place of each root.
constexpr double kRounding = PairPass::kProductRounding + 3.0 * 0x1p-24;

/// Inner products of the square roots of one row of all heads.
class RowGram {
  public:
    explicit RowGram(std::size_t heads) : m_heads(heads), m_products(heads * heads) {}

    void compute(const StripWalk& walk, std::size_t row);
    const float* roots(std::size_t head) const { return m_roots.data() + head * m_width; }
    double product(const HeadPair& pair) const { return m_products[pair.first * m_heads + pair.second]; }

  private:
    void computeBlock(std::size_t first, std::size_t second);

    std::size_t m_heads;
    std::size_t m_width = 0;
    std::vector<float> m_roots;     ///< [heads, width]
    std::vector<double> m_products; ///< [heads, heads], where the second is the larger
};

void RowGram::compute(const StripWalk& walk, std::size_t row) {
    m_width = static_cast<std::size_t>(walk.row(row).end);
    m_roots.resize(m_heads * m_width);
    for (std::size_t head = 0; head < m_heads; ++head)
        std::transform(walk.at(head, row).weights, walk.at(head, row).weights + m_width,
                       m_roots.data() + head * m_width, [](float weight) { return std::sqrt(weight); });
    for (std::size_t first = 0; first < m_heads; first += ProductTask::kFirsts)
        for (std::size_t second = first; second < m_heads; second += ProductTask::kSeconds)
            computeBlock(first, second);
}

/// Heads beyond the last are the last again, and their products not kept.
void RowGram::computeBlock(std::size_t first, std::size_t second) {
    constexpr std::size_t kFirsts = ProductTask::kFirsts;
    constexpr std::size_t kSeconds = ProductTask::kSeconds;
    ProductTask task{};
    task.count = static_cast<std::int64_t>(m_width);
    for (std::size_t a = 0; a < kFirsts; ++a) task.firsts[a] = roots(std::min(first + a, m_heads - 1));
    for (std::size_t b = 0; b < kSeconds; ++b) task.seconds[b] = roots(std::min(second + b, m_heads - 1));
    double products[kFirsts * kSeconds];
    pairPass().products(task, products);
    for (std::size_t a = 0; a < std::min(kFirsts, m_heads - first); ++a)
        for (std::size_t b = 0; b < std::min(kSeconds, m_heads - second); ++b)
            m_products[(first + a) * m_heads + second + b] = products[a * kSeconds + b];
}

void addRow(PairBound& bound, const RowGram& gram, const HeadPair& pair, const RestOfRow& rest,
            double keptProduct) {
    const double all = gram.product(pair);
    double dropped = 0.0;
    for (const std::int64_t key : rest.dropped)
        dropped += static_cast<double>(gram.roots(pair.first)[key]) *
                   static_cast<double>(gram.roots(pair.second)[key]);
    ++bound.rows;
    bound.coefficients += (all - dropped + kRounding * (all + dropped)) / std::sqrt(keptProduct);
}

} // namespace

double PairBound::leastDivergence() const {
    return std::numbers::ln2 * (1.0 - coefficients / static_cast<double>(rows));
}

std::vector<PairBound> boundPairs(std::span<const ComparedHead> heads, const MaskRule& mask,
                                  std::span<const PairGroup> groups, const CancelToken& cancel) {
    std::size_t pairs = 0;
    for (const PairGroup& group : groups) pairs += group.pairs.size();
    std::vector<PairBound> bounds(pairs);
    std::vector<std::size_t> all(heads.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    StripWalk walk(heads, mask, all);
    RowGram gram(heads.size());
    RestOfRow rest;
    std::vector<double> kept(heads.size());
    while (walk.next(cancel))
        for (std::size_t row = 0; row < walk.rows(); ++row) {
            cancel.throwIfCancelled();
            gram.compute(walk, row);
            for (const PairGroup& group : groups) {
                walk.leaveOut(group.keys, row, rest);
                for (const HeadPair& pair : group.pairs) {
                    const double first = rest.keptBy(walk.at(pair.first, row));
                    const double second = rest.keptBy(walk.at(pair.second, row));
                    if (rest.counts(first, second))
                        addRow(bounds[pair.index], gram, pair, rest, first * second);
                }
            }
        }
    return bounds;
}

} // namespace headscope
