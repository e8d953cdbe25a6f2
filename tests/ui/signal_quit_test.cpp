// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/signal_quit.h"

#include <QApplication>
#include <QTest>
#include <QWidget>

#include <csignal>
#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

TEST(SignalQuit, aSignalClosesTheWindows) {
    struct sigaction before {};
    sigaction(SIGTERM, nullptr, &before);
    QWidget window;
    window.show();
    {
        const SignalQuit quit;
        std::raise(SIGTERM);
        EXPECT_TRUE(window.isVisible()) << "nothing happens inside the handler";
        EXPECT_TRUE(QTest::qWaitFor([&window] { return !window.isVisible(); }));
    }
    struct sigaction after {};
    sigaction(SIGTERM, nullptr, &after);
    EXPECT_EQ(after.sa_handler, before.sa_handler);
}

} // namespace
} // namespace headscope::ui
