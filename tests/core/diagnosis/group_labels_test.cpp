// SPDX-License-Identifier: GPL-3.0-or-later
// Labels that take the other heads: inactive by rank, redundant by likeness on most texts.
#include "core/diagnosis/group_labels.h"
#include "tests/core/diagnosis/texts_fixture.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <utility>

namespace headscope::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Heads whose output norms are given; their maps are noise.
struct Group {
    explicit Group(const std::vector<std::vector<std::optional<double>>>& ratios, int tokens = 64) {
        for (const auto& ofHead : ratios) {
            auto& head = heads.emplace_back(std::make_unique<HeadOnTexts>());
            for (std::size_t t = 0; t < ofHead.size(); ++t) {
                head->add(words(tokens, static_cast<unsigned>(t)),
                          noiseScores(1.5, tokens, tokens, static_cast<unsigned>(t)));
                head->metrics(t).outputNormRatio = ofHead[t];
            }
            onTexts.push_back(head->onTexts());
        }
        for (std::size_t h = 0; h < heads.size(); ++h) diagnoses.push_back(judgeTexts(onTexts[h]));
        for (std::size_t h = 0; h < heads.size(); ++h)
            group.push_back(
                {.name = fmt::format("0.{}", h), .onTexts = onTexts[h], .diagnosis = &diagnoses[h]});
    }
    std::vector<Label> labels(std::size_t head) const { return labelsOf(diagnoses[head]); }

    std::vector<std::unique_ptr<HeadOnTexts>> heads;
    std::vector<std::vector<HeadOnText>> onTexts;
    std::vector<HeadDiagnosis> diagnoses;
    std::vector<GroupedHead> group;
};

std::vector<std::vector<std::optional<double>>> ratiosOf(const std::vector<double>& heads,
                                                         std::size_t texts = 2) {
    std::vector<std::vector<std::optional<double>>> result;
    for (const double ratio : heads) result.emplace_back(texts, ratio);
    return result;
}

TEST(Inactive, IsLowInItsLayerAndAmongTheLowestTenth) {
    Group four(ratiosOf({0.07, 1.3, 1.3, 1.33}));
    addInactive(four.group);
    EXPECT_THAT(four.labels(0), Contains(Label::Inactive));
    EXPECT_THAT(four.labels(1), Not(Contains(Label::Inactive)));
    const HeadLabel& label = *four.diagnoses[0].find(Label::Inactive);
    EXPECT_EQ(label.confidence, Confidence::Observed); // without an ablation never more
    EXPECT_NEAR(label.score, 0.07, 1e-12);
    // A tenth of eleven heads is two of them, the third lowest is none of them.
    Group eleven(ratiosOf({0.4, 0.3, 0.45, 1, 1, 1, 1, 1, 1, 1, 1}));
    addInactive(eleven.group);
    EXPECT_THAT(eleven.labels(0), Contains(Label::Inactive));
    EXPECT_THAT(eleven.labels(1), Contains(Label::Inactive));
    EXPECT_THAT(eleven.labels(2), Not(Contains(Label::Inactive)));
    Group bound(ratiosOf({0.5, 1, 1, 1}));
    addInactive(bound.group);
    EXPECT_THAT(bound.labels(0), Contains(Label::Inactive));
    Group above(ratiosOf({0.51, 1, 1, 1}));
    addInactive(above.group);
    EXPECT_THAT(above.labels(0), Not(Contains(Label::Inactive)));
}

TEST(Inactive, IsNotTestedWithoutValuesOrWithFewHeads) {
    const auto reasonOf = [](const Group& group) {
        for (const NotTested& one : group.diagnoses[0].notTested)
            if (one.label == Label::Inactive) return one.reason;
        return std::string();
    };
    Group three(ratiosOf({0.1, 1, 1}));
    addInactive(three.group);
    EXPECT_EQ(reasonOf(three), "the model has fewer than 4 heads of this kind");
    Group unknown({{std::nullopt}, {std::nullopt}, {std::nullopt}, {std::nullopt}});
    addInactive(unknown.group);
    EXPECT_FALSE(reasonOf(unknown).empty());
    Group tooShort(ratiosOf({0.1, 1, 1, 1}), 12);
    addInactive(tooShort.group);
    EXPECT_FALSE(reasonOf(tooShort).empty());
}

PairSimilarity pair(std::size_t first, std::size_t second, double divergence, double kl = 1.0) {
    return {.first = first,
            .second = second,
            .rows = 40,
            .divergence = divergence,
            .firstKl = kl,
            .secondKl = kl};
}

PairsOnText pairsOn(std::vector<PairSimilarity> close, std::size_t heads = 3) {
    PairsOnText text{std::move(close), {}};
    for (std::size_t first = 0; first < heads; ++first) text.tested.emplace_back(heads - first - 1, true);
    return text;
}

TEST(Redundant, HoldsOnFourFifthsOfTheTextsThatCouldTell) {
    Group group(ratiosOf({1, 1, 1}, 6));
    std::vector<PairsOnText> texts;
    for (int t = 0; t < 4; ++t)
        texts.push_back(pairsOn({pair(0, 1, 0.001 * (t + 1), 0.75 + 0.1 * t), pair(1, 2, 0.01)}));
    texts.push_back(pairsOn({}));
    texts.push_back(pairsOn({}));
    texts.back().tested[0][0] = false; // 0 and 1 kept too little beside their sinks
    const std::vector<RedundantPair> pairs = addRedundant(group.group, texts);
    ASSERT_EQ(pairs.size(), 1U); // 1 and 2 on four of six
    EXPECT_EQ(pairs[0].texts.fired, 4);
    EXPECT_EQ(pairs[0].texts.tested, 5);
    EXPECT_NEAR(pairs[0].divergence, 0.001, 1e-12);
    for (const std::size_t head : {0U, 1U}) {
        const HeadLabel* label = group.diagnoses[head].find(Label::Redundant);
        ASSERT_NE(label, nullptr);
        EXPECT_EQ(label->detail, head == 0 ? "0.1" : "0.0");
        EXPECT_EQ(label->confidence, Confidence::Likely);
        ASSERT_EQ(label->measures.size(), 2U);
        EXPECT_EQ(label->measures[1].name, "sink_excluded_kl");
        EXPECT_NEAR(label->measures[1].value, 0.75, 1e-12); // of the nearest text, the flatter of the two
    }
    EXPECT_THAT(group.labels(2), Not(Contains(Label::Redundant)));
}

TEST(Redundant, FlatRestsAndLargerDivergencesAreNot) {
    Group group(ratiosOf({1, 1, 1}));
    const std::vector<PairsOnText> texts{pairsOn({pair(0, 1, 0.0, 0.24), pair(0, 2, 0.0201)})};
    EXPECT_THAT(addRedundant(group.group, texts), IsEmpty());
    const std::vector<PairsOnText> bounds{pairsOn({pair(0, 1, 0.02, 0.25)})};
    EXPECT_EQ(addRedundant(group.group, bounds).size(), 1U);
}

TEST(Redundant, IsNotTestedWhereNoPairCouldTell) {
    Group group(ratiosOf({1, 1, 1}));
    PairsOnText none = pairsOn({});
    none.tested = {{false, true}, {false}, {}};
    addRedundant(group.group, std::vector<PairsOnText>{none});
    const auto untested = [&](std::size_t head) {
        for (const NotTested& one : group.diagnoses[head].notTested)
            if (one.label == Label::Redundant) return true;
        return false;
    };
    EXPECT_FALSE(untested(0));
    EXPECT_TRUE(untested(1));
    EXPECT_FALSE(untested(2));
}

std::string redundancyUntested(const HeadDiagnosis& head) {
    for (const NotTested& one : head.notTested)
        if (one.label == Label::Redundant) return one.reason;
    return {};
}

TEST(Redundant, TextsTooShortForAFlagTestNoPair) {
    // 24 keys leave 17 rows, enough to compare, not enough for a flag.
    Group tooShort(ratiosOf({1, 1, 1}), 24);
    const std::vector<PairsOnText> alike{pairsOn({pair(0, 1, 0.0)}), pairsOn({pair(0, 1, 0.0)})};
    EXPECT_THAT(addRedundant(tooShort.group, alike), IsEmpty());
    for (HeadDiagnosis& head : tooShort.diagnoses) {
        EXPECT_THAT(redundancyUntested(head), HasSubstr("long enough"));
        choosePrimary(head);
        EXPECT_EQ(head.primary, Label::InsufficientEvidence);
    }
    // Of a short and a long text the long one alone counts.
    Group both(ratiosOf({1, 1, 1}));
    HeadOnTexts shortText;
    shortText.add(words(24, 0), noiseScores(1.5, 24, 24, 0));
    for (std::vector<HeadOnText>& onTexts : both.onTexts) onTexts[0] = shortText.onTexts()[0];
    const std::vector<PairsOnText> onlyShort{pairsOn({pair(0, 1, 0.0)}), pairsOn({})};
    EXPECT_THAT(addRedundant(both.group, onlyShort), IsEmpty());
    const std::vector<PairsOnText> onlyLong{pairsOn({}), pairsOn({pair(0, 1, 0.01)})};
    const std::vector<RedundantPair> pairs = addRedundant(both.group, onlyLong);
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0].texts.fired, 1);
    EXPECT_EQ(pairs[0].texts.tested, 1);
}

} // namespace
} // namespace headscope::test
