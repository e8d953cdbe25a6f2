// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/labels.h"
#include "tests/core/diagnosis/synthetic_head.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace headscope {
namespace {

using headscope::test::causalMask;
using headscope::test::fullMask;
using headscope::test::noiseScores;
using headscope::test::ScoreFunction;
using headscope::test::SyntheticHead;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAreArray;

constexpr std::int64_t kTokens = 97;

const Finding& findingOf(const Verdict& verdict, Label label) {
    for (const Finding& finding : verdict.findings)
        if (finding.label == label) return finding;
    throw std::logic_error("label was not tested");
}

/// Scores of a head that puts `logit` on one key and 0 on all others.
ScoreFunction keyScores(std::int64_t key, double logit) {
    return [=](std::int64_t, std::int64_t j) { return j == key ? logit : 0.0; };
}

class Recipes : public ::testing::TestWithParam<bool> {
  protected:
    MaskRule mask() const { return GetParam() ? causalMask(kTokens) : fullMask(kTokens, kTokens); }
    HeadMetrics metrics(const ScoreFunction& score) const { return SyntheticHead(mask(), score).metrics(); }
};
INSTANTIATE_TEST_SUITE_P(Masks, Recipes, ::testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "causal" : "bidirectional"; });

TEST_P(Recipes, EvenHeadIsUniformAndNothingElse) {
    const HeadMetrics found = metrics(keyScores(0, 0.0));
    const Verdict verdict = judge(found);
    EXPECT_NEAR(found.klToUniform, 0.0, 1e-6);
    EXPECT_THAT(verdict.flags(), ElementsAre(Label::Uniform));
    EXPECT_NEAR(findingOf(verdict, Label::Uniform).score, 0.0, 1e-6);
    EXPECT_DOUBLE_EQ(found.column->modalShare, 1.0) << "ties make the argmax look fixed";
}

TEST_P(Recipes, NearlyEvenHeadIsUniform) {
    const HeadMetrics found = metrics(noiseScores(0.3, kTokens, kTokens));
    EXPECT_NEAR(found.klToUniform, 0.043, 0.006);
    EXPECT_THAT(judge(found).flags(), ElementsAre(Label::Uniform));
}

TEST_P(Recipes, ContentNoiseHasNoFlag) {
    const HeadMetrics found = metrics(noiseScores(1.0, kTokens, kTokens));
    EXPECT_NEAR(found.klToUniform, 0.45, 0.05);
    EXPECT_NEAR(found.normalizedEntropy, 0.88, 0.03);
    EXPECT_LT(found.column->mass, 0.08);
    EXPECT_THAT(judge(found).flags(), IsEmpty());
}

TEST_P(Recipes, SharpNoiseHasNoFlag) {
    for (unsigned seed = 1; seed <= 20; ++seed)
        for (const double spread : {2.0, 4.0, 6.0})
            EXPECT_THAT(judge(metrics(noiseScores(spread, kTokens, kTokens, seed))).flags(), IsEmpty())
                << seed << " " << spread;
}

TEST_P(Recipes, FirstPositionSinkIsStuckToo) {
    const HeadMetrics found = metrics(keyScores(0, 8.0));
    EXPECT_GT(found.column->mass, 0.95);
    EXPECT_EQ(found.column->column, 0);
    EXPECT_THAT(judge(found).flags(), ElementsAre(Label::Sink, Label::Stuck));
}

TEST_P(Recipes, WeakSinkIsNotStuck) {
    // Logit 4 against 96 even keys: 54.6 / (54.6 + 96) = 0.36 where all are seen, more in shorter causal
    // rows.
    const HeadMetrics found = metrics(keyScores(0, 4.0));
    EXPECT_GT(found.column->mass, 0.35);
    EXPECT_LT(found.column->mass, 0.60);
    EXPECT_THAT(judge(found).flags(), ElementsAre(Label::Sink));
}

TEST_P(Recipes, StuckElsewhere) {
    const Verdict verdict = judge(metrics(keyScores(5, 9.0)));
    EXPECT_THAT(verdict.flags(), ElementsAre(Label::Sink, Label::Stuck));
    EXPECT_EQ(findingOf(verdict, Label::Sink).column, 5);
    EXPECT_EQ(findingOf(verdict, Label::Stuck).column, 5);
    EXPECT_GT(*findingOf(verdict, Label::Stuck).kappa, 0.95);
}

TEST_P(Recipes, SelfAndPreviousTokenHeadsAreNeitherSinkNorStuck) {
    for (const std::int64_t offset : {0, -1}) {
        const ScoreFunction score = [=](std::int64_t i, std::int64_t j) {
            return j == i + offset ? 16.0 : 0.0;
        };
        EXPECT_THAT(judge(metrics(score)).flags(), IsEmpty()) << offset;
    }
}

TEST_P(Recipes, DelimiterHeadIsASinkWhereOneColumnIsHeavyEnoughAndNeverStuck) {
    // All weight on every twelfth key, evenly: the argmax resolves to the first of them.
    const ScoreFunction score = [](std::int64_t, std::int64_t j) { return j % 12 == 11 ? 8.0 : 0.0; };
    const HeadMetrics found = metrics(score);
    const Verdict verdict = judge(found);
    EXPECT_EQ(found.column->column, 11);
    EXPECT_FALSE(findingOf(verdict, Label::Stuck).fires);
    EXPECT_FALSE(findingOf(verdict, Label::Uniform).fires);
    EXPECT_EQ(findingOf(verdict, Label::Sink).fires, GetParam()) << found.column->mass;
}

TEST(Labels, ShortTextsTestNothing) {
    for (const std::int64_t tokens : {1, 2, 7, 8, 31}) {
        for (const double logit : {0.0, 20.0}) {
            const Verdict verdict =
                judge(SyntheticHead(fullMask(tokens, tokens), keyScores(0, logit)).metrics());
            EXPECT_THAT(verdict.labels(), ElementsAre(Label::InsufficientEvidence)) << tokens;
            ASSERT_EQ(verdict.notTested.size(), 13U)
                << tokens; // all but induction and those of several texts
            EXPECT_THAT(verdict.notTested[0].reason, HasSubstr("at least 32")) << tokens;
            EXPECT_EQ(verdict.findings[0].measures[0].name, "keys");
        }
    }
}

/// "Not tested" is said of every label that such maps can show, and of no other.
TEST(Labels, ShortTextsSayOfEachLabelThatItIsNotTested) {
    const auto untested = [](const HeadMetrics& metrics) {
        std::vector<Label> labels;
        for (const NotTested& one : judge(metrics).notTested) labels.push_back(one.label);
        return labels;
    };
    const std::vector<Label> always{Label::Uniform,   Label::Sink,      Label::Stuck,
                                    Label::Delimiter, Label::Broadcast, Label::Broad};
    const std::vector<Label> ofPositions{Label::PreviousToken,  Label::Self,  Label::FixedOffset,
                                         Label::DuplicateToken, Label::Block, Label::Local};
    const auto with = [&](Label last) {
        std::vector<Label> labels = always;
        labels.insert(labels.end(), ofPositions.begin(), ofPositions.end());
        labels.push_back(last);
        return labels;
    };
    EXPECT_THAT(untested(SyntheticHead(causalMask(20), keyScores(0, 0.0)).metrics()),
                UnorderedElementsAreArray(with(Label::Induction)));
    EXPECT_THAT(untested(SyntheticHead(fullMask(20, 20), keyScores(0, 0.0)).metrics()),
                UnorderedElementsAreArray(with(Label::NextToken)));
    EXPECT_THAT(untested(SyntheticHead(fullMask(20, 20), keyScores(0, 0.0)).metrics(false)),
                UnorderedElementsAreArray(always));
}

TEST(Labels, ThirtyTwoTokensAreEnough) {
    EXPECT_THAT(judge(SyntheticHead(fullMask(32, 32), keyScores(0, 0.0)).metrics()).flags(),
                ElementsAre(Label::Uniform));
    EXPECT_THAT(judge(SyntheticHead(fullMask(32, 32), keyScores(0, 20.0)).metrics()).flags(),
                ElementsAre(Label::Sink, Label::Stuck));
    // Causal: rows 7 to 31 see eight keys or more, 25 rows.
    EXPECT_THAT(judge(SyntheticHead(causalMask(32), keyScores(0, 20.0)).metrics()).flags(),
                ElementsAre(Label::Sink, Label::Stuck));
}

TEST(Labels, FewQueriesTestNothing) {
    const Verdict verdict = judge(SyntheticHead(fullMask(23, 64), keyScores(0, 20.0)).metrics(false));
    EXPECT_THAT(verdict.labels(), ElementsAre(Label::InsufficientEvidence));
    EXPECT_THAT(verdict.notTested[2].reason, HasSubstr("23 queries"));
    EXPECT_THAT(judge(SyntheticHead(fullMask(24, 64), keyScores(0, 20.0)).metrics(false)).flags(),
                ElementsAre(Label::Sink, Label::Stuck));
}

TEST(Labels, NarrowWindowTestsUniformAlone) {
    MaskRule mask = causalMask(200);
    mask.window = 10;
    const Verdict verdict = judge(SyntheticHead(mask, keyScores(0, 0.0)).metrics());
    EXPECT_THAT(verdict.flags(), ElementsAre(Label::Uniform));
    std::vector<Label> untested;
    for (const NotTested& one : verdict.notTested) untested.push_back(one.label);
    EXPECT_THAT(untested,
                ElementsAre(Label::Sink, Label::Stuck, Label::Broadcast, Label::Local)); // hardly wider
    EXPECT_THAT(verdict.notTested[0].reason, HasSubstr("narrow window"));
}

TEST(Labels, EvenHeadIsUniformAtEveryLength) {
    // Length must not matter: random scores of spread 0.3 stay near D 0.045 and those of spread 1 near 0.5.
    for (const std::int64_t tokens : {64, 128, 512}) {
        const double nearlyEven =
            SyntheticHead(fullMask(tokens, tokens), noiseScores(0.3, tokens, tokens)).metrics().klToUniform;
        EXPECT_NEAR(nearlyEven, 0.045, 0.006) << tokens;
        EXPECT_THAT(judge(SyntheticHead(fullMask(tokens, tokens), noiseScores(1.0, tokens, tokens)).metrics())
                        .flags(),
                    IsEmpty())
            << tokens;
    }
}

HeadMetrics metricsWith(double kl, double eta, double tv) {
    HeadMetrics metrics;
    metrics.keys = 100;
    metrics.rows = 100;
    metrics.klToUniform = kl;
    metrics.normalizedEntropy = eta;
    metrics.tvToUniform = tv;
    metrics.column = ColumnMetrics{3, 99, 0.1, 0.01, 0.09, 0.2};
    return metrics;
}

TEST(Labels, UniformNeedsAllThreeMeasuresAndIncludesTheBounds) {
    EXPECT_THAT(judge(metricsWith(0.10, 0.95, 0.20)).flags(), ElementsAre(Label::Uniform));
    EXPECT_THAT(judge(metricsWith(0.1001, 0.95, 0.20)).flags(), IsEmpty());
    EXPECT_THAT(judge(metricsWith(0.10, 0.9499, 0.20)).flags(), IsEmpty());
    EXPECT_THAT(judge(metricsWith(0.10, 0.95, 0.2001)).flags(), IsEmpty());
}

TEST(Labels, SinkAndStuckBounds) {
    const auto labels = [](double mass, double modalShare, double kl) {
        HeadMetrics metrics = metricsWith(kl, 0.5, 0.5);
        metrics.column->mass = mass;
        metrics.column->modalShare = modalShare;
        return judge(metrics).flags();
    };
    EXPECT_THAT(labels(0.2999, 1.0, 1.0), IsEmpty());
    EXPECT_THAT(labels(0.30, 1.0, 1.0), ElementsAre(Label::Sink));
    EXPECT_THAT(labels(0.8999, 1.0, 1.0), ElementsAre(Label::Sink));
    EXPECT_THAT(labels(0.90, 0.95, 0.5), ElementsAre(Label::Sink, Label::Stuck));
    EXPECT_THAT(labels(0.90, 0.9499, 0.5), ElementsAre(Label::Sink));
    EXPECT_THAT(labels(0.90, 0.95, 0.4999), ElementsAre(Label::Sink));
}

TEST(Labels, EveryMeasureNamesItsSource) {
    const Verdict verdict = judge(metricsWith(1.0, 0.5, 0.5));
    ASSERT_EQ(verdict.findings.size(), 4U);
    EXPECT_EQ(verdict.findings[3].label, Label::Broad);
    EXPECT_EQ(verdict.findings[0].label, Label::Uniform);
    EXPECT_EQ(verdict.findings[1].label, Label::Sink);
    EXPECT_EQ(verdict.findings[2].label, Label::Stuck);
    for (const Finding& finding : verdict.findings) {
        EXPECT_FALSE(finding.measures.empty());
        for (const Measure& measure : finding.measures) EXPECT_FALSE(measure.source.empty()) << measure.name;
    }
    EXPECT_EQ(nameOf(Label::InsufficientEvidence), "insufficient_evidence");
    EXPECT_EQ(nameOf(Label::Stuck), "stuck");
}

} // namespace
} // namespace headscope
