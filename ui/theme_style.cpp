// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme_style.h"

namespace headscope::ui {
namespace {

// Dynamic properties name the variants: role="primary" for the one main button, role="flat" for text buttons,
// role="link", role="muted", role="section" for labels.
const char* const kTemplate = R"css(
QMainWindow, QDialog { background: @window; }
QMainWindow::separator { background: @hairline; width: 1px; height: 1px; }
QToolTip { background: @panel; color: @text; border: 1px solid @hairline; padding: 4px 8px; }

QMenuBar { background: @panel; border-bottom: 1px solid @hairline; padding: 2px 8px; }
QMenuBar::item { padding: 5px 10px; background: transparent; border-radius: 6px; }
QMenuBar::item:selected { background: @selection; color: @text; }
QMenu { background: @panel; border: 1px solid @hairline; padding: 4px; }
QMenu::item { padding: 6px 28px 6px 28px; border-radius: 5px; }
QMenu::item:selected { background: @selection; color: @text; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 8px; }
QMenu::icon { padding-left: 8px; }
QMenu::indicator { width: 14px; height: 14px; margin-left: 8px; image: none; }
QMenu::indicator:checked { image: url("@check"); }

QToolBar { background: @panel; border: none; border-bottom: 1px solid @hairline; padding: 5px 12px; spacing: 8px; }
QToolBar::separator { background: @hairline; width: 1px; margin: 6px 6px; }

QPushButton, QToolButton, QComboBox {
    background: @panel; color: @text; border: 1px solid @hairline; border-radius: 6px; padding: 0px 10px;
    min-height: 28px;
}
QPushButton:hover, QToolButton:hover, QComboBox:hover { border-color: @muted; }
QPushButton:pressed, QToolButton:pressed, QToolButton:checked { background: @selection; }
QPushButton:focus, QToolButton:focus, QComboBox:focus { border-color: @accent; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled { color: @muted; background: @window; }
QPushButton[role="primary"], QToolButton[role="primary"] {
    background: @accent; color: @onAccent; border-color: @accent; font-weight: 600;
}
QPushButton[role="primary"]:hover { background: @info; }
QPushButton[role="primary"]:focus { border-color: @text; }
QPushButton[role="primary"]:disabled { background: @window; color: @muted; border-color: @hairline; }
QPushButton[role="flat"], QToolButton[role="flat"] { border-color: transparent; background: transparent; color: @muted;
    padding: 0px 6px; min-height: 24px; }
QToolButton[role="flat"] { min-width: 20px; }
QToolButton[role="flat"]:checked { background: @selection; color: @text; }
QPushButton[role="flat"]:disabled, QToolButton[role="flat"]:disabled { background: transparent; }
QPushButton[role="flat"]:hover, QToolButton[role="flat"]:hover { background: @selection; color: @text; }
QPushButton[role="flat"]:focus, QToolButton[role="flat"]:focus { border-color: @accent; }
QPushButton::menu-indicator, QToolButton::menu-indicator { image: none; width: 0px; }
QPushButton[role="link"] { border: none; border-radius: 3px; background: transparent; padding: 0px; color: @info;
    text-align: left; min-height: 20px; }
QPushButton[role="link"]:hover { text-decoration: underline; }
QPushButton[role="link"]:focus { background: @selection; }
QPushButton[role="link"]:disabled { color: @muted; background: transparent; }
QComboBox { padding-right: 24px; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url("@chevron"); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @hairline; padding: 4px; outline: none;
    selection-background-color: @selection; selection-color: @text; }
QComboBox QAbstractItemView::item { min-height: 26px; padding: 0px 6px; }

/* Without a colour of text: Qt would derive the placeholder's from it, too pale; the palette has both. */
QPlainTextEdit, QTextEdit, QLineEdit, QListWidget, QTreeView, QTableView {
    background: @field; border: 1px solid @hairline; border-radius: 7px; padding: 5px;
    selection-background-color: @accent; selection-color: @onAccent;
}
QPlainTextEdit:focus, QTextEdit:focus, QLineEdit:focus, QTableView:focus { border-color: @accent; }
QAbstractSpinBox { background: @field; border: 1px solid @hairline; border-radius: 6px; padding: 0px 6px; min-height: 28px; }
QAbstractSpinBox:focus { border-color: @accent; }
QSpinBox::up-button, QSpinBox::down-button { border: none; background: transparent; width: 20px; }
QSpinBox::up-button { subcontrol-position: top right; }
QSpinBox::down-button { subcontrol-position: bottom right; }
QSpinBox::up-arrow { image: url("@raise"); width: 10px; height: 10px; }
QSpinBox::down-arrow { image: url("@chevron"); width: 10px; height: 10px; }
QHeaderView::section { background: @panel; color: @muted; border: none; border-bottom: 1px solid @hairline;
    padding: 6px 8px; }
QTableView[role="plain"] QHeaderView::section { padding: 6px 4px 6px 8px; }
QTableView[narrow="true"] QHeaderView::section { padding: 6px 2px 6px 4px; }

QHeaderView { background: @panel; }
QHeaderView::down-arrow { image: url("@chevron"); width: 10px; height: 10px; subcontrol-position: bottom center; }
QHeaderView::up-arrow { image: url("@raise"); width: 10px; height: 10px; subcontrol-position: bottom center; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QTableView[role="plain"] { background: transparent; border: none; border-radius: 0px; padding: 0px; outline: none; }

QFrame[role="segments"] { background: @window; border: 1px solid @hairline; border-radius: 7px; }
QToolButton[role="segment"] { background: transparent; color: @muted; border: 1px solid transparent;
    border-radius: 5px; padding: 0px 10px; min-height: 22px; }
QFrame[narrow="true"] QToolButton[role="segment"] { padding: 0px 5px; }
QToolButton[role="segment"]:hover { color: @text; }
QToolButton[role="segment"]:checked { background: @panel; color: @text; border-color: @hairline; font-weight: 600; }
QToolButton[role="segment"]:focus { border-color: @accent; }

QCheckBox, QRadioButton { spacing: 8px; padding: 2px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @muted; border-radius: 4px; background: @field; }
QCheckBox::indicator:checked { background: @accent; border-color: @accent; image: url("@checkOn"); }
QCheckBox:focus::indicator { border-color: @accent; }

QFrame[role="card"] { background: @panel; border: 1px solid @hairline; border-radius: 8px; }
QFrame[role="active_card"] { background: @panel; border: 1px solid @accent; border-radius: 8px; }
QWidget[role="dock"] { background: @panel; }
QScrollArea { background: transparent; border: none; }
QScrollArea[role="reader"] { border: 1px solid transparent; border-radius: 4px; }
QScrollArea[role="reader"]:focus { border-color: @accent; }
QLabel { background: transparent; }
QLabel[role="muted"] { color: @muted; }
QLabel[role="section"] { color: @muted; }
QLabel[role="error"] { color: @alarm; }
QLabel[role="warning"] { color: @warning; }
QLabel[role="strong"] { font-weight: 600; }

QDockWidget { titlebar-close-icon: url("@close"); titlebar-normal-icon: url("@close"); color: @muted; }
QDockWidget::title { background: @panel; padding: 8px 16px; border-bottom: 1px solid @hairline; }
QDockWidget > QWidget { background: @panel; }

QStatusBar { background: @panel; border-top: 1px solid @hairline; color: @muted; min-height: 30px; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @muted; padding: 0px 4px; }
QProgressBar { background: @track; border: none; border-radius: 3px; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QProgressBar[role="warning"]::chunk { background: @warning; }

QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: @selection; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px; }
QScrollBar::handle { background: @hairline; border-radius: 3px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)css";

} // namespace

QString styleSheetFor(const ThemeColors& c) {
    const QString shade = c.dark ? QStringLiteral("dark") : QStringLiteral("light");
    // Longer names first where one begins with another.
    const std::pair<const char*, QString> fields[] = {
        {"@onAccent", c.onAccent.name()},
        {"@checkOn", QStringLiteral(":/icons/style/check_on_") + shade + QStringLiteral(".svg")},
        {"@check", QStringLiteral(":/icons/style/check_") + shade + QStringLiteral(".svg")},
        {"@chevron", QStringLiteral(":/icons/style/chevron_") + shade + QStringLiteral(".svg")},
        {"@raise", QStringLiteral(":/icons/style/chevron_up_") + shade + QStringLiteral(".svg")},
        {"@close", QStringLiteral(":/icons/style/close_") + shade + QStringLiteral(".svg")},
        {"@window", c.window.name()},
        {"@panel", c.panel.name()},
        {"@field", c.field.name()},
        {"@hairline", c.hairline.name()},
        {"@track", c.track.name()},
        {"@text", c.text.name()},
        {"@muted", c.muted.name()},
        {"@accent", c.accent.name()},
        {"@selection", c.selection.name()},
        {"@info", c.info.name()},
        {"@warning", c.warning.name()},
        {"@alarm", c.alarm.name()},
    };
    QString sheet = QString::fromLatin1(kTemplate);
    for (const auto& [name, value] : fields) {
        sheet.replace(QLatin1String(name), value);
    }
    return sheet;
}

} // namespace headscope::ui
