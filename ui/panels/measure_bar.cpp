// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/measure_bar.h"

#include "ui/theme.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace headscope::ui {

MeasureBar::MeasureBar(MeasureRow row, QWidget* parent) : QWidget(parent), m_row(std::move(row)) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAccessibleName(QStringLiteral("%1: %2, %3").arg(m_row.name, m_row.value, m_row.condition));
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void MeasureBar::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);

    const QFont strong = Theme::font(metrics::kText, QFont::DemiBold);
    const QFont small = Theme::font(metrics::kSection);
    const QRect line(0, 0, width(), 20);
    painter.setFont(strong);
    painter.setPen(colors.text);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, m_row.value);
    const int valueWidth = QFontMetrics(strong).horizontalAdvance(m_row.value) + 8;
    painter.setFont(small);
    painter.setPen(colors.muted);
    const QRect conditionLine = line.adjusted(0, 0, -valueWidth, 0);
    painter.drawText(conditionLine, Qt::AlignRight | Qt::AlignVCenter, m_row.condition);
    const int taken = valueWidth + QFontMetrics(small).horizontalAdvance(m_row.condition) + 8;
    painter.setFont(Theme::font());
    painter.setPen(colors.text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(Theme::font()).elidedText(m_row.name, Qt::ElideRight, width() - taken));

    const QRectF track(0.0, 25.0, width(), 5.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.track);
    painter.drawRoundedRect(track, 2.5, 2.5);
    const double share = std::clamp(m_row.share, 0.0, 1.0);
    if (share > 0.0) {
        QRectF bar = track;
        bar.setWidth(std::max(5.0, track.width() * share));
        painter.setBrush(m_row.holds ? colors.accent : colors.muted);
        painter.drawRoundedRect(bar, 2.5, 2.5);
    }
    if (m_row.tick < 0.0) return;
    const double x = std::clamp(m_row.tick, 0.0, 1.0) * (track.width() - 2.0);
    painter.setBrush(colors.warning);
    painter.drawRect(QRectF(x, track.top() - 3.0, 2.0, track.height() + 6.0));
}

} // namespace headscope::ui
