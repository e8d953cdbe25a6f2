// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/causes.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

WeightFingerprint untrained() {
    return {.gainsAreOne = true, .biasesAreZero = true, .spread = 0.0203, .initializerRange = 0.02};
}

std::vector<std::string> namesOf(const std::vector<Cause>& causes) {
    std::vector<std::string> names;
    for (const Cause& one : causes) names.push_back(one.name);
    return names;
}

/// Nothing out of the ordinary.
CauseFacts ordinary() {
    return {.stateCosine = 0.4, .scale = 0.125, .headSize = 64, .productNorm = 20.0, .weights = {}};
}

std::vector<std::string> causesOfFlat(const CauseFacts& facts) {
    const HeadMetrics metrics = SyntheticHead(fullMask(64, 64), [](auto, auto) { return 0.0; }).metrics();
    return namesOf(causesOf(metrics, judge(metrics), facts));
}

TEST(Causes, FingerprintOfAnUntrainedLayer) {
    EXPECT_TRUE(untrained().looksUntrained());
    WeightFingerprint other = untrained();
    other.gainsAreOne = false;
    EXPECT_FALSE(other.looksUntrained());
    other = untrained();
    other.biasesAreZero = false;
    EXPECT_FALSE(other.looksUntrained());
    other = untrained();
    other.spread = 0.0207;
    EXPECT_FALSE(other.looksUntrained());
    other = untrained();
    other.gainsAreOne.reset(); // no norm of its own
    EXPECT_TRUE(other.looksUntrained());
    other.biasesAreZero.reset();
    EXPECT_FALSE(other.looksUntrained()) << "a spread alone tells nothing";
}

TEST(Causes, OfAFlatHeadAreSaidWhereTheyFit) {
    EXPECT_THAT(causesOfFlat(ordinary()), IsEmpty());
    CauseFacts facts = ordinary();
    facts.weights = untrained();
    EXPECT_THAT(causesOfFlat(facts), ElementsAre("untrained_weights"));
    facts = ordinary();
    facts.stateCosine = 0.95;
    EXPECT_THAT(causesOfFlat(facts), ElementsAre("states_alike"));
    facts.stateCosine = 0.949;
    EXPECT_THAT(causesOfFlat(facts), IsEmpty());
    facts = ordinary();
    facts.scale = 1.0 / 64; // 1/d instead of 1/sqrt(d)
    EXPECT_THAT(causesOfFlat(facts), ElementsAre("unusual_scale"));
    facts = ordinary();
    facts.productNorm = 0.3;
    EXPECT_THAT(causesOfFlat(facts), ElementsAre("short_vectors"));
}

TEST(Causes, OfAOneHotHeadNameTheRangeOfItsScores) {
    const HeadMetrics metrics = SyntheticHead(fullMask(64, 64), [](std::int64_t i, std::int64_t j) {
                                    return j == i ? 40.0 : 0.0;
                                }).metrics();
    CauseFacts facts = ordinary();
    std::vector<Cause> causes = causesOf(metrics, judge(metrics), facts);
    EXPECT_THAT(namesOf(causes), ElementsAre("saturated_softmax"));
    // 40 sqrt(63) / 64 = 4.96
    EXPECT_THAT(causes[0].sentence, HasSubstr("spread by 5.0"));
    EXPECT_THAT(causes[0].sentence, HasSubstr("100 % of the rows"));
    facts.scale = 1.0; // never divided by sqrt(d)
    EXPECT_THAT(namesOf(causesOf(metrics, judge(metrics), facts)),
                ElementsAre("saturated_softmax", "unusual_scale"));
}

TEST(Causes, AreNotLookedForInOtherHeads) {
    const HeadMetrics metrics = SyntheticHead(fullMask(64, 64), noiseScores(1.0, 64, 64)).metrics();
    EXPECT_FALSE(wantsCauses(metrics, judge(metrics)));
}

} // namespace
} // namespace headscope::test
