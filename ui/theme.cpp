// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme.h"

#include "ui/heatmap/contrast.h"
#include "ui/heatmap/readout.h"
#include "ui/theme_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QHelpEvent>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleFactory>
#include <QStyleHints>
#include <QToolTip>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

ThemeColors makeLight() {
    ThemeColors c;
    c.window = QColor("#f5f6f8");
    c.panel = QColor("#ffffff");
    c.field = QColor("#f5f6f8");
    c.hairline = QColor("#dfe2e8");
    c.track = QColor("#e4e7ec");
    c.text = QColor("#1d222b");
    c.muted = QColor("#626b79");
    c.accent = QColor("#2f6fde");
    c.onAccent = QColor("#ffffff");
    c.selection = QColor("#e4edfc");
    c.info = QColor("#2560c8");
    c.infoBack = QColor("#e8f0fd");
    c.warning = QColor("#a54e09");
    c.warningBack = QColor("#fdf0e1");
    c.alarm = QColor("#a8283b");
    c.alarmBack = QColor("#fbe9ec");
    return c;
}

ThemeColors makeDark() {
    ThemeColors c;
    c.dark = true;
    c.window = QColor("#15181d");
    c.panel = QColor("#1d2127");
    c.field = QColor("#15181d");
    c.hairline = QColor("#2f353e");
    c.track = QColor("#2c323b");
    c.text = QColor("#e4e8ee");
    c.muted = QColor("#939cab");
    c.accent = QColor("#6aa0ff");
    c.onAccent = QColor("#0e1a30");
    c.selection = QColor("#243552");
    c.info = QColor("#8ab4ff");
    c.infoBack = QColor("#1f2f4b");
    c.warning = QColor("#f0a558");
    c.warningBack = QColor("#3a2b1b");
    c.alarm = QColor("#ff8594");
    c.alarmBack = QColor("#3c2026");
    return c;
}

QPalette paletteOf(const ThemeColors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.panel);
    p.setColor(QPalette::AlternateBase, c.field);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.muted);
    p.setColor(QPalette::Button, c.panel);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.alarm);
    p.setColor(QPalette::Highlight, c.accent);
    p.setColor(QPalette::HighlightedText, c.onAccent);
    p.setColor(QPalette::Link, c.info);
    p.setColor(QPalette::ToolTipBase, c.panel);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Mid, c.hairline);
    p.setColor(QPalette::Midlight, c.hairline);
    p.setColor(QPalette::Light, c.panel);
    p.setColor(QPalette::Dark, c.hairline);
    p.setColor(QPalette::Shadow, c.hairline);
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, c.muted);
    }
    return p;
}

/// Fusion without underlined mnemonics (Alt still works) and without icons of its own in dialogs.
class PlainFusion final : public QProxyStyle {
  public:
    PlainFusion() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        if (hint == SH_UnderlineShortcut || hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
};

/// Tooltips of widgets wrap.
class TipWrapper final : public QObject {
  public:
    using QObject::QObject;
    bool eventFilter(QObject* object, QEvent* event) override {
        constexpr qsizetype kShort = 60;
        auto* widget = event->type() == QEvent::ToolTip ? qobject_cast<QWidget*>(object) : nullptr;
        if (widget == nullptr || widget->toolTip().size() <= kShort) return false;
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tipText(widget->toolTip()), widget);
        return true;
    }
};

} // namespace

QString nameOf(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::Light:
        return QStringLiteral("light");
    case ThemeChoice::Dark:
        return QStringLiteral("dark");
    case ThemeChoice::System:
        break;
    }
    return QStringLiteral("system");
}

ThemeChoice themeChoiceOf(const QString& name) {
    if (name == u"light") return ThemeChoice::Light;
    if (name == u"dark") return ThemeChoice::Dark;
    return ThemeChoice::System;
}

const ThemeColors& lightColors() {
    static const ThemeColors colors = makeLight();
    return colors;
}

const ThemeColors& darkColors() {
    static const ThemeColors colors = makeDark();
    return colors;
}

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

const ThemeColors& Theme::colors() const {
    return m_dark ? darkColors() : lightColors();
}

QFont Theme::font(int pixelSize, QFont::Weight weight) {
    // The other families serve the scripts that the bundled font lacks.
    QFont font(QStringList{QStringLiteral("IBM Plex Sans"), QStringLiteral("Noto Sans"),
                           QStringLiteral("Noto Sans CJK JP"), QStringLiteral("DejaVu Sans")});
    font.setPixelSize(pixelSize);
    font.setWeight(weight);
    return font;
}

QFont Theme::sectionFont() {
    QFont result = font(metrics::kSection, QFont::DemiBold);
    result.setCapitalization(QFont::AllUppercase);
    result.setLetterSpacing(QFont::AbsoluteSpacing, 0.6);
    return result;
}

void Theme::install(ThemeChoice choice) {
    if (!m_installed) {
        m_installed = true;
        QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/IBMPlexSans-Regular.ttf"));
        QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/IBMPlexSans-SemiBold.ttf"));
        // Before our own palette hides what the desktop asked for.
        m_startedDark = luminance(QApplication::palette().color(QPalette::Window)) < 0.2;
        QApplication::setStyle(new PlainFusion);
        QApplication::setFont(font());
        qApp->installEventFilter(new TipWrapper(qApp));
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
        connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] {
            if (m_choice == ThemeChoice::System) apply();
        });
#endif
    }
    m_choice = choice;
    apply();
}

void Theme::setChoice(ThemeChoice choice) {
    if (choice == m_choice) return;
    m_choice = choice;
    apply();
}

bool Theme::systemIsDark() const {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const auto scheme = QGuiApplication::styleHints()->colorScheme();
    if (scheme != Qt::ColorScheme::Unknown) return scheme == Qt::ColorScheme::Dark;
#endif
    return m_startedDark;
}

void Theme::apply() {
    m_dark = m_choice == ThemeChoice::Dark || (m_choice == ThemeChoice::System && systemIsDark());
    QApplication::setPalette(paletteOf(colors()));
    qApp->setStyleSheet(styleSheetFor(colors()));
    Q_EMIT changed();
}

} // namespace headscope::ui
