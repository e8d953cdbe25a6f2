// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help_dialogs.h"

#include "core/base/check.h"
#include "core/model/model.h"
#include "ui/actions.h"
#include "ui/panels/card.h"
#include "ui/theme.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFile>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace headscope::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Help", text);
}

QDialog* makeDialog(QWidget* parent, const QString& title, const char* name) {
    auto* dialog = new QDialog(parent);
    dialog->setObjectName(QString::fromLatin1(name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    return dialog;
}

void addClose(QDialog* dialog, QVBoxLayout* layout) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    layout->addWidget(buttons);
}

} // namespace

void showShortcuts(QWidget* parent) {
    QDialog* dialog = makeDialog(parent, tr("Keyboard shortcuts"), "shortcuts");
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(16);
    auto* content = new QWidget(dialog);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 12, 0);
    columns->setSpacing(40);
    QGridLayout* grids[2] = {new QGridLayout, new QGridLayout};
    int lines[2] = {0, 0};
    for (QGridLayout* grid : grids) {
        grid->setHorizontalSpacing(20);
        grid->setVerticalSpacing(6);
        auto* column = new QVBoxLayout;
        column->addLayout(grid);
        column->addStretch(1);
        columns->addLayout(column, 1);
    }
    std::optional<MenuId> menu;
    int side = 0;
    const auto add = [&](const QString& what, const QString& keys) {
        auto* label = new QLabel(what, content);
        auto* key = roleLabel(keys, "muted", content);
        key->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        grids[side]->addWidget(label, lines[side], 0);
        grids[side]->addWidget(key, lines[side]++, 1);
    };
    const auto section = [&](QString title) {
        if (lines[side] > 0) grids[side]->setRowMinimumHeight(lines[side]++, 8);
        grids[side]->addWidget(sectionLabel(title.remove(QLatin1Char('&')), content), lines[side]++, 0, 1, 2);
    };
    for (const ActionSpec& spec : actionTable()) {
        const auto keys = keysOf(spec);
        if (keys.isEmpty()) continue;
        if (menu != spec.menu) {
            menu = spec.menu;
            side = *menu == MenuId::View || *menu == MenuId::Head ? 1 : 0;
            section(menuTitle(*menu));
        }
        QStringList names;
        for (const QKeySequence& one : keys) {
            names << one.toString(QKeySequence::NativeText);
        }
        QString what = QCoreApplication::translate("Actions", spec.text);
        if (spec.submenu != nullptr) {
            what = tr("%1: %2").arg(QCoreApplication::translate("Actions", spec.submenu), what.toLower());
        }
        add(what.remove(QLatin1Char('&')), names.join(tr("  or  ")));
    }
    side = 0;
    section(tr("In the overview and the map"));
    add(tr("Next head, next cell"), tr("arrow keys"));
    add(tr("Zoom at the pointer"), tr("mouse wheel"));
    add(tr("Move the map"), tr("drag"));
    add(tr("Zoom to a part of the map"), tr("Shift+drag  or  Shift+arrow keys, Enter"));
    add(tr("Keep the part as it is"), tr("Esc"));
    auto* scroll = new QScrollArea(dialog);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    layout->addWidget(scroll, 1);
    addClose(dialog, layout);
    dialog->resize(880, 660);
    dialog->open();
}

void showDemoPage(QWidget* parent) {
    QFile file(QStringLiteral(":/help/demo-constructed.md"));
    HS_CHECK(file.open(QIODevice::ReadOnly));
    QDialog* dialog = makeDialog(parent, tr("The demo, head by head"), "demoPage");
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(16);
    auto* page = new QTextBrowser(dialog);
    page->setMarkdown(QString::fromUtf8(file.readAll()));
    page->setAccessibleName(dialog->windowTitle());
    layout->addWidget(page, 1);
    addClose(dialog, layout);
    dialog->resize(760, 660);
    dialog->show(); // beside the window, not over it: it is read while looking at the heads
}

void showAbout(QWidget* parent) {
    QDialog* dialog = makeDialog(parent, tr("About HeadScope"), "about");
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(24, 24, 24, 16);
    layout->setSpacing(12);
    auto* name = new QLabel(tr("HeadScope %1").arg(QStringLiteral(HEADSCOPE_VERSION)), dialog);
    name->setFont(Theme::font(20, QFont::DemiBold));
    layout->addWidget(name);
    auto* words =
        new QLabel(tr("A desktop microscope for transformer attention. Every head of every layer, exact, on "
                      "this machine: no Python, no browser, no network."),
                   dialog);
    words->setWordWrap(true);
    layout->addWidget(words);
    auto* parts = roleLabel(
        tr("LibTorch %1 · Qt %2\nLicence: GPL-3.0-or-later. The font IBM Plex Sans is under the SIL "
           "Open Font License 1.1.")
            .arg(QString::fromStdString(torchVersionText()).section(QLatin1Char('\n'), 0, 0),
                 QString::fromLatin1(qVersion())),
        "muted", dialog);
    parts->setWordWrap(true);
    layout->addWidget(parts);
    layout->addStretch(1);
    addClose(dialog, layout);
    dialog->resize(460, 260);
    dialog->open();
}

} // namespace headscope::ui
