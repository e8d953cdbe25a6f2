// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/charts/entropy_chart.h"
#include "ui/format.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/inspector.h"
#include "ui/panels/measure_bar.h"
#include "ui/panels/model_panel.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/pill.h"
#include "ui/panels/text_box.h"
#include "ui/panels/text_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

QString wordsOf(const QWidget& widget) {
    QStringList words;
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        words << label->text();
    }
    return words.join(QLatin1Char('\n'));
}

TEST(Format, durations) {
    EXPECT_EQ(durationText(0.038), QStringLiteral("38 ms"));
    EXPECT_EQ(durationText(0.0001), QStringLiteral("1 ms"));
    EXPECT_EQ(durationText(1.94), QStringLiteral("1.9 s"));
    EXPECT_EQ(durationText(125.0), QStringLiteral("2 min 5 s"));
}

TEST(Format, countsOfWeights) {
    EXPECT_EQ(countText(0), QStringLiteral("0"));
    EXPECT_EQ(countText(999), QStringLiteral("999"));
    EXPECT_EQ(countText(24600), QStringLiteral("24.6 k"));
    EXPECT_EQ(countText(999'949), QStringLiteral("999.9 k"));
    EXPECT_EQ(countText(999'950), QStringLiteral("1.0 M"));
    EXPECT_EQ(countText(22'565'376), QStringLiteral("22.6 M"));
    EXPECT_EQ(countText(7'000'000'000), QStringLiteral("7.0 B"));
}

TEST(Format, smallNumbersStayVisible) {
    EXPECT_EQ(numberText(0.1234), QStringLiteral("0.123"));
    EXPECT_EQ(numberText(0.0), QStringLiteral("0.000"));
    EXPECT_EQ(numberText(0.00001234), QStringLiteral("1.2e-05"));
}

TEST(Format, familyLine) {
    EXPECT_EQ(familyText(test::FakeModel().spec()),
              QStringLiteral("fake · 2 layers × 3 heads · head size 16"));
}

TEST(TextBox, undoKeysPassThroughToTheWindow) {
    TextBox box;
    QSignalSpy spy(&box, &TextBox::edited);
    box.show();
    QTest::keyClicks(&box, QStringLiteral("ab"));
    EXPECT_EQ(spy.size(), 2);
    EXPECT_EQ(spy.back().front().toString(), QStringLiteral("ab"));
    QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
    undo.accept();
    QCoreApplication::sendEvent(&box, &undo);
    EXPECT_FALSE(undo.isAccepted());
    QKeyEvent left(QEvent::ShortcutOverride, Qt::Key_Left, Qt::ControlModifier);
    left.ignore();
    QCoreApplication::sendEvent(&box, &left);
    EXPECT_TRUE(left.isAccepted()) << "keys of editing stay with the box";
}

TEST(TextBox, showingTextIsNoEdit) {
    TextBox box;
    box.showText(QStringLiteral("one two three"));
    QSignalSpy spy(&box, &TextBox::edited);
    box.showText(QStringLiteral("one 2 three"));
    EXPECT_EQ(spy.size(), 0);
    EXPECT_EQ(box.toPlainText(), QStringLiteral("one 2 three"));
    EXPECT_EQ(box.textCursor().position(), 5) << "the cursor is where the change was";
}

TEST(TextPanel, saysCountLimitAndChoice) {
    TextPanel panel;
    panel.show();
    TextInput input;
    input.text = "a b c";
    panel.showCount(test::fakeTokens(input));
    EXPECT_EQ(panel.countText(), QStringLiteral("3 of 40 tokens"));
    auto* length = panel.findChild<QComboBox*>();
    ASSERT_NE(length, nullptr);
    EXPECT_FALSE(length->isVisible());

    for (int i = 0; i < 97; ++i) {
        input.text += " x";
    }
    panel.showCount(test::fakeTokens(input));
    EXPECT_EQ(panel.countText(), QStringLiteral("100 of 40 tokens: too long"));
    EXPECT_TRUE(length->isVisible());
    QSignalSpy chosen(&panel, &TextPanel::lengthChosen);
    length->setCurrentIndex(2);
    Q_EMIT length->activated(2);
    ASSERT_EQ(chosen.size(), 1);
    EXPECT_EQ(chosen.back().at(0).value<LengthPolicy>(), LengthPolicy::Piece);

    ViewState state;
    state.length = LengthPolicy::Piece;
    state.piece = 2;
    panel.showState(state);
    input.length = LengthPolicy::Piece;
    input.piece = 2;
    panel.showCount(test::fakeTokens(input));
    EXPECT_EQ(panel.countText(), QStringLiteral("100 of 40 tokens, 20 used"));
    EXPECT_EQ(panel.findChild<QSpinBox*>()->value(), 3) << "pieces are counted from 1 on screen";
}

TEST(TextPanel, theMainButtonRunsOrCancels) {
    TextPanel panel;
    QSignalSpy run(&panel, &TextPanel::runRequested);
    QSignalSpy cancel(&panel, &TextPanel::cancelRequested);
    QPushButton* button = nullptr;
    for (QPushButton* one : panel.findChildren<QPushButton*>()) {
        if (one->text() == QStringLiteral("Run")) button = one;
    }
    ASSERT_NE(button, nullptr);
    EXPECT_FALSE(button->isEnabled());
    panel.setCanRun(true);
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(run.size(), 1);
    panel.setBusy(true);
    EXPECT_EQ(button->text(), QStringLiteral("Cancel"));
    QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(cancel.size(), 1);
}

TEST(ModelPanel, greysTheGpuWithItsReason) {
    ModelPanel without(false);
    auto* box = without.findChild<QComboBox*>();
    auto* items = qobject_cast<QStandardItemModel*>(box->model());
    EXPECT_FALSE(items->item(2)->isEnabled());
    EXPECT_TRUE(box->itemText(2).contains(QStringLiteral("no CUDA device")));
    ModelPanel with(true);
    items = qobject_cast<QStandardItemModel*>(with.findChild<QComboBox*>()->model());
    EXPECT_TRUE(items->item(2)->isEnabled());
}

TEST(ModelPanel, namesTheModel) {
    ModelPanel panel(false);
    EXPECT_TRUE(panel.summary().contains(QStringLiteral("No model open")));
    panel.showModel(test::fakeModel("/m/little"));
    EXPECT_TRUE(
        panel.summary().startsWith(QStringLiteral("little\nfake · 2 layers × 3 heads · head size 16")));
    EXPECT_TRUE(panel.summary().endsWith(QStringLiteral(" · 1.2 M weights")));
}

TEST(ErrorBanner, showsAndDismisses) {
    ErrorBanner banner;
    QSignalSpy spy(&banner, &ErrorBanner::shownChanged);
    banner.show({QStringLiteral("x: <b>broken</b>."), QStringLiteral("Try y."), false});
    EXPECT_EQ(banner.sentence(), QStringLiteral("x: <b>broken</b>."));
    EXPECT_EQ(banner.hint(), QStringLiteral("Try y."));
    QTest::mouseClick(banner.findChild<QToolButton*>(), Qt::LeftButton);
    EXPECT_EQ(banner.sentence(), QString());
    EXPECT_EQ(spy.size(), 2);
}

TEST(Inspector, saysVerdictEvidenceAndNumbers) {
    const auto tokens = test::fakeTokens("alpha beta gamma delta");
    HeadResult head = test::fakeHead(1, 1, 4);
    head.verdict.notTested = {{Label::Uniform, "because"}, {Label::Stuck, "because"}};
    Inspector inspector;
    inspector.showHead({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}, head, *tokens.axis,
                       test::FakeModel().spec().stacks[0]);
    EXPECT_TRUE(inspector.verdict().contains(QStringLiteral("“gamma”, token 2 of 4")));
    const QString words = wordsOf(inspector);
    EXPECT_TRUE(words.contains(QStringLiteral("Head 1.1")));
    EXPECT_TRUE(words.contains(QStringLiteral("A paper"))) << words.toStdString();
    EXPECT_TRUE(words.contains(QStringLiteral("Uniform, Stuck: because.")));
    EXPECT_TRUE(words.contains(QStringLiteral("gamma (2)")));
    const auto bars = inspector.findChildren<MeasureBar*>();
    ASSERT_EQ(bars.size(), 1);
    EXPECT_EQ(bars[0]->row().value, QStringLiteral("0.500"));
    EXPECT_EQ(bars[0]->row().condition, QStringLiteral("≥ 0.30"));
    EXPECT_DOUBLE_EQ(bars[0]->row().tick, 0.3);
    EXPECT_TRUE(bars[0]->row().holds);
}

TEST(Inspector, saysWhatAHeadReads) {
    const auto tokens = test::fakeTokens("alpha beta gamma delta");
    HeadResult head = test::fakeHead(1, 1, 4);
    head.verdict = {};
    Finding previous;
    previous.label = Label::PreviousToken;
    previous.fires = true;
    previous.score = 0.95;
    previous.measures = {{"previous_mass", 0.95, 0.5, false, "", "a paper"}};
    Finding local = previous;
    local.label = Label::Local;
    local.fires = false;
    head.verdict.findings = {previous, local};
    head.metrics.offsets = OffsetMetrics();
    head.metrics.offsets->previous = {.rows = 40, .mass = 0.95, .chance = 0.02};
    head.metrics.offsets->meanDistance = 1.25;
    Inspector inspector;
    inspector.showHead({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}, head, *tokens.axis,
                       test::FakeModel().spec().stacks[0]);
    const QString words = wordsOf(inspector);
    EXPECT_TRUE(words.contains(QStringLiteral("Each token reads the one before it (0.95 of the weight).")));
    EXPECT_TRUE(words.contains(QStringLiteral("Previous token on this text")));
    EXPECT_FALSE(words.contains(QStringLiteral("Local"))) << "patterns that do not hold are no news";
    EXPECT_TRUE(words.contains(QStringLiteral("0.950\n"))) << qPrintable(words);
    EXPECT_TRUE(words.contains(QStringLiteral("Mean distance\n1.2 tokens")) ||
                words.contains(QStringLiteral("Mean distance\n1.3 tokens")));
    EXPECT_FALSE(words.contains(QStringLiteral("Next token"))) << "no row has one";
}

TEST(Inspector, flagsThatDoNotHoldComeAfterTheNumbersWithoutBars) {
    const auto tokens = test::fakeTokens("alpha beta gamma delta");
    HeadResult head = test::fakeHead(1, 1, 4);
    Finding uniform;
    uniform.label = Label::Uniform;
    uniform.measures = {{"kl_to_uniform", 1.6, 0.1, true, "nats", "another paper"}};
    head.verdict.findings.insert(head.verdict.findings.begin(), uniform);
    Inspector inspector;
    inspector.showHead({AttentionKind::Self, LayerIndex(1), HeadIndex(1)}, head, *tokens.axis,
                       test::FakeModel().spec().stacks[0]);
    const QString words = wordsOf(inspector);
    const auto evidence = words.indexOf(QStringLiteral("Sink on this text"));
    const auto numbers = words.indexOf(QStringLiteral("Numbers"));
    const auto unmet = words.indexOf(QStringLiteral("Not uniform"));
    EXPECT_GE(evidence, 0);
    EXPECT_LT(evidence, numbers);
    EXPECT_LT(numbers, unmet);
    EXPECT_TRUE(words.mid(unmet).contains(QStringLiteral("KL to uniform\n≤ 0.10\n1.600")))
        << words.toStdString();
    EXPECT_EQ(inspector.findChildren<MeasureBar*>().size(), 1);
}

TEST(OverviewCard, countsFlags) {
    OverviewCard card;
    card.showShape(test::FakeModel().spec().stacks[0]);
    std::vector<std::shared_ptr<const LayerResult>> layers;
    for (int layer = 0; layer < test::kFakeLayers; ++layer) {
        auto result = std::make_shared<LayerResult>();
        result->layer = LayerIndex(layer);
        for (int head = 0; head < test::kFakeHeads; ++head) {
            result->heads.push_back(test::fakeHead(layer, head, 5));
        }
        layers.push_back(result);
    }
    card.showSummary(layers, AttentionKind::Self);
    QStringList pills;
    for (const Pill* pill : card.pills()) {
        pills << pill->text();
    }
    EXPECT_EQ(pills, (QStringList{QStringLiteral("Sink 1"), QStringLiteral("Uniform 0"),
                                  QStringLiteral("Stuck 0")}));
    EXPECT_EQ(card.chart()->pointCount(), 6U);
}

TEST(Inspector, hasNoTitleWithoutNumbersUnderIt) {
    HeadResult head = test::fakeHead(0, 1, 8);
    const Axis keys = *test::fakeTokens("a b c d e f g h").axis;
    const StackSpec stack{AttentionKind::Cross, 2, 3, 3, 16, false};
    const HeadRef ref{AttentionKind::Cross, LayerIndex(0), HeadIndex(1)};
    Inspector inspector;
    head.metrics.offsets.reset(); // as of cross-attention, whose text has none of what is looked for
    head.metrics.tokens.emplace();
    inspector.showHead(ref, head, keys, stack);
    EXPECT_FALSE(wordsOf(inspector).contains(QStringLiteral("What it reads")));
    head.metrics.tokens->duplicate.rows = 5;
    inspector.showHead(ref, head, keys, stack);
    EXPECT_TRUE(wordsOf(inspector).contains(QStringLiteral("What it reads")));
}

TEST(ModelPanel, showsAllLinesOfTheFamily) {
    ModelPanel panel(false);
    panel.resize(150, 400);
    panel.show();
    panel.showModel(test::fakeModel("/models/fake"));
    QLabel* family = nullptr;
    for (QLabel* label : panel.findChildren<QLabel*>())
        if (label->text().contains(QStringLiteral("weights"))) family = label;
    ASSERT_NE(family, nullptr);
    ASSERT_TRUE(
        test::waitFor([family] { return family->height() >= family->heightForWidth(family->width()); }));
    EXPECT_GT(family->height(), 2 * family->fontMetrics().lineSpacing()) << "it is more than two lines";
}

} // namespace
} // namespace headscope::ui
