// SPDX-License-Identifier: GPL-3.0-or-later
// The page Compare: lists of heads, its states, menus and export.
#include "tests/ui/compare_support.h"
#include "tests/ui/print_qt.h"
#include "ui/export/export_dialog.h"
#include "ui/export/export_job.h"
#include "ui/heatmap/overview_grid.h"
#include "ui/panels/map_card.h"
#include "ui/panels/overview_card.h"
#include "ui/panels/plain_table.h"
#include "ui/panels/similar_list.h"

#include <QAccessible>
#include <QMenu>
#include <QPushButton>
#include <QTimer>

namespace headscope::ui::test {
namespace {

TEST_F(CompareWindow, SimilarHeadsArePickedAndThePinnedOneStays) {
    start();
    showSide(ComparePage::Side::Nearest);
    SimilarList* list = page().similar();
    ASSERT_EQ(list->table()->rowCount(), 5);
    EXPECT_TRUE(list->words().startsWith(QStringLiteral("Most like head 0.0, of 5 compared")));
    const SimilarHeads found = *comparing().similar().found;
    list->table()->setFocus();
    Q_EMIT list->table()->lineChosen(1);
    ASSERT_TRUE(settled());
    EXPECT_EQ(state().headRef(), found.others[1].head);
    ASSERT_EQ(now().pins.size(), 1U) << "the head of the list was pinned, so that there is a pair";
    EXPECT_EQ(now().pins[0].side.head, head(0, 0));
    EXPECT_NE(now().comparison, nullptr);
    EXPECT_EQ(fake.similars, 1) << "the list is still that of the pinned head";
    EXPECT_TRUE(page().isSimilarShown()) << "and stays under the mouse";
    showSide(ComparePage::Side::Farthest);
    Q_EMIT list->table()->lineChosen(0);
    EXPECT_EQ(state().headRef(), found.others.back().head);
    Q_EMIT list->table()->lineOpened(0);
    EXPECT_EQ(now().pins.size(), 2U);
    EXPECT_EQ(now().pins[1].side.head, found.others.back().head);
}

TEST_F(CompareWindow, AShortTextHasNoSimilarHeads) {
    start(5);
    ASSERT_TRUE(settled());
    EXPECT_TRUE(page().similar()->words().startsWith(QStringLiteral("This text is too short")));
    EXPECT_EQ(page().similar()->table()->rowCount(), 0);
}

TEST_F(CompareWindow, ComparingIsCancelledAndAskedForAgain) {
    start();
    trigger("head.pin");
    fake.holdCompares = true;
    trigger("head.next");
    ASSERT_TRUE(waitFor([this] { return fake.compares == 1; }));
    EXPECT_EQ(now().stage, ComparingStage::Measuring);
    EXPECT_EQ(page().difference()->button()->text(), QStringLiteral("Cancel"));
    EXPECT_TRUE(enabled("text.cancel"));
    trigger("text.cancel");
    EXPECT_EQ(now().stage, ComparingStage::Cancelled);
    EXPECT_TRUE(page().difference()->reason().startsWith(QStringLiteral("Cancelled")));
    ASSERT_TRUE(waitFor([this] { return fake.stoppedCompares >= 1; }));
    fake.holdCompares = false;
    EXPECT_EQ(page().difference()->button()->text(), QStringLiteral("Compare again"));
    page().difference()->button()->click();
    ASSERT_TRUE(settled());
    EXPECT_NE(now().comparison, nullptr);
    EXPECT_FALSE(page().difference()->button()->isVisible());
}

TEST_F(CompareWindow, AFailureStandsWhereTheDifferenceWould) {
    fake.failCompares = true;
    start();
    trigger("head.pin");
    trigger("head.next");
    ASSERT_TRUE(settled());
    EXPECT_EQ(page().difference()->reason(), QStringLiteral("heads: they cannot be compared. Try again."));
    showSide(ComparePage::Side::Nearest);
    EXPECT_EQ(page().similar()->words(), page().difference()->reason());
}

TEST_F(CompareWindow, WhileTheTextIsAnalysedThePinIsThere) {
    pinAndMove();
    fake.holdRuns = true;
    window->store().change(QString(), MergeGroup::None, [](ViewState& s) { s.text = words(15); });
    EXPECT_EQ(page().currentPanel()->mark(), QStringLiteral("of the previous text"));
    ASSERT_TRUE(waitFor([this] { return currentView()->state() == HeatmapView::State::Loading; }));
    EXPECT_EQ(view(0)->state(), HeatmapView::State::Ready);
    EXPECT_EQ(now().stage, ComparingStage::NoCurrent);
    trigger("text.cancel");
    EXPECT_EQ(currentView()->state(), HeatmapView::State::Empty);
    EXPECT_TRUE(currentView()->accessibleDescription().contains(QStringLiteral("Run")))
        << currentView()->accessibleDescription().toStdString();
    fake.holdRuns = false;
}

TEST_F(CompareWindow, PinsOutlastAnotherModelAndAFailedRun) {
    start();
    trigger("head.pin");
    fake.failRuns = true;
    window->controller().openModel({QStringLiteral("/models/broken"), DeviceChoice::Cpu});
    ASSERT_TRUE(settled());
    EXPECT_EQ(now().pins.size(), 1U);
    EXPECT_EQ(view(0)->state(), HeatmapView::State::Ready);
    EXPECT_EQ(currentView()->state(), HeatmapView::State::Empty);
}

TEST_F(CompareWindow, TheContextMenuOfTheGridPinsTheHeadUnderIt) {
    start(20, CentrePage::Explore);
    OverviewGrid* grid = window->overview().grid();
    const QPoint at = grid->cellRect(LayerIndex(1), HeadIndex(2)).center().toPoint();
    Q_EMIT grid->customContextMenuRequested(at);
    auto* menu = grid->findChild<QMenu*>();
    ASSERT_NE(menu, nullptr);
    ASSERT_EQ(menu->actions().size(), 1);
    EXPECT_EQ(menu->actions()[0]->text(), QStringLiteral("Pin head 1.2 for comparison"));
    menu->actions()[0]->trigger();
    EXPECT_EQ(now().pins[0].side.head, head(1, 2));
    menu->close();
    EXPECT_TRUE(
        window->map().view()->actions().contains(window->actions().action(QStringLiteral("head.pin"))));
    window->map().pinButton()->click();
    EXPECT_EQ(now().pins.size(), 2U);
}

TEST_F(CompareWindow, TheKeyPinsOnlyOutsideOfText) {
    start(20, CentrePage::Explore);
    window->overview().grid()->setFocus();
    QTest::keyClick(window->overview().grid(), Qt::Key_P);
    EXPECT_EQ(now().pins.size(), 1U);
}

TEST_F(CompareWindow, ClosesWhileItCompares) {
    start();
    trigger("head.pin");
    fake.holdCompares = true;
    trigger("head.next");
    page().showSide(ComparePage::Side::Nearest);
    ASSERT_TRUE(waitFor([this] { return fake.compares == 1 && fake.similars >= 1; }));
    window->close();
    window.reset();
    EXPECT_GE(fake.stoppedCompares, 1);
}

TEST_F(CompareWindow, EveryControlHasANameForScreenReaders) {
    pinAndMove();
    for (const auto side : {ComparePage::Side::Numbers, ComparePage::Side::Farthest}) {
        showSide(side);
        for (const QWidget* widget : page().findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
            QString name = widget->accessibleName();
            if (QAccessibleInterface* face =
                    QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget))) {
                if (name.isEmpty()) name = face->text(QAccessible::Name);
            }
            EXPECT_FALSE(name.isEmpty()) << widget->metaObject()->className() << " in "
                                         << widget->parentWidget()->metaObject()->className();
        }
    }
}

/// Answers the export dialog that comes up.
void answerExport(const std::function<void(ExportDialog&)>& act) {
    QTimer::singleShot(50, qApp, [act] {
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<ExportDialog*>(widget)) {
                act(*dialog);
                dialog->reject();
                return;
            }
    });
}

TEST_F(CompareWindow, ExportOffersTheComparisonOfThisPageOnly) {
    pinAndMove();
    ExportJob job;
    answerExport([&job](ExportDialog& dialog) { job = dialog.job(); });
    trigger("file.export");
    EXPECT_EQ(job.subject, ExportSubject::Comparison);
    EXPECT_EQ(job.comparison, now().comparison);
    EXPECT_TRUE(
        QString::fromStdString(job.target.string()).endsWith(QStringLiteral("fake-heads-0.0-and-0.1.png")));
    trigger("view.explore");
    answerExport([&job](ExportDialog& dialog) { job = dialog.job(); });
    trigger("file.export");
    EXPECT_EQ(job.subject, ExportSubject::Head);
}

} // namespace
} // namespace headscope::ui::test
