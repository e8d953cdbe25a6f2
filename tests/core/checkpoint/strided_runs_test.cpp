// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/pytorch/strided_runs.h"

#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using Counts = std::vector<std::int64_t>;

struct View {
    const char* name;
    StridedView view;
    std::int64_t run;
    bool contiguous;
};

/// The storage element of every tensor element, by the definition.
Counts byDefinition(const StridedView& view) {
    Counts elements{view.offset};
    for (std::size_t i = 0; i < view.shape.size(); ++i) {
        Counts next;
        for (const std::int64_t start : elements)
            for (std::int64_t k = 0; k < view.shape[i]; ++k) next.push_back(start + k * view.strides[i]);
        elements = std::move(next);
    }
    return elements;
}

Counts byRuns(const StridedRuns& runs, std::int64_t first, std::int64_t count) {
    Counts elements;
    runs.forEach(first, count, [&](std::int64_t element, std::int64_t length) {
        EXPECT_LE(length, runs.run());
        for (std::int64_t k = 0; k < length; ++k) elements.push_back(element + k);
    });
    return elements;
}

class StridedRunsTest : public testing::TestWithParam<View> {};

TEST_P(StridedRunsTest, EveryRangeIsReadInOrder) {
    const StridedRuns runs(GetParam().view);
    EXPECT_EQ(runs.contiguous(), GetParam().contiguous);
    EXPECT_EQ(runs.run(), GetParam().run);
    const Counts all = byDefinition(GetParam().view);
    const auto size = static_cast<std::int64_t>(all.size());
    for (std::int64_t first = 0; first <= size; ++first)
        for (std::int64_t count = 0; first + count <= size; ++count)
            ASSERT_EQ(byRuns(runs, first, count), Counts(all.begin() + first, all.begin() + first + count))
                << first << " " << count;
}

INSTANTIATE_TEST_SUITE_P(Shapes, StridedRunsTest,
                         testing::Values(View{"Contiguous", {"0", 3, {2, 3, 4}, {12, 4, 1}}, 24, true},
                                         View{"Scalar", {"0", 5, {}, {}}, 1, true},
                                         View{"ExtentsOfOne", {"0", 5, {1, 4, 1}, {99, 1, 7}}, 4, true},
                                         View{"Transposed", {"0", 0, {3, 4}, {1, 3}}, 1, false},
                                         View{"Columns", {"0", 1, {4, 3}, {6, 1}}, 3, false},
                                         View{"ColumnsOfThree", {"0", 2, {2, 3, 2}, {18, 6, 1}}, 2, false},
                                         View{"SliceOfTheFirst", {"0", 12, {2, 3, 2}, {24, 2, 1}}, 6, false},
                                         View{"Permuted", {"0", 0, {4, 3, 2}, {1, 8, 4}}, 1, false},
                                         View{"EveryOther", {"0", 0, {2, 2}, {12, 3}}, 1, false},
                                         View{"Expanded", {"0", 0, {3, 2}, {0, 1}}, 2, false},
                                         View{"OneForAll", {"0", 7, {2, 3}, {0, 0}}, 1, false},
                                         View{"Empty", {"0", 0, {0, 2}, {1, std::int64_t{1} << 62}}, 1, true},
                                         View{"Column", {"0", 1, {4, 1}, {6, 1}}, 1, false}),
                         [](const auto& tested) { return std::string(tested.param.name); });

} // namespace
} // namespace headscope::test
