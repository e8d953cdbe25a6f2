// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/composed/rollout.h"
#include "tests/core/composed/random_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace headscope {
namespace {

using test::randomMap;
using test::spansOf;
using testing::ElementsAre;

using Matrix = std::vector<std::vector<double>>;

Matrix identity(std::size_t size) {
    Matrix result(size, std::vector<double>(size));
    for (std::size_t i = 0; i < size; ++i) result[i][i] = 1.0;
    return result;
}

/// The definition: R <- (A / 2 + I / 2) R.
Matrix rolledOut(const std::vector<std::shared_ptr<const test::RandomMap>>& layers) {
    const auto size = static_cast<std::size_t>(layers.front()->extent().rows);
    Matrix result = identity(size);
    for (const auto& layer : layers) {
        Matrix next(size, std::vector<double>(size));
        for (std::size_t i = 0; i < size; ++i)
            for (std::size_t k = 0; k < size; ++k) {
                const double factor =
                    0.5 * layer->at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(k)) +
                    (i == k ? 0.5 : 0.0);
                for (std::size_t j = 0; j < size; ++j) next[i][j] += factor * result[k][j];
            }
        result = std::move(next);
    }
    return result;
}

TEST(Rollout, IsTheProductOfHalfMapsAndHalfIdentities) {
    for (const bool causal : {true, false})
        for (const std::int64_t size : {1, 7, 8, 29}) {
            std::vector<std::shared_ptr<const test::RandomMap>> layers;
            for (unsigned layer = 0; layer < 4; ++layer)
                layers.push_back(randomMap({size, size}, causal, 10 + layer));
            const Matrix expected = rolledOut(layers);
            const std::vector<std::shared_ptr<const HeadMap>> maps(layers.begin(), layers.end());
            const auto map = rollout(maps, {});
            test::expectCells(*map, [&](std::int64_t i, std::int64_t j) {
                return expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
            });
            for (std::int64_t row = 0; row < size; ++row) {
                double sum = 0.0;
                for (const float share : map->row(row)) sum += static_cast<double>(share);
                EXPECT_NEAR(sum, 1.0, 1e-6);
            }
        }
}

TEST(Rollout, OfOneLayerByHand) {
    const auto layer = randomMap({2, 2}, true, 1);
    layer->set(1, {0.25F, 0.75F});
    const std::vector<std::shared_ptr<const HeadMap>> maps{layer, layer};
    // (0.5 A + 0.5 I) has the second row 0.125, 0.875; squared: 0.125 + 0.875 * 0.125, 0.875 * 0.875.
    EXPECT_THAT(rollout(maps, {})->row(1), ElementsAre(0.234375F, 0.765625F));
    EXPECT_THAT(rollout(maps, {})->row(0), ElementsAre(1.0F, 0.0F));
}

TEST(Rollout, SeesWhatAnyPathReaches) {
    /// Row i sees keys i - 1 and i.
    class Window final : public HeadMap {
      public:
        Extent extent() const override { return {6, 6}; }
        void tile(Span rows, Span columns, MatrixView<float> out) const override {
            for (std::int64_t r = 0; r < rows.size(); ++r)
                for (std::int64_t c = 0; c < columns.size(); ++c) {
                    const std::int64_t distance = rows.begin + r - columns.begin - c;
                    out.at(r, c) = distance == 0 || distance == 1 ? 0.5F : 0.0F;
                }
        }
        void visibleSpans(std::int64_t row, std::vector<Span>& out) const override {
            out = {{std::max<std::int64_t>(row - 1, 0), row + 1}};
        }
    };
    const std::vector<std::shared_ptr<const HeadMap>> two(2, std::make_shared<Window>());
    EXPECT_THAT(spansOf(*rollout(two, {}), 5), ElementsAre(Span{3, 6}));
    EXPECT_THAT(spansOf(*rollout(two, {}), 0), ElementsAre(Span{0, 1}));
}

TEST(Rollout, CanBeCancelled) {
    const CancelToken cancel;
    cancel.cancel();
    const std::vector<std::shared_ptr<const HeadMap>> one{randomMap({4, 4}, false, 1)};
    EXPECT_THROW(rollout(one, cancel), Error);
}

} // namespace
} // namespace headscope
