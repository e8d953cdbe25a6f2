// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/charts/chart_support.h"
#include "ui/charts/diagnosis_charts.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace headscope::ui::test {
namespace {

DiagnosedHead headWith(int layer, int head, std::vector<MetricNumber> metrics) {
    DiagnosedHead result;
    result.ref = headAt(layer, head);
    result.metrics = std::move(metrics);
    return result;
}

HeadLabel labelOf(Label label, Confidence confidence) {
    HeadLabel result;
    result.label = label;
    result.confidence = confidence;
    return result;
}

TEST(DiagnosisCharts, TakeTheMeansOfTheirKindAlone) {
    Diagnosis diagnosis;
    diagnosis.heads.push_back(headWith(0, 0,
                                       {{"kl_to_uniform", "", 1.25},
                                        {"top_column_mass", "", 0.5},
                                        {"mean_distance", "", 4.0},
                                        {"even_distance", "", 21.0}}));
    diagnosis.heads.push_back(headWith(0, 1, {{"kl_to_uniform", "", std::nullopt}}));
    diagnosis.heads.push_back(headWith(0, 0, {{"kl_to_uniform", "", 9.0}}));
    diagnosis.heads.back().ref.kind = AttentionKind::Cross;
    const auto entropy = entropyPoints(diagnosis, AttentionKind::Self);
    ASSERT_EQ(entropy.size(), 2U);
    EXPECT_EQ(entropy[0].value, 1.25);
    EXPECT_FALSE(entropy[1].value);
    EXPECT_EQ(sinkPoints(diagnosis, AttentionKind::Self)[0].value, 0.5);
    const auto distance = distancePoints(diagnosis, AttentionKind::Self);
    EXPECT_EQ(distance[0].value, 4.0);
    EXPECT_EQ(distance[0].even, 21.0);
    EXPECT_FALSE(distance[1].even);
    EXPECT_EQ(entropyPoints(diagnosis, AttentionKind::Cross)[0].value, 9.0);
}

TEST(DiagnosisCharts, ALearnedSinkThatTakesMoreIsShownAndNamed) {
    Diagnosis diagnosis;
    diagnosis.heads.push_back(headWith(0, 0, {{"top_column_mass", "", 0.2}, {"virtual_sink", "", 0.6}}));
    diagnosis.heads.push_back(headWith(0, 1, {{"top_column_mass", "", 0.7}, {"virtual_sink", "", 0.6}}));
    const auto points = sinkPoints(diagnosis, AttentionKind::Self);
    EXPECT_EQ(points[0].value, 0.6);
    EXPECT_EQ(points[0].note, QStringLiteral("the learned sink, which is no token"));
    EXPECT_EQ(points[1].value, 0.7);
    EXPECT_TRUE(points[1].note.isEmpty());
}

TEST(DiagnosisCharts, AFlagNeedsMoreThanSomeTexts) {
    Diagnosis diagnosis;
    diagnosis.heads.push_back(headWith(0, 0, {{"kl_to_uniform", "", 1.0}}));
    diagnosis.heads[0].diagnosis.primary = Label::PreviousToken;
    diagnosis.heads[0].diagnosis.labels = {labelOf(Label::PreviousToken, Confidence::Confirmed),
                                           labelOf(Label::Sink, Confidence::InputDependent)};
    EXPECT_EQ(entropyPoints(diagnosis, AttentionKind::Self)[0].label, Label::PreviousToken);
    diagnosis.heads[0].diagnosis.labels[1].confidence = Confidence::Likely;
    EXPECT_EQ(entropyPoints(diagnosis, AttentionKind::Self)[0].label, Label::Sink);
    diagnosis.heads[0].diagnosis.labels.push_back(labelOf(Label::Stuck, Confidence::Observed));
    EXPECT_EQ(entropyPoints(diagnosis, AttentionKind::Self)[0].label, Label::Stuck);
}

TEST(DiagnosisCharts, DotsOfALabelKeepTheOrderOfTheTexts) {
    Diagnosis diagnosis;
    for (const char* name : {"prose", "code", "list"}) {
        diagnosis.texts.emplace_back();
        diagnosis.texts.back().name = name;
    }
    HeadLabel label = labelOf(Label::Stuck, Confidence::InputDependent);
    label.score = 0.6;
    label.measures = {{"modal_share", 0.9, 0.95, false, "", ""}, {"column_mass", 0.6, 0.9, false, "", ""}};
    label.texts = {1, 2};
    label.onTexts = {{.text = 2, .fires = true, .score = 0.95, .column = 0},
                     {.text = 0, .fires = false, .score = 0.25, .column = 3}};
    label.worst = 0;
    const TextDots dots = textDots(diagnosis, label);
    ASSERT_EQ(dots.dots.size(), 3U);
    EXPECT_EQ(dots.dots[0].name, QStringLiteral("prose"));
    EXPECT_EQ(dots.dots[0].score, 0.25);
    EXPECT_TRUE(dots.dots[0].isWorst);
    EXPECT_FALSE(dots.dots[1].score);
    EXPECT_TRUE(dots.dots[2].fires);
    // The measure that the score is.
    EXPECT_EQ(dots.threshold, 0.9);
    EXPECT_EQ(dots.measure, QStringLiteral("Weight on the top key"));
    label.score = 0.5; // of none
    EXPECT_FALSE(textDots(diagnosis, label).threshold);
}

TEST(DiagnosisCharts, ClassesThatNoRowSeesStayUntested) {
    HeadMetrics metrics;
    EXPECT_TRUE(classBars(metrics).empty());
    metrics.tokens = TokenMetrics();
    ClassMass& start = metrics.tokens->classes[static_cast<std::size_t>(TokenClass::Start)];
    start.rows = 30;
    start.mass = 0.8;
    start.chance = 0.05;
    const auto bars = classBars(metrics);
    ASSERT_EQ(bars.size(), 5U);
    EXPECT_EQ(bars[0].mass, 0.8);
    EXPECT_EQ(bars[0].chance, 0.05);
    EXPECT_FALSE(bars[3].mass);
    EXPECT_FALSE(bars[3].chance);
    EXPECT_TRUE(classBars(headWith(0, 0, {{"content", "class_mass", std::nullopt}})).empty());
    const auto means =
        classBars(headWith(0, 0, {{"content", "class_mass", 0.4}, {"content", "class_chance", 0.9}}));
    EXPECT_EQ(means[4].mass, 0.4);
    EXPECT_EQ(means[4].chance, 0.9);
}

/// Causal, and each row even.
class CausalMap final : public HeadMap {
  public:
    explicit CausalMap(std::int64_t size) : m_size(size) {}
    Extent extent() const override { return {m_size, m_size}; }
    void tile(Span, Span, MatrixView<float>) const override {}
    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override { out = {{0, row + 1}}; }

  private:
    std::int64_t m_size;
};

HeadMetrics withBins(std::int64_t rows) {
    HeadMetrics metrics;
    metrics.rows = rows;
    metrics.offsets = OffsetMetrics();
    metrics.offsets->histogram = {{-11, -2, 0.25}, {-1, -1, 0.5}, {0, 0, 0.25}, {1, 1, 0.0}};
    return metrics;
}

TEST(DiagnosisCharts, OffsetsStandBesideEvenWeightsOfTheSameRows) {
    // Rows 7 to 11 of 12 see 8 to 12 keys.
    const auto bars = offsetBars(withBins(5), CausalMap(12));
    ASSERT_EQ(bars.size(), 4U);
    double one = 0.0;
    for (const double keys : {8.0, 9.0, 10.0, 11.0, 12.0}) one += 1.0 / keys / 5.0;
    EXPECT_EQ(bars[1].mass, 0.5);
    ASSERT_TRUE(bars[1].even);
    EXPECT_NEAR(*bars[1].even, one, 1e-12);
    EXPECT_NEAR(*bars[2].even, one, 1e-12);
    EXPECT_NEAR(*bars[0].even, 1.0 - 2.0 * one, 1e-12);
    EXPECT_EQ(*bars[3].even, 0.0);
}

TEST(DiagnosisCharts, EvenWeightsOfOtherRowsAreNotShown) {
    const auto bars = offsetBars(withBins(4), CausalMap(12));
    ASSERT_EQ(bars.size(), 4U);
    for (const OffsetBar& bar : bars) EXPECT_FALSE(bar.even);
    HeadMetrics cross;
    cross.rows = 5;
    EXPECT_TRUE(offsetBars(cross, CausalMap(12)).empty());
}

} // namespace
} // namespace headscope::ui::test
