// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/pill.h"

#include "ui/heatmap/head_badges.h"
#include "ui/heatmap_colors.h"
#include "ui/theme.h"

#include <QFontMetrics>
#include <QPainter>

namespace headscope::ui {
namespace {
constexpr int kHeight = 22;
constexpr int kPadding = 9;
constexpr int kShape = 8;
constexpr int kGap = 6;
} // namespace

Pill::Pill(Label label, const QString& text, QWidget* parent) : QWidget(parent), m_label(label) {
    setFont(Theme::font(12, QFont::DemiBold));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
    setText(text);
}

void Pill::setText(const QString& text) {
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

void Pill::setMuted(bool muted) {
    m_muted = muted;
    update();
}

QSize Pill::sizeHint() const {
    const int shape = isFlag(m_label) ? kShape + kGap : 0;
    return {2 * kPadding + shape + QFontMetrics(font()).horizontalAdvance(m_text) + 1, kHeight};
}

QSize Pill::minimumSizeHint() const {
    return {2 * kPadding + kShape + kGap + 24, kHeight};
}

void Pill::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    BadgeColors badge = badgeColors(m_label, heatmapColors(colors));
    if (m_muted || !isFlag(m_label)) badge = {colors.muted, colors.window};
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(badge.back);
    const QRectF box(0, (height() - kHeight) / 2.0, width(), kHeight);
    painter.drawRoundedRect(box, kHeight / 2.0, kHeight / 2.0);
    double x = kPadding;
    if (isFlag(m_label)) {
        paintBadgeShape(painter, m_label, QRectF(x, box.center().y() - kShape / 2.0, kShape, kShape),
                        badge.fore);
        x += kShape + kGap;
    }
    painter.setPen(badge.fore);
    painter.setFont(font());
    const QRectF textBox(x, box.top(), width() - x - kPadding + 2, box.height());
    painter.drawText(
        textBox, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetrics(font()).elidedText(m_text, Qt::ElideRight, static_cast<int>(textBox.width())));
}

} // namespace headscope::ui
