// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temporary_folder.h"
#include "tests/ui/print_qt.h"
#include "tests/ui/ui_support.h"
#include "ui/main_window.h"
#include "ui/panels/error_banner.h"

#include <QAction>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include <gtest/gtest.h>

namespace headscope::ui::test {

inline QString pathOf(const std::filesystem::path& path) {
    return QString::fromStdString(path.string());
}

/// Windows over the fake engine, and folders that stand for its models.
class SessionWindow : public testing::Test {
  protected:
    headscope::test::TemporaryFolder folder;
    FakeEngine fake;
    QString alpha = madeFolder("alpha");
    QString beta = madeFolder("beta");
    std::unique_ptr<MainWindow> window;

    void SetUp() override {
        QSettings().clear();
        window = makeWindow();
    }

    QString madeFolder(const char* name) const {
        std::filesystem::create_directory(folder / name);
        return pathOf(folder / name);
    }
    QString file(const char* name) const { return pathOf(folder / name); }
    std::unique_ptr<MainWindow> makeWindow(const QString& autosave = {}, const QString& texts = {}) {
        auto made = std::make_unique<MainWindow>(WindowSetup{fake.engine(), false, autosave, texts});
        made->resize(1280, 800);
        made->show();
        return made;
    }

    static bool settled(const MainWindow& of) {
        auto& controller = const_cast<MainWindow&>(of).controller();
        return waitFor([&] { return controller.isSettled() && !controller.pinRunner().isBusy(); });
    }
    void start(const QString& model, const QString& text) const {
        ViewState state;
        state.model.path = model;
        state.text = text;
        window->start(state);
        ASSERT_TRUE(settled(*window));
        ASSERT_NE(window->controller().shown().analysis, nullptr);
    }
    void change(const std::function<void(ViewState&)>& edit) const {
        window->store().change(QString(), MergeGroup::None, edit);
        ASSERT_TRUE(settled(*window));
    }
    void open(const QString& model) const {
        window->controller().openModel({model, DeviceChoice::Auto});
        ASSERT_TRUE(settled(*window));
    }
    void trigger(const char* id) const { window->actions().action(QString::fromLatin1(id))->trigger(); }
    const ViewState& state() const { return window->store().state(); }
    const std::vector<PinnedHead>& pins() const { return window->controller().comparing().pins(); }
    static HeadRef head(int layer, int number) {
        return {AttentionKind::Self, LayerIndex(layer), HeadIndex(number)};
    }

    /// A view of alpha with much that is not as by default; a pin of its text, one of another text and one of
    /// another model; notes on heads of both.
    void makeMuch() const {
        start(beta, QStringLiteral("words of beta"));
        change([](ViewState& s) { s.head = 2; });
        trigger("head.pin");
        window->keeper().setNote(head(1, 1), QStringLiteral("of beta"));
        open(alpha);
        change([](ViewState& s) {
            s.text = QStringLiteral("one two three");
            s.layer = 1;
            s.head = 1;
        });
        trigger("head.pin");
        change([](ViewState& s) {
            s.text = QStringLiteral("one two three four \"five\"\n東京");
            s.pair = QStringLiteral("six");
            s.showPair = true;
            s.head = 0;
        });
        trigger("head.pin");
        window->keeper().setNote(head(1, 0), QStringLiteral("reads the\nfirst word"));
        change([](ViewState& s) {
            s.layer = 0;
            s.head = 1;
            s.query = 3;
            s.key = 2;
            s.range = {RangeMode::Fixed, 0.0F, 0.5F};
            s.colormap = Colormap::Cividis;
            s.pooling = Pooling::Mean;
            s.readBy = true;
            s.margins = true;
            s.ownScales = true;
            s.viewport = {1.0, 0.5, 3.0, 4.0};
            s.page = CentrePage::Compare;
        });
        window->controller().comparing().choose(2);
        ASSERT_EQ(pins().size(), 3U);
    }

    /// The box that asks, if there is one.
    QMessageBox* askingBox() const { return window->findChild<QMessageBox*>(QStringLiteral("askToSave")); }
    void answer(QMessageBox::StandardButton button) const {
        QMessageBox* box = askingBox();
        ASSERT_NE(box, nullptr);
        box->button(button)->click();
    }
};

} // namespace headscope::ui::test
