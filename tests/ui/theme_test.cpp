// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/raster/raster.h"
#include "tests/ui/print_qt.h"
#include "ui/heatmap/contrast.h"
#include "ui/heatmap/readout.h"
#include "ui/icons.h"
#include "ui/theme.h"
#include "ui/theme_style.h"

#include <QApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QImage>
#include <QImageReader>
#include <QLineEdit>
#include <QPalette>
#include <QSignalSpy>
#include <QToolTip>
#include <QWidget>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

TEST(Theme, contrastOfBlackAndWhite) {
    EXPECT_NEAR(contrastRatio(Qt::black, Qt::white), 21.0, 1e-9);
    EXPECT_NEAR(contrastRatio(Qt::white, Qt::white), 1.0, 1e-9);
    // #777777 on white is the textbook case just under 4.5.
    EXPECT_NEAR(contrastRatio(QColor("#777777"), Qt::white), 4.48, 0.005);
}

TEST(Theme, textOnAnyColourOfAMapCanBeRead) {
    for (const Colormap map : allColormaps())
        for (const Rgb color : colorsOf(map)) {
            const QColor back = QColor::fromRgb(color);
            EXPECT_GE(contrastRatio(readableOn(back), back), 4.5) << back.name().toStdString();
        }
}

TEST(Theme, textCanBeReadEverywhere) {
    for (const ThemeColors* c : {&lightColors(), &darkColors()}) {
        const std::pair<QColor, QColor> pairs[] = {
            {c->text, c->panel},     {c->text, c->window},         {c->text, c->field},
            {c->text, c->selection}, {c->muted, c->panel},         {c->muted, c->window},
            {c->muted, c->field},    {c->info, c->infoBack},       {c->info, c->panel},
            {c->warning, c->panel},  {c->warning, c->warningBack}, {c->alarm, c->alarmBack},
            {c->alarm, c->panel},    {c->onAccent, c->accent},     {c->text, c->alarmBack},
        };
        for (const auto& [fore, back] : pairs) {
            EXPECT_GE(contrastRatio(fore, back), 4.5)
                << fore.name().toStdString() << " on " << back.name().toStdString();
        }
    }
}

TEST(Theme, whatReadsThePicturesOfTheStylesheetIsThere) {
    EXPECT_TRUE(QImageReader::supportedImageFormats().contains("svg"))
        << "arrows and check marks are missing";
}

TEST(Theme, placeholdersCanBeReadToo) {
    QLineEdit edit;
    edit.ensurePolished();
    const QColor placeholder = edit.palette().color(QPalette::PlaceholderText);
    EXPECT_EQ(placeholder, Theme::instance().colors().muted);
    EXPECT_EQ(placeholder.alpha(), 255);
}

TEST(Theme, longTooltipsWrap) {
    QWidget widget;
    widget.setToolTip(QStringLiteral("a <b> ").repeated(40));
    widget.show();
    QHelpEvent event(QEvent::ToolTip, {2, 2}, widget.mapToGlobal(QPoint(2, 2)));
    QApplication::sendEvent(&widget, &event);
    EXPECT_EQ(QToolTip::text(), tipText(widget.toolTip()));
    EXPECT_TRUE(QToolTip::text().startsWith(QStringLiteral("<qt>a &lt;b&gt; a"))) << "plain text stays plain";
    for (const QWidget* tip : QApplication::topLevelWidgets())
        if (tip->inherits("QTipLabel")) {
            EXPECT_LT(tip->width(), 800);
            EXPECT_GT(tip->height(), 40);
        }
    QToolTip::hideText();
}

TEST(Theme, choicesHaveNames) {
    for (const ThemeChoice choice : {ThemeChoice::System, ThemeChoice::Light, ThemeChoice::Dark}) {
        EXPECT_EQ(themeChoiceOf(nameOf(choice)), choice);
    }
    EXPECT_EQ(themeChoiceOf(QStringLiteral("no such")), ThemeChoice::System);
}

TEST(Theme, switchingChangesPaletteAndSaysSo) {
    Theme& theme = Theme::instance();
    theme.setChoice(ThemeChoice::Light);
    QSignalSpy spy(&theme, &Theme::changed);
    theme.setChoice(ThemeChoice::Dark);
    EXPECT_EQ(spy.size(), 1);
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), darkColors().window);
    theme.setChoice(ThemeChoice::Dark);
    EXPECT_EQ(spy.size(), 1);
    theme.setChoice(ThemeChoice::Light);
    EXPECT_EQ(QApplication::palette().color(QPalette::Window), lightColors().window);
}

TEST(Theme, stylesheetIsFilledIn) {
    for (const ThemeColors* c : {&lightColors(), &darkColors()}) {
        const QString sheet = styleSheetFor(*c);
        EXPECT_FALSE(sheet.contains(QLatin1Char('@')));
        EXPECT_TRUE(sheet.contains(c->accent.name()));
    }
}

TEST(Theme, bundledFontHasTabularDigits) {
    const QFont font = Theme::font();
    EXPECT_EQ(QFontInfo(font).family(), QStringLiteral("IBM Plex Sans"));
    for (const QFont::Weight weight : {QFont::Normal, QFont::DemiBold}) {
        const QFontMetricsF measure(Theme::font(13, weight));
        for (const QChar digit : QStringLiteral("123456789")) {
            EXPECT_DOUBLE_EQ(measure.horizontalAdvance(digit), measure.horizontalAdvance(QLatin1Char('0')));
        }
    }
}

TEST(Icons, takeTheColour) {
    const QImage image = iconPixmap(QStringLiteral("stop"), QColor(200, 10, 20), 16, 2.0).toImage();
    EXPECT_EQ(image.size(), QSize(32, 32));
    EXPECT_EQ(image.pixelColor(16, 16), QColor(200, 10, 20));
    EXPECT_EQ(image.pixelColor(0, 0).alpha(), 0);
}

} // namespace
} // namespace headscope::ui
