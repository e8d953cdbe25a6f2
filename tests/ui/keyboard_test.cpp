// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard alone: Tab reaches everything that can be worked, forwards and backwards; what has the focus
// shows it and has a name.
#include "tests/ui/compare_support.h"
#include "tests/ui/print_qt.h"
#include "ui/panels/diagnose_page.h"
#include "ui/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QButtonGroup>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSet>

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace headscope::ui::test {
namespace {

/// How a failure names a widget.
std::string naming(const QWidget* widget) {
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    const QString words = button != nullptr && !button->text().isEmpty() ? button->text()
                          : !widget->accessibleName().isEmpty()          ? widget->accessibleName()
                                                                         : widget->toolTip();
    QStringList names{QLatin1String(widget->metaObject()->className()), words.left(40)};
    for (const QWidget* up = widget->parentWidget(); up != nullptr && names.size() < 5;
         up = up->parentWidget())
        names << QLatin1String(up->metaObject()->className());
    return names.join(QStringLiteral(" < ")).toStdString();
}

/// What is left of a widget between the edges of all that it stands in.
bool isInSight(const QWidget* widget) {
    QRect left = widget->rect();
    for (; widget->parentWidget() != nullptr && !widget->isWindow(); widget = widget->parentWidget())
        left = left.translated(widget->pos()) & widget->parentWidget()->rect();
    return !left.isEmpty();
}

/// Something that the mouse works, and so must the keyboard.
bool isInteractive(const QWidget* widget) {
    if (!widget->isVisible() || !widget->isEnabled() || widget->focusProxy() != nullptr) return false;
    const bool isPart = qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr ||
                        qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                        qobject_cast<const QLineEdit*>(widget->parentWidget()) != nullptr;
    if (isPart || !isInSight(widget)) return false; // out of sight in a scrolled panel comes later
    if (widget->objectName().startsWith(QLatin1String("qt_"))) return false; // Qt's own parts
    return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
           qobject_cast<const QComboBox*>(widget) != nullptr ||
           qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QPlainTextEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           (widget->focusPolicy() & Qt::TabFocus) != 0;
}

QString accessibleName(QWidget* widget) {
    QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
    return face != nullptr ? face->text(QAccessible::Name) : QString();
}

/// What is drawn of a widget and a little around it.
QImage around(QWidget* widget) {
    QWidget* window = widget->window();
    const QRect box(widget->mapTo(window, QPoint()) - QPoint(4, 4), widget->size() + QSize(8, 8));
    return window->grab(box.intersected(window->rect())).toImage().convertToFormat(QImage::Format_RGB32);
}

int differing(const QImage& a, const QImage& b) {
    if (a.size() != b.size()) return 1000;
    int count = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
    return count;
}

class Keyboard : public CompareWindow {
  protected:
    void SetUp() override {
        fake.plannedSeconds = 1.0; // judges by itself
        CompareWindow::SetUp();
        QApplication::setActiveWindow(window.get());
    }
    void change(const std::function<void(ViewState&)>& edit) const {
        window->store().change(QString(), MergeGroup::None, edit);
        ASSERT_TRUE(settled());
        ASSERT_TRUE(waitFor([this] { return window->controller().diagnosis().isSettled(); }));
    }
    /// Every widget that the key reaches, from where the keyboard is, until it comes round.
    std::vector<QWidget*> walk(Qt::Key key) const {
        constexpr int kMost = 300;
        std::vector<QWidget*> reached;
        QSet<QWidget*> seen;
        for (int i = 0; i < kMost; ++i) {
            QWidget* now = QApplication::focusWidget();
            if (now == nullptr) {
                ADD_FAILURE() << "the focus is lost after "
                              << (reached.empty() ? "" : naming(reached.back()));
                return reached;
            }
            if (seen.contains(now)) {
                EXPECT_EQ(now, reached.front()) << "a part of the window holds the keyboard: " << naming(now);
                return reached;
            }
            EXPECT_TRUE(isInSight(now)) << "out of sight: " << naming(now);
            seen.insert(now);
            reached.push_back(now);
            QTest::keyClick(now, key);
        }
        ADD_FAILURE() << "it does not come round";
        return reached;
    }
    /// The choices beside one that was reached: Tab goes to the one that is chosen, arrows to the others.
    static QSet<QWidget*> besides(const std::vector<QWidget*>& reached) {
        QSet<QWidget*> all(reached.begin(), reached.end());
        for (QWidget* widget : reached) {
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            if (button == nullptr || button->group() == nullptr || !button->group()->exclusive()) continue;
            for (QAbstractButton* other : button->group()->buttons()) all.insert(other);
        }
        return all;
    }
    static std::string inOrder(const std::vector<QWidget*>& reached) {
        std::string all = "in this order:";
        for (const QWidget* widget : reached) all = fmt::format("{}\n  {}", all, naming(widget));
        return all;
    }
    /// What nothing of `reached` is.
    std::vector<std::string> missing(const std::vector<QWidget*>& reached) const {
        const QSet<QWidget*> seen = besides(reached);
        std::vector<std::string> names;
        for (QWidget* widget : window->findChildren<QWidget*>())
            if (isInteractive(widget) && !seen.contains(widget)) names.push_back(naming(widget));
        return names;
    }
    void expectAllReached() const {
        const std::vector<QWidget*> forwards = walk(Qt::Key_Tab);
        EXPECT_THAT(missing(forwards), testing::IsEmpty()) << inOrder(forwards);
        const std::vector<QWidget*> backwards = walk(Qt::Key_Backtab);
        EXPECT_THAT(missing(backwards), testing::IsEmpty()) << inOrder(backwards);
        EXPECT_GT(forwards.size(), 15U);
        for (QWidget* widget : forwards) {
            EXPECT_FALSE(accessibleName(widget).isEmpty()) << "no name: " << naming(widget);
            expectFocusShown(widget);
        }
    }
    void expectFocusShown(QWidget* widget) const {
        constexpr int kLeast = 24; // pixels: the border of the smallest button
        for (QWidget* up = widget->parentWidget(); up != nullptr; up = up->parentWidget())
            if (auto* scroll = qobject_cast<QScrollArea*>(up)) scroll->ensureWidgetVisible(widget);
        widget->setFocus(Qt::TabFocusReason);
        QCoreApplication::processEvents();
        const QImage with = around(widget);
        ASSERT_NE(QApplication::focusWidget(), nullptr) << naming(widget);
        QApplication::focusWidget()->clearFocus();
        QCoreApplication::processEvents();
        EXPECT_GE(differing(with, around(widget)), kLeast)
            << "the focus is not to be seen: " << naming(widget);
    }
};

TEST_F(Keyboard, ReachesAllOfExploreInItsThreeForms) {
    start(20, CentrePage::Explore);
    for (const HeadForm form : {HeadForm::Map, HeadForm::Text, HeadForm::Lines}) {
        SCOPED_TRACE(static_cast<int>(form));
        change([form](ViewState& s) {
            s.form = form;
            s.query = 3;
            s.key = 2;
        });
        trigger("view.explore");
        trigger("head.focus_map");
        expectAllReached();
    }
}

TEST_F(Keyboard, ReachesAllOfDiagnose) {
    start(20, CentrePage::Diagnose);
    trigger("head.judge");
    ASSERT_TRUE(waitFor([this] { return window->diagnosePage().isTableShown(); }));
    trigger("head.focus_map");
    expectAllReached();
}

TEST_F(Keyboard, ReachesAllOfCompare) {
    pinAndMove();
    ASSERT_TRUE(waitFor([this] { return window->controller().diagnosis().isSettled(); }));
    trigger("head.focus_map");
    expectAllReached();
}

TEST_F(Keyboard, ReachesAllOfTheEmptyWindow) {
    window->findChild<QPlainTextEdit*>()->setFocus();
    expectAllReached();
}

TEST_F(Keyboard, WhatCannotBeReachedOrHasNoNameIsFound) {
    start(20, CentrePage::Explore);
    trigger("head.focus_map");
    auto* odd = new QPushButton(window->centralWidget());
    odd->setFocusPolicy(Qt::ClickFocus);
    odd->setGeometry(0, 0, 40, 30);
    odd->show();
    EXPECT_THAT(missing(walk(Qt::Key_Tab)), testing::ElementsAre(testing::StartsWith("QPushButton")));
    EXPECT_TRUE(accessibleName(odd).isEmpty());
}

} // namespace
} // namespace headscope::ui::test
