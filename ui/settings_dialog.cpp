// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings_dialog.h"

#include "ui/heatmap/readout.h"
#include "ui/panels/card.h"
#include "ui/settings_rows.h"
#include "ui/text_history.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <thread>
#include <utility>

namespace headscope::ui {

SettingsDialog::SettingsDialog(Settings& settings, TextHistory& history, bool cudaAvailable, QWidget* parent)
    : QDialog(parent), m_settings(settings), m_history(history), m_cudaAvailable(cudaAvailable),
      m_search(new QLineEdit(this)), m_page(new QWidget), m_layout(new QVBoxLayout(m_page)),
      m_nothing(roleLabel({}, "muted", this)), m_message(roleLabel({}, "muted", this)),
      m_reset(new QPushButton(tr("Reset to defaults"), this)), m_undo(new QPushButton(tr("Undo"), this)) {
    setObjectName(QStringLiteral("settings"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Settings"));
    m_search->setPlaceholderText(tr("Search the settings"));
    m_search->setAccessibleName(m_search->placeholderText());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 20, 20, 16);
    layout->setSpacing(12);
    layout->addWidget(m_search);
    m_page->setProperty("role", QByteArray("dock"));
    m_layout->setContentsMargins(16, 8, 16, 16);
    m_layout->setSpacing(4);
    buildLook();
    buildRunning();
    buildExports();
    buildLists();
    m_nothing->setAlignment(Qt::AlignCenter);
    m_nothing->setTextFormat(Qt::PlainText);
    m_nothing->hide();
    m_layout->addWidget(m_nothing);
    m_layout->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_page);
    auto* frame = new QFrame(this);
    frame->setProperty("role", QByteArray("card"));
    auto* inFrame = new QVBoxLayout(frame);
    inFrame->setContentsMargins(1, 1, 1, 1);
    inFrame->addWidget(scroll);
    layout->addWidget(frame, 1);
    buildFoot(layout);
    connect(m_search, &QLineEdit::textChanged, this, &SettingsDialog::filter);
    connect(&m_settings, &Settings::preferencesChanged, this,
            [this](const Preferences&, const Preferences& now) { show(now); });
    connect(&Theme::instance(), &Theme::changed, this, &SettingsDialog::filter);
    show(m_settings.preferences());
    filter();
    resize(620, 680);
    m_search->setFocus();
}

void SettingsDialog::buildFoot(QVBoxLayout* layout) {
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    m_reset->setAutoDefault(false);
    m_reset->setToolTip(tr("All settings of this page as on a first start; lists stay as they are"));
    m_undo->setAutoDefault(false);
    m_undo->setProperty("role", QByteArray("flat"));
    m_undo->hide();
    m_message->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    foot->addWidget(m_reset);
    foot->addWidget(m_message, 1);
    foot->addWidget(m_undo);
    foot->addWidget(buttons);
    layout->addLayout(foot);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_reset, &QPushButton::clicked, this, [this] {
        const Preferences before = m_settings.preferences();
        m_settings.setPreferences({});
        offerUndo(before == Preferences() ? tr("All settings were as by default already.")
                                          : tr("All settings are as by default."),
                  [this, before] { m_settings.setPreferences(before); });
    });
    connect(m_undo, &QPushButton::clicked, this, [this] {
        if (m_undoLast) std::exchange(m_undoLast, nullptr)();
        m_message->clear();
        m_undo->hide();
        m_search->setFocus();
    });
}

void SettingsDialog::offerUndo(const QString& done, std::function<void()> undo) {
    m_undoLast = std::move(undo);
    m_message->setText(done);
    m_undo->show();
}

void SettingsDialog::addSection(const QString& name) {
    auto* title = sectionLabel(name, m_page);
    title->setContentsMargins(0, m_sections.empty() ? 8 : 16, 0, 4);
    m_layout->addWidget(title);
    m_sections.push_back({title, name});
}

void SettingsDialog::addRow(const QString& name, const QString& hint, QWidget* control,
                            const QString& moreWords) {
    auto* box = new QWidget(m_page);
    auto* line = new QHBoxLayout(box);
    line->setContentsMargins(0, 6, 0, 6);
    line->setSpacing(16);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    auto* nameLabel = new QLabel(box);
    auto* hintLabel = roleLabel({}, "muted", box);
    hintLabel->setFont(Theme::font(12));
    hintLabel->setWordWrap(true);
    words->addWidget(nameLabel);
    words->addWidget(hintLabel);
    line->addLayout(words, 1);
    line->addWidget(control, 0, Qt::AlignVCenter);
    control->setAccessibleName(name);
    control->setAccessibleDescription(hint);
    nameLabel->setBuddy(control);
    m_layout->addWidget(box);
    const QString searched =
        QStringList{name, hint, moreWords, m_sections.back().name}.join(QLatin1Char(' '));
    m_rows.push_back(
        {box, nameLabel, hintLabel, name, hint, searched.toLower(), control, m_sections.size() - 1});
}

QCheckBox* SettingsDialog::addSwitch(const QString& name, const QString& hint, const QString& words,
                                     Field<bool> field) {
    auto* box = new QCheckBox(m_page);
    constexpr int kWithoutWords = 20; // else room for words is left beside it
    box->setFixedWidth(kWithoutWords);
    addRow(name, hint, box, words);
    connect(box, &QCheckBox::toggled, this,
            [this, field](bool on) { change([field, on](Preferences& p) { field(p) = on; }); });
    m_refreshers.emplace_back([box, field](Preferences p) {
        const QSignalBlocker block(box);
        box->setChecked(field(p));
    });
    return box;
}

QSpinBox* SettingsDialog::addNumber(const QString& name, const QString& hint,
                                    const std::pair<int, int>& limits, Field<int> field) {
    auto* box = new QSpinBox(m_page);
    box->setRange(limits.first, limits.second);
    box->setMinimumWidth(96);
    box->setKeyboardTracking(false);
    addRow(name, hint, box);
    connect(box, &QSpinBox::valueChanged, this,
            [this, field](int value) { change([field, value](Preferences& p) { field(p) = value; }); });
    m_refreshers.emplace_back([box, field](Preferences p) {
        const QSignalBlocker block(box);
        box->setValue(field(p));
    });
    return box;
}

QComboBox* SettingsDialog::addChoice(const QString& name, const QString& hint, const QStringList& choices) {
    auto* box = new QComboBox(m_page);
    box->addItems(choices);
    box->setMinimumWidth(216);
    addRow(name, hint, box, choices.join(QLatin1Char(' ')));
    return box;
}

void SettingsDialog::change(const std::function<void(Preferences&)>& edit) {
    Preferences p = m_settings.preferences();
    edit(p);
    m_settings.setPreferences(p);
}

void SettingsDialog::show(const Preferences& preferences) {
    for (const auto& refresh : m_refreshers) refresh(preferences);
}

/// Rows that have every word of the search, with the words marked in what is read.
void SettingsDialog::filter() {
    const QStringList words = m_search->text().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<bool> used(m_sections.size(), false);
    bool any = false;
    for (const Row& row : m_rows) {
        const bool fits = std::all_of(words.begin(), words.end(),
                                      [&row](const QString& word) { return row.words.contains(word); });
        row.box->setVisible(fits);
        row.name->setText(markedWords(row.nameText, words));
        row.hint->setText(markedWords(row.hintText, words));
        used[row.section] = used[row.section] || fits;
        any = any || fits;
    }
    for (std::size_t i = 0; i < m_sections.size(); ++i) m_sections[i].title->setVisible(used[i]);
    m_nothing->setText(tr("No setting has “%1”.").arg(m_search->text().left(40)));
    m_nothing->setVisible(!any);
}

QString SettingsDialog::message() const {
    return m_message->text();
}

QStringList SettingsDialog::shownRows() const {
    QStringList names;
    for (const Row& row : m_rows)
        if (!row.box->isHidden()) names << row.nameText;
    return names;
}

QWidget* SettingsDialog::control(const QString& name) const {
    for (const Row& row : m_rows)
        if (row.nameText == name) return row.control;
    return nullptr;
}

} // namespace headscope::ui
