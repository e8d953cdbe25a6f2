// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/ui_support.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/main_window.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/difference_card.h"

#include <QAction>
#include <QSettings>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

namespace headscope::ui::test {

inline const QString kFakeFolder = QStringLiteral("/models/fake");

inline HeadRef head(int layer, int number) {
    return {AttentionKind::Self, LayerIndex(layer), HeadIndex(number)};
}

inline QString words(int count) {
    QStringList list;
    for (int i = 0; i < count; ++i) list << QStringLiteral("w%1").arg(i);
    return list.join(QLatin1Char(' '));
}

/// A window that compares heads of the fake model.
class CompareWindow : public testing::Test {
  protected:
    FakeEngine fake;
    std::unique_ptr<MainWindow> window;

    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{fake.engine(), false, {}});
        window->resize(1440, 900);
        window->show();
    }

    void start(int tokens = 20, CentrePage page = CentrePage::Compare) const {
        ViewState state;
        state.model.path = kFakeFolder;
        state.text = words(tokens);
        state.page = page;
        window->start(state);
        ASSERT_TRUE(settled());
        ASSERT_NE(window->controller().shown().analysis, nullptr);
    }
    bool settled() const {
        return waitFor([this] { return window->controller().isSettled() && comparing().isSettled(); });
    }
    /// 0.0 pinned, 0.1 current and compared with it.
    void pinAndMove() const {
        start();
        trigger("head.pin");
        trigger("head.next");
        ASSERT_TRUE(settled());
        ASSERT_NE(now().comparison, nullptr);
    }
    void trigger(const char* id) const { window->actions().action(QString::fromLatin1(id))->trigger(); }
    bool enabled(const char* id) const {
        return window->actions().action(QString::fromLatin1(id))->isEnabled();
    }
    void setText(const QString& text) const {
        window->store().change(QString(), MergeGroup::None, [&text](ViewState& s) { s.text = text; });
        ASSERT_TRUE(settled());
    }
    const ViewState& state() const { return window->store().state(); }
    ComparePage& page() const { return window->comparePage(); }
    CompareController& comparing() const { return window->controller().comparing(); }
    Comparing now() const { return comparing().now(); }
    HeatmapView* view(int pin) const { return page().panel(static_cast<std::size_t>(pin))->view(); }
    HeatmapView* currentView() const { return page().currentPanel()->view(); }
    HeatmapView* differenceView() const { return page().difference()->view(); }
    void press(int pin, const char* button) const {
        page().panel(static_cast<std::size_t>(pin))->button(button)->click();
    }
    static void click(HeatmapView* view, std::int64_t query, std::int64_t key) {
        QTest::mouseClick(view, Qt::LeftButton, {}, view->cellRect(query, key).center().toPoint());
    }
    void showSide(ComparePage::Side side) const {
        page().showSide(side);
        ASSERT_TRUE(settled());
    }
};

} // namespace headscope::ui::test
