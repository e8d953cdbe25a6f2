// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets without a display: fixed font, 96 dpi, scale 1 (or HEADSCOPE_TEST_SCALE), settings and data in
// places of their own.
#include "ui/theme.h"

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <gtest/gtest.h>

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_FONT_DPI", "96");
    const QByteArray scale = qgetenv("HEADSCOPE_TEST_SCALE");
    qputenv("QT_SCALE_FACTOR", scale.isEmpty() ? QByteArray("1") : scale);
    testing::InitGoogleTest(&argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("HeadScopeTests"));
    QCoreApplication::setApplicationName(QStringLiteral("HeadScopeTests"));
    const QTemporaryDir settings;
    QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings.path());
    headscope::ui::Theme::instance().install(headscope::ui::ThemeChoice::Light);
    return RUN_ALL_TESTS();
}
