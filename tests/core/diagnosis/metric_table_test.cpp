// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/metric_table.h"

#include <array>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace headscope {
namespace {

std::optional<double> numberOf(const std::vector<MetricNumber>& numbers, std::string_view name,
                               std::string_view group = {}) {
    for (const MetricNumber& one : numbers)
        if (one.name == name && one.group == group) return one.value;
    ADD_FAILURE() << "no number " << group << ' ' << name;
    return std::nullopt;
}

HeadMetrics measured(double distance, double chance) {
    HeadMetrics metrics;
    metrics.rows = 40;
    metrics.offsets = OffsetMetrics();
    metrics.offsets->meanDistance = distance;
    metrics.offsets->evenDistance = 2.0 * distance;
    metrics.tokens = TokenMetrics();
    ClassMass& start = metrics.tokens->classes[static_cast<std::size_t>(TokenClass::Start)];
    start.rows = 40;
    start.mass = 0.5;
    start.chance = chance;
    return metrics;
}

TEST(MetricTable, StandsBesideEvenWeights) {
    const auto numbers = metricNumbers(measured(7.0, 0.125));
    EXPECT_EQ(numberOf(numbers, "mean_distance"), 7.0);
    EXPECT_EQ(numberOf(numbers, "even_distance"), 14.0);
    EXPECT_EQ(numberOf(numbers, "start", "class_mass"), 0.5);
    EXPECT_EQ(numberOf(numbers, "start", "class_chance"), 0.125);
    EXPECT_FALSE(numberOf(numbers, "newline", "class_mass")); // no row sees one
    EXPECT_FALSE(numberOf(numbers, "newline", "class_chance"));
}

TEST(MetricTable, WhatWasNotMeasuredIsNoNumber) {
    const auto numbers = metricNumbers(HeadMetrics());
    EXPECT_FALSE(numberOf(numbers, "mean_distance"));
    EXPECT_FALSE(numberOf(numbers, "even_distance"));
    EXPECT_FALSE(numberOf(numbers, "content", "class_chance"));
}

TEST(MetricTable, MeansAreOverTheTextsThatGiveANumber) {
    const HeadMetrics near = measured(7.0, 0.125);
    const HeadMetrics far = measured(9.0, 0.375);
    const HeadMetrics none;
    const std::array<const HeadMetrics*, 3> texts{&near, &none, &far};
    const auto means = meanNumbers(texts);
    EXPECT_EQ(numberOf(means, "even_distance"), 16.0);
    EXPECT_EQ(numberOf(means, "start", "class_chance"), 0.25);
}

TEST(MetricTable, EveryNumberHasItsOwnNameAndGroupsStandTogether) {
    std::set<std::string> names;
    std::set<std::string_view> closed;
    std::string_view group;
    for (const MetricNumber& one : metricNumbers(HeadMetrics())) {
        EXPECT_TRUE(names.insert(std::string(one.group) + '.' + std::string(one.name)).second) << one.name;
        if (one.group == group) continue;
        if (!group.empty()) closed.insert(group);
        group = one.group;
        EXPECT_FALSE(closed.contains(group)) << group; // the writer of JSON opens each once
    }
}

} // namespace
} // namespace headscope
