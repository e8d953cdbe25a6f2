// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/maps/head_map.h"
#include "core/maps/row_accumulator.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// How weights become positions on the colour scale.
enum class RangeMode {
    Auto,   ///< 0 to the 95th percentile of the row maxima without the first key, at least 4x the even weight
    Fixed,  ///< low to high as given (0 to 1 by default)
    PerRow, ///< each row from 0 to its own maximum
    Log,    ///< logarithm from 1e-4 to 1
};

struct DisplayRange {
    RangeMode mode = RangeMode::Auto;
    float low = 0.0F;  ///< weight at the lower end (Fixed and, once resolved, Auto)
    float high = 1.0F; ///< weight at the upper end; above it the colour is clipped and the legend says so

    friend bool operator==(const DisplayRange&, const DisplayRange&) = default;
};

/// Ends of the logarithmic scale.
inline constexpr float kLogLow = 1e-4F;
inline constexpr float kLogHigh = 1.0F;

/// "auto", "0:1", "row", "log", "A:B" with finite A < B; nullopt otherwise.
std::optional<DisplayRange> parseRange(std::string_view text);
/// What parseRange reads back as the same value: "auto", "row", "log", "0:0.25".
std::string textOf(const DisplayRange& range);

/// What Auto needs of a head, gathered in the forward pass.
struct RangeStatistics {
    float upperRowMaximum = 0.0F; ///< 95th percentile (nearest rank) of the row maxima without key 0
    float evenWeight = 0.0F;      ///< 1 / mean number of visible keys of the rows that see any
    float maximum = 0.0F;         ///< largest weight of the head
    float ceiling = 1.0F;         ///< nothing can be above it; infinite for what is no weight

    friend bool operator==(const RangeStatistics&, const RangeStatistics&) = default;
};

/// Collects RangeStatistics for every head of a layer. Padding queries, rows that see nothing and NaN do not
/// count.
class RangeAccumulator final : public RowAccumulator {
  public:
    RangeAccumulator(int heads, const MaskRule& mask);
    void observe(const RowBlock& block) override;
    RangeStatistics result(HeadIndex head) const;

  private:
    std::vector<std::uint8_t> m_counts;          ///< [queries]: the row sees a key other than key 0
    std::vector<std::uint8_t> m_seesAny;         ///< [queries]
    std::vector<std::vector<float>> m_rowMaxima; ///< [heads][rows seen that count], without key 0
    std::vector<float> m_maximum;                ///< [heads]
    float m_evenWeight = 0.0F;
};

/// The same numbers of a map that came from no forward pass (imported, composed). `withoutFirst`: column 0 is
/// key 0, which the percentile leaves out. Throws Error when cancelled.
RangeStatistics statisticsOf(const HeadMap& map, bool withoutFirst = true, const CancelToken& cancel = {});

/// Auto becomes Fixed 0..high from the statistics: high = max(upperRowMaximum, 4 x evenWeight), at most the
/// ceiling, and 1 when nothing is known. The other modes pass through.
DisplayRange resolve(const DisplayRange& range, const RangeStatistics& statistics);

/// True when some weight of the head lies above the upper end of the (resolved) range.
bool isClipped(const DisplayRange& resolved, const RangeStatistics& statistics);

} // namespace headscope
