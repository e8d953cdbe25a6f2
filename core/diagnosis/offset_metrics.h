// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/row_view.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace headscope {

/// How far a head looks. Offsets are delta = key - query: -1 is the previous token.
struct OffsetMetrics {
    static constexpr std::int64_t kNear = 64; ///< offsets up to this one are counted singly
    static constexpr std::int64_t kLocal = 8; ///< the reach of `local`

    SetMass previous;
    SetMass next; ///< no rows in causal maps
    SetMass self;
    SetMass local;              ///< |delta| <= kLocal
    double previousShare = 0.0; ///< share of the rows whose argmax is there
    double nextShare = 0.0;
    double selfShare = 0.0;
    double meanDistance = 0.0; ///< tokens
    double evenDistance = 0.0; ///< of an even head under the same mask

    /// Mean mass over R in bins that add up to the mass of a row.
    struct Bin {
        std::int64_t first = 0; ///< offsets first..last
        std::int64_t last = 0;
        double mass = 0.0;
    };
    std::vector<Bin> histogram; ///< ascending: doubling bins, -64..64 singly, doubling bins

    /// The offset at which most argmaxes lie, of the rows that can see that far.
    struct Mode {
        /// Offsets that fewer argmaxes have in common are no finding, whatever repeats there.
        static constexpr double kOfInterest = 0.25;
        std::int64_t offset = 0;
        std::int64_t rows = 0; ///< that can see it, at least max(16, |R| / 4)
        double share = 0.0;    ///< of them whose argmax is there
        /// Mean mass there over these rows, for an offset of at most kNear; a farther one is left to
        /// the caller, who has the map.
        std::optional<double> mass = {};
        /// For how many of these rows that key repeats the query, or follows a repeat of it.
        double repeatShare = 0.0;
    };
    std::optional<Mode> mode; ///< none where too few rows see any one offset
};

/// What the mask alone decides; shared by the heads of a layer.
class OffsetPlan {
  public:
    OffsetPlan() = default;
    explicit OffsetPlan(std::int64_t keys);
    void addRow(const RowView& row); ///< weights and mode are not read
    void finish();                   ///< after the last row

  private:
    friend class OffsetSums;
    std::size_t binOf(std::int64_t offset) const;

    std::int64_t m_keys = 0;
    std::int64_t m_rows = 0; ///< |R|
    SetChance m_previous, m_next, m_self, m_local;
    double m_distance = 0.0;
    std::vector<std::int64_t> m_seen; ///< [2 * keys + 1], rows that see offset + keys
    std::vector<OffsetMetrics::Bin> m_bins;
    std::size_t m_nearBegin = 0; ///< index of the bin of -kNear
};

/// What one head gathers.
class OffsetSums {
  public:
    void add(const RowView& row, const OffsetPlan& plan);
    OffsetMetrics result(const OffsetPlan& plan) const;

  private:
    double m_farDistance = 0.0; ///< of what lies beyond the near bins
    std::vector<double> m_bins;
    std::vector<std::int32_t> m_modes; ///< [2 * keys + 1]
};

} // namespace headscope
