// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/panels/inspector.h"
#include "ui/panels/measure_bar.h"
#include "ui/panels/pill.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

class ModelInspector : public testing::Test {
  protected:
    Inspector inspector;
    test::FakeModel model;
    TokenizedText text = test::fakeTokens("one two three four");

    void SetUp() override {
        inspector.resize(300, 800);
        inspector.show();
    }
    void show(int layer, int number, bool withDiagnosis = true) {
        inspector.setDiagnosis(withDiagnosis ? test::fakeDiagnosis(test::fakeProbes(8)) : nullptr,
                               [](std::size_t one) { return one != 7; });
        inspector.showHead({AttentionKind::Self, LayerIndex(layer), HeadIndex(number)}, result(layer, number),
                           *text.axis, model.spec().stacks.front());
    }
    HeadResult result(int layer, int number) const {
        HeadResult head = test::fakeHead(layer, number, text.axis->size());
        head.causes = causes;
        return head;
    }
    std::string words() const {
        QStringList all;
        for (const QLabel* label : inspector.findChildren<QLabel*>()) all << label->text();
        return all.join(QLatin1Char('\n')).toStdString();
    }
    bool says(const char* what) const { return words().find(what) != std::string::npos; }
    std::vector<std::pair<std::string, PillLook>> pills() const {
        std::vector<std::pair<std::string, PillLook>> all;
        for (const Pill* pill : inspector.findChildren<Pill*>())
            all.emplace_back(pill->text().toStdString(), pill->look());
        return all;
    }
    std::vector<Cause> causes;
};

TEST_F(ModelInspector, TellsTheModelFromTheText) {
    show(1, 1);
    const std::vector<std::pair<std::string, PillLook>> expected{{"Sink · confirmed", PillLook::Filled},
                                                                 {"Local · likely", PillLook::Filled},
                                                                 {"Sink", PillLook::Outlined}};
    EXPECT_EQ(pills(), expected);
    EXPECT_TRUE(says("Of the model"));
    EXPECT_TRUE(says("over 8 texts"));
    EXPECT_TRUE(says("On this text"));
}

TEST_F(ModelInspector, WithoutADiagnosisThereIsTheTextAlone) {
    show(1, 1, false);
    const std::vector<std::pair<std::string, PillLook>> expected{{"Sink", PillLook::Outlined}};
    EXPECT_EQ(pills(), expected);
    EXPECT_FALSE(says("Of the model"));
}

TEST_F(ModelInspector, SaysScoreThresholdTextsAndBound) {
    show(1, 1);
    EXPECT_TRUE(says("Sink on probe over 8 texts"));
    const auto bars = inspector.findChildren<MeasureBar*>();
    ASSERT_FALSE(bars.isEmpty());
    EXPECT_EQ(bars[0]->row().value, QStringLiteral("0.700"));
    EXPECT_EQ(bars[0]->row().condition, QStringLiteral("≥ 0.30"));
    EXPECT_TRUE(bars[0]->toolTip().contains(QStringLiteral("a paper")));
    // Wilson's bound of 8 of 8: 1 / (1 + 1.96² / 8) = 0.676.
    EXPECT_TRUE(says("On 8 of 8 texts: confirmed. With 95 % confidence on 0.68 or more of all such texts."));
    EXPECT_TRUE(says("Weakest on"));
    EXPECT_TRUE(says("Collapsed: it takes several checkpoints."));
}

TEST_F(ModelInspector, AHeadWithoutALabelIsCalledMixedOrUntested) {
    show(0, 1);
    EXPECT_TRUE(says("Mixed: no label holds on a fifth of the texts or more."));
    show(1, 0);
    EXPECT_TRUE(says("Mixed: no label holds on half of the texts."));
    EXPECT_TRUE(says("it varies with the text"));
    show(1, 2);
    EXPECT_TRUE(says("No text was long enough to test any label."));
}

TEST_F(ModelInspector, MixedBesideASureLabelSaysWhatEachIsOf) {
    auto diagnosis = std::make_shared<Diagnosis>(*test::fakeDiagnosis(test::fakeProbes(8)));
    HeadLabel broad = diagnosis->heads[4].diagnosis.labels[0]; // sink on 8 of 8
    ASSERT_EQ(broad.confidence, Confidence::Confirmed);
    broad.label = Label::Broad;
    broad.detail.clear();
    diagnosis->heads[4].diagnosis.labels = {broad};
    diagnosis->heads[4].diagnosis.primary = Label::Mixed;
    inspector.setDiagnosis(diagnosis, {});
    inspector.showHead({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}, result(1, 1), *text.axis,
                       model.spec().stacks.front());
    EXPECT_EQ(pills().front().first, "Broad · confirmed");
    EXPECT_TRUE(says("Mixed in what it reads: no flag or pattern holds on half of the texts. "
                     "Besides, it is broad."));
    EXPECT_FALSE(says("no label holds"));
}

TEST_F(ModelInspector, OpensTheWeakestTextWhereItIsAText) {
    auto diagnosis = std::make_shared<Diagnosis>(*test::fakeDiagnosis(test::fakeProbes(8)));
    diagnosis->heads[4].diagnosis.labels[0].worst = 2;
    inspector.setDiagnosis(diagnosis, [](std::size_t one) { return one == 2; });
    inspector.showHead({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}, result(1, 1), *text.axis,
                       model.spec().stacks.front());
    QSignalSpy opened(&inspector, &Inspector::textOpened);
    const auto buttons = inspector.findChildren<QPushButton*>();
    ASSERT_EQ(buttons.size(), 2);
    EXPECT_EQ(buttons[0]->text(), QStringLiteral("probe/2"));
    EXPECT_TRUE(buttons[0]->isEnabled());
    buttons[0]->click();
    ASSERT_EQ(opened.size(), 1);
    EXPECT_EQ(opened[0][0].value<std::size_t>(), 2U);
    EXPECT_FALSE(buttons[1]->isEnabled()) << "made of ids";
}

TEST_F(ModelInspector, CausesFollowTheVerdict) {
    causes = {{"states_alike", "All tokens look alike to this layer: cosine 0.99."}};
    show(1, 1, false);
    EXPECT_TRUE(says("All tokens look alike to this layer: cosine 0.99."));
    const std::string all = words();
    EXPECT_LT(all.find(inspector.verdict().toStdString()), all.find("All tokens look alike"));
    EXPECT_LT(all.find("All tokens look alike"), all.find("Numbers"));
}

TEST_F(ModelInspector, AShortTextSaysSoBesideTheModelsLabels) {
    HeadResult head = result(1, 1);
    Finding tooShort;
    tooShort.label = Label::InsufficientEvidence;
    tooShort.fires = true;
    head.verdict = {};
    head.verdict.findings = {tooShort};
    inspector.setDiagnosis(test::fakeDiagnosis(test::fakeProbes(8)), {});
    inspector.showHead({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}, head, *text.axis,
                       model.spec().stacks.front());
    EXPECT_EQ(pills().front().first, "Sink · confirmed");
    EXPECT_TRUE(says("Too little text to judge a head"));
}

TEST_F(ModelInspector, WithoutATextTheModelsLabelsStay) {
    inspector.setDiagnosis(test::fakeDiagnosis(test::fakeProbes(8)), {});
    inspector.showUnread({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}, QStringLiteral("Type a text."));
    EXPECT_EQ(pills().size(), 2U);
    EXPECT_TRUE(says("Type a text."));
    EXPECT_TRUE(says("Head 1.1"));
    inspector.setDiagnosis(nullptr, {});
    inspector.showUnread({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}, QStringLiteral("Type a text."));
    EXPECT_TRUE(pills().empty());
    EXPECT_TRUE(says("Type a text."));
}

} // namespace
} // namespace headscope::ui
