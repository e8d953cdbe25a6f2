// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/raster/margins.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace headscope {
namespace {

/// Weights of which each row sees the keys up to itself.
class CausalMap final : public HeadMap {
  public:
    CausalMap(std::int64_t size, std::vector<float> weights) : m_all({size, size}, std::move(weights)) {}
    Extent extent() const override { return m_all.extent(); }
    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        m_all.tile(rows, columns, out);
    }
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override { out = {{0, row + 1}}; }

  private:
    StoredMap m_all;
};

TEST(Margins, AreTheSpreadOfRowsAndTheMeanOfColumns) {
    const StoredMap map({2, 4}, {0.25F, 0.25F, 0.25F, 0.25F, 0.5F, 0.5F, 0.0F, 0.0F});
    const MapMargins margins = marginsOf(map, {});
    ASSERT_EQ(margins.spread.size(), 2U);
    EXPECT_NEAR(margins.spread[0], std::log(4.0), 1e-6);
    EXPECT_NEAR(margins.spread[1], std::log(2.0), 1e-6);
    EXPECT_EQ(margins.seen, (std::vector<std::int64_t>{4, 4}));
    EXPECT_EQ(margins.received, (std::vector<float>{0.375F, 0.375F, 0.125F, 0.125F}));
    EXPECT_EQ(margins.readers, (std::vector<std::int64_t>{2, 2, 2, 2}));
}

TEST(Margins, OfAMaskedMapTakeTheRowsThatMaySee) {
    const CausalMap map(3, {1.0F, 0.0F, 0.0F, 0.75F, 0.25F, 0.0F, 0.5F, 0.25F, 0.25F});
    const MapMargins margins = marginsOf(map, {});
    EXPECT_EQ(margins.spread[0], 0.0F) << "all on one key";
    // -(3/4) ln(3/4) - (1/4) ln(1/4) = 2 ln 2 - (3/4) ln 3
    EXPECT_NEAR(margins.spread[1], 2.0 * std::log(2.0) - 0.75 * std::log(3.0), 1e-6);
    EXPECT_NEAR(margins.spread[2], 1.5 * std::log(2.0), 1e-6);
    EXPECT_EQ(margins.seen, (std::vector<std::int64_t>{1, 2, 3}));
    EXPECT_EQ(margins.readers, (std::vector<std::int64_t>{3, 2, 1}));
    EXPECT_EQ(margins.received, (std::vector<float>{0.75F, 0.25F, 0.25F}));
}

TEST(Margins, OfRowsThatAddUpToSomethingElseAreOfTheirShares) {
    const float none = std::numeric_limits<float>::quiet_NaN();
    const StoredMap map({3, 2}, {0.125F, 0.125F, 8.0F, 8.0F, none, 0.5F});
    const MapMargins margins = marginsOf(map, {});
    EXPECT_NEAR(margins.spread[0], std::log(2.0), 1e-6);
    EXPECT_NEAR(margins.spread[1], std::log(2.0), 1e-6);
    EXPECT_EQ(margins.spread[2], 0.0F);
    EXPECT_EQ(margins.received[0], 8.125F / 3.0F);
}

TEST(Margins, OfMoreRowsThanAStripHolds) {
    constexpr std::int64_t kRows = 201; // strips of 64
    std::vector<float> weights;
    for (std::int64_t i = 0; i < kRows; ++i) weights.insert(weights.end(), {i % 2 == 0 ? 1.0F : 0.0F, 0.5F});
    const MapMargins margins = marginsOf(StoredMap({kRows, 2}, weights), {});
    ASSERT_EQ(margins.spread.size(), 201U);
    EXPECT_EQ(margins.received[0], 101.0F / 201.0F);
    EXPECT_EQ(margins.received[1], 0.5F);
    EXPECT_GT(margins.spread[200], 0.5F);
    EXPECT_EQ(margins.spread[199], 0.0F);
}

TEST(Margins, EndWhenTheyAreCancelled) {
    CancelToken cancel;
    cancel.cancel();
    EXPECT_THROW(marginsOf(StoredMap({1, 1}, {1.0F}), cancel), Error);
    EXPECT_TRUE(marginsOf(StoredMap({0, 0}, {}), {}).spread.empty());
}

} // namespace
} // namespace headscope
