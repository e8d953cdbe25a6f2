// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/error_banner.h"

#include "ui/icons.h"
#include "ui/panels/card.h"
#include "ui/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace headscope::ui {

ErrorBanner::ErrorBanner(QWidget* parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_sentence(roleLabel({}, "error", this)),
      m_hint(new QLabel(this)), m_button(new QPushButton(this)), m_close(new QToolButton(this)) {
    setObjectName(QStringLiteral("errorBanner"));
    m_sentence->setFont(Theme::font(metrics::kText, QFont::DemiBold));
    for (QLabel* label : {m_sentence, m_hint}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText); // what a file says is never markup
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    m_close->setProperty("role", QByteArray("flat"));
    m_close->setToolTip(tr("Dismiss the message"));
    m_close->setAccessibleName(m_close->toolTip());
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 10, 8, 10);
    layout->setSpacing(12);
    layout->addWidget(m_icon, 0, Qt::AlignTop);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_sentence);
    words->addWidget(m_hint);
    layout->addLayout(words, 1);
    layout->addWidget(m_button, 0, Qt::AlignVCenter);
    layout->addWidget(m_close, 0, Qt::AlignTop);
    connect(m_button, &QPushButton::clicked, this, [this] {
        const std::function<void()> act = m_act; // what it does may show another message
        dismiss();
        if (act) act();
    });
    connect(m_close, &QToolButton::clicked, this, &ErrorBanner::dismiss);
    connect(&Theme::instance(), &Theme::changed, this, &ErrorBanner::applyTheme);
    applyTheme();
    hide();
}

void ErrorBanner::show(const Failure& failure) {
    show(failure, {}, {});
}

void ErrorBanner::show(const Failure& failure, const QString& button, std::function<void()> act) {
    m_act = std::move(act);
    m_button->setText(button);
    m_button->setVisible(!button.isEmpty());
    m_sentence->setText(failure.sentence);
    m_hint->setText(failure.hint);
    m_hint->setVisible(!failure.hint.isEmpty());
    setAccessibleName(failure.sentence);
    setVisible(true);
    Q_EMIT shownChanged(true);
}

void ErrorBanner::dismiss() {
    if (isHidden()) return;
    hide();
    Q_EMIT shownChanged(false);
}

QString ErrorBanner::sentence() const {
    return isHidden() ? QString() : m_sentence->text();
}
QString ErrorBanner::hint() const {
    return isHidden() ? QString() : m_hint->text();
}

void ErrorBanner::applyTheme() {
    const ThemeColors& c = Theme::instance().colors();
    setStyleSheet(QStringLiteral("#errorBanner { background: %1; border: 1px solid %2; border-radius: 8px; }")
                      .arg(c.alarmBack.name(), c.alarm.name()));
    m_icon->setPixmap(iconPixmap(QStringLiteral("error"), c.alarm, 18, devicePixelRatioF()));
    m_close->setIcon(icon(QStringLiteral("close"), c.text));
}

} // namespace headscope::ui
