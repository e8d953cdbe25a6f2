// SPDX-License-Identifier: GPL-3.0-or-later
// Random actions, clicks, keys and texts on the real window over three models. A short walk by default;
// HEADSCOPE_MONKEY_STEPS and HEADSCOPE_MONKEY_SEED make it longer or another one.
#include "core/base/resident_memory.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/encoder_decoder.h"
#include "tests/ui/ui_support.h"
#include "ui/main_window.h"
#include "ui/panels/error_banner.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QTimer>

#include <cstdio>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace headscope::ui {
namespace {

using test::encoderDecoder;
using test::waitFor;

constexpr int kUsualSteps = 250;

int numberFrom(const char* variable, int usual) {
    bool ok = false;
    const int number = qEnvironmentVariableIntValue(variable, &ok);
    return ok && number > 0 ? number : usual;
}

class Monkey : public testing::Test {
  protected:
    void SetUp() override {
        QSettings().clear();
        window = std::make_unique<MainWindow>(WindowSetup{Engine::real(), false, {}});
        window->resize(1280, 800);
        window->show();
        models = {QStringLiteral("demo:constructed"),
                  QString::fromStdString(headscope::test::dataPath("models/tiny-bert").string()),
                  encoderDecoder(folder.path())};
        // Whatever opens and waits is closed again; what was typed into it is the next step's.
        QObject::connect(&closer, &QTimer::timeout, [] {
            if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
            if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialog->reject();
        });
        closer.start(30);
    }

    int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random); }
    template <typename List>
    auto& oneOf(List& list) {
        return list[static_cast<decltype(list.size())>(below(static_cast<int>(list.size())))];
    }

    void openModel() {
        window->controller().openModel({oneOf(models), DeviceChoice::Cpu});
        if (below(3) == 0) return;
        EXPECT_TRUE(waitFor([this] { return !window->controller().isOpening(); }, 60000));
    }
    void writeText() {
        static const std::vector<const char*> kTexts = {
            "",
            "w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12",
            "the cat said the cat said the dog",
            "مرحبا بالعالم 東京 🙂 e\u0301",
            "one\n\n\ttwo three, four. The ships came home again and again and again.",
        };
        QString text = QString::fromUtf8(oneOf(kTexts));
        if (below(4) == 0) text = text.repeated(1 + below(12));
        window->store().change(QStringLiteral("text"), MergeGroup::None,
                               [&](ViewState& state) { (below(4) == 0 ? state.target : state.text) = text; });
    }
    void trigger() {
        const auto table = actionTable();
        const ActionSpec& spec = table[static_cast<std::size_t>(below(static_cast<int>(table.size())))];
        // Native dialogs would wait for a person, and a window that is closed has no more steps.
        for (const char* left : {"file.quit", "file.open_model", "file.open_text", "file.open_session",
                                 "file.save_session", "file.save_session_as", "head.judge_by"})
            if (QLatin1String(left) == QLatin1String(spec.id)) return;
        QAction* action = window->actions().action(QString::fromLatin1(spec.id));
        trace = spec.id;
        if (action->isEnabled()) action->trigger();
    }
    void poke() {
        const QPoint at(below(window->width()), below(window->height()));
        QWidget* target = window->childAt(at);
        if (target == nullptr || qobject_cast<QMenuBar*>(target) != nullptr) return;
        trace = target->metaObject()->className();
        const QPoint inside = target->mapFrom(window.get(), at);
        if (const auto* button = qobject_cast<QAbstractButton*>(target);
            button != nullptr &&
            (button->text().contains(QStringLiteral("…")) || button->text().contains(QStringLiteral("Save"))))
            return; // opens a native dialog
        switch (below(4)) {
        case 0:
            QTest::mouseClick(target, Qt::LeftButton, {}, inside);
            break;
        case 1:
            QTest::mouseMove(target, inside);
            break;
        case 2: {
            QWheelEvent wheel(inside, window->mapToGlobal(at), {}, {0, below(2) == 0 ? 120 : -120},
                              Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(target, &wheel);
            break;
        }
        default:
            QTest::mousePress(target, Qt::LeftButton, {}, inside);
            QTest::mouseMove(target, inside + QPoint(below(80) - 40, below(80) - 40));
            QTest::mouseRelease(target, Qt::LeftButton, {}, inside);
        }
    }
    void press() {
        static const std::vector<Qt::Key> kKeys = {
            Qt::Key_Left,    Qt::Key_Right,  Qt::Key_Up,    Qt::Key_Down, Qt::Key_Tab,
            Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Home,  Qt::Key_End,  Qt::Key_Escape,
            Qt::Key_Plus,    Qt::Key_Minus,  Qt::Key_Space, Qt::Key_P,    Qt::Key_N};
        QWidget* target = QApplication::focusWidget();
        if (target == nullptr) return;
        if (const auto* button = qobject_cast<QAbstractButton*>(target); button != nullptr) return;
        trace = target->metaObject()->className();
        QTest::keyClick(target, oneOf(kKeys));
    }
    void resize() { window->resize(960 + below(900), 640 + below(500)); }

    void step() {
        switch (below(20)) {
        case 0:
            trace = "open";
            openModel();
            break;
        case 1:
        case 2:
            trace = "text";
            writeText();
            break;
        case 3:
            trace = "resize";
            resize();
            break;
        case 4:
        case 5:
        case 6:
            press();
            break;
        case 7:
        case 8:
        case 9:
        case 10:
        case 11:
            poke();
            break;
        default:
            trigger();
        }
        QApplication::processEvents();
        if (below(6) == 0) waitFor([this] { return window->controller().isSettled(); }, 2000);
    }

    headscope::test::TemporaryFolder folder;
    std::unique_ptr<MainWindow> window;
    QStringList models;
    QTimer closer;
    std::mt19937 random;
    std::string trace; ///< what is being done, for the report of a crash
};

TEST_F(Monkey, LeavesTheWindowAlive) {
    const int steps = numberFrom("HEADSCOPE_MONKEY_STEPS", kUsualSteps);
    const int seed = numberFrom("HEADSCOPE_MONKEY_SEED", 7);
    random.seed(static_cast<unsigned>(seed));
    const bool loud = qEnvironmentVariableIsSet("HEADSCOPE_MONKEY_STEPS");
    std::uint64_t early = 0;
    for (int number = 0; number < steps; ++number) {
        SCOPED_TRACE(fmt::format("seed {}, step {} of {}", seed, number, steps));
        step();
        if (loud) {
            std::fprintf(stderr, "\r%d %s                    ", number, trace.c_str());
            if (number == steps / 4) early = residentBytes();
        }
        ASSERT_FALSE(HasFatalFailure());
    }
    if (loud)
        std::fprintf(stderr, "\nresident after a quarter %.1f MB, at the end %.1f MB\n",
                     static_cast<double>(early) / 1e6, static_cast<double>(residentBytes()) / 1e6);
    // It still does what it is for.
    window->controller().cancel();
    window->controller().openModel({models[1], DeviceChoice::Cpu});
    ASSERT_TRUE(
        waitFor([this] { return !window->controller().isBusy() && window->controller().model(); }, 60000));
    window->store().change(QStringLiteral("text"), MergeGroup::None, [](ViewState& state) {
        state.text = QStringLiteral("the cat said the dog");
        state.length = LengthPolicy::Truncate;
    });
    window->controller().run();
    const bool shown = waitFor(
        [this] { return window->controller().isSettled() && window->controller().shown().analysis; }, 60000);
    ASSERT_TRUE(shown) << window->banner().sentence().toStdString()
                       << " can run: " << window->controller().canRun()
                       << " settled: " << window->controller().isSettled()
                       << " text: " << window->store().state().text.toStdString();
    EXPECT_EQ(window->controller().shown().analysis->text.axis->size(), 7);
}

} // namespace
} // namespace headscope::ui
