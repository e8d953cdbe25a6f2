// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QString>

class QApplication;

namespace headscope::ui {

enum class ThemeChoice { System, Light, Dark };

QString nameOf(ThemeChoice choice); ///< "system", "light", "dark"
ThemeChoice themeChoiceOf(const QString& name);

/// The colour table. Text on its own background has a contrast of at least 4.5:1 (a test computes it).
struct ThemeColors {
    bool dark = false;
    QColor window, panel, field, hairline, track;
    QColor text, muted;
    QColor accent, onAccent, selection;
    QColor info, infoBack;       ///< sink
    QColor warning, warningBack; ///< uniform
    QColor alarm, alarmBack;     ///< stuck, errors
};

/// Sizes in pixels at 96 dpi; spacing goes in steps of 4.
namespace metrics {
inline constexpr int kText = 13;
inline constexpr int kSection = 11;
inline constexpr int kTitle = 15;
inline constexpr int kCorner = 7;
} // namespace metrics

const ThemeColors& lightColors();
const ThemeColors& darkColors();

/// The one place that decides how the program looks: bundled font, palette and stylesheet of the application.
/// Widgets that paint themselves read colors() and repaint on changed().
class Theme final : public QObject {
    Q_OBJECT

  public:
    static Theme& instance();

    /// Loads the font, sets Fusion and applies the choice. Call once the QApplication exists; again is
    /// harmless.
    void install(ThemeChoice choice);
    void setChoice(ThemeChoice choice);
    ThemeChoice choice() const { return m_choice; }
    const ThemeColors& colors() const;

    /// The bundled text font (its digits all have the same width).
    static QFont font(int pixelSize = metrics::kText, QFont::Weight weight = QFont::Normal);
    /// 11 px capitals for section heads.
    static QFont sectionFont();

  Q_SIGNALS:
    void changed();

  private:
    Theme() = default;
    void apply();
    bool systemIsDark() const;

    ThemeChoice m_choice = ThemeChoice::System;
    bool m_installed = false;
    bool m_startedDark = false;
    bool m_dark = false;
};

} // namespace headscope::ui
