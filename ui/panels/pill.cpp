// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/pill.h"

#include "ui/heatmap/head_badges.h"
#include "ui/heatmap_colors.h"
#include "ui/panels/label_form.h"
#include "ui/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace headscope::ui {
namespace {

constexpr int kPadding = 9;
constexpr int kShape = 8;
constexpr int kGap = 6;

int formWidth(Label label) {
    return hasForm(label) ? kShape + kGap : 0;
}

BadgeColors colorsOf(Label label, PillLook look) {
    const ThemeColors& colors = Theme::instance().colors();
    if (look == PillLook::Muted) return {colors.muted, colors.window};
    if (!isFlag(label)) return {colors.text, colors.window};
    return badgeColors(label, heatmapColors(colors));
}

} // namespace

QFont pillFont() {
    return Theme::font(12, QFont::DemiBold);
}

int pillWidth(Label label, const QString& text) {
    return 2 * kPadding + formWidth(label) + QFontMetrics(pillFont()).horizontalAdvance(text) + 1;
}

void paintPill(QPainter& painter, const QRectF& box, Label label, const QString& text, PillLook look) {
    const BadgeColors badge = colorsOf(label, look);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = std::min<double>(box.width(), pillWidth(label, text));
    QRectF shape(box.left(), box.center().y() - kPillHeight / 2.0, width, kPillHeight);
    double x = shape.left() + kPadding;
    if (look == PillLook::Outlined) {
        QColor line = badge.fore;
        line.setAlphaF(0.55F);
        painter.setPen(line);
        painter.setBrush(Qt::NoBrush);
        const QRectF inner = shape.adjusted(0.5, 0.5, -0.5, -0.5);
        painter.drawRoundedRect(inner, inner.height() / 2.0, inner.height() / 2.0);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(badge.back);
        painter.drawRoundedRect(shape, kPillHeight / 2.0, kPillHeight / 2.0);
    }
    if (hasForm(label)) {
        paintLabelForm(painter, label, QRectF(x, shape.center().y() - kShape / 2.0, kShape, kShape),
                       badge.fore);
        x += kShape + kGap;
    }
    painter.setPen(badge.fore);
    painter.setFont(pillFont());
    const QRectF words(x, shape.top(), shape.right() - x - kPadding + 2, shape.height());
    painter.drawText(
        words, Qt::AlignVCenter | Qt::AlignLeft,
        QFontMetrics(pillFont()).elidedText(text, Qt::ElideRight, static_cast<int>(words.width())));
    painter.restore();
}

Pill::Pill(Label label, const QString& text, QWidget* parent) : QWidget(parent), m_label(label) {
    setFont(pillFont());
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

void Pill::setLook(PillLook look) {
    m_look = look;
    update();
}

QSize Pill::sizeHint() const {
    return {pillWidth(m_label, m_text), kPillHeight};
}

QSize Pill::minimumSizeHint() const {
    return {2 * kPadding + kShape + kGap + 24, kPillHeight};
}

void Pill::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintPill(painter, rect(), m_label, m_text, m_look);
}

} // namespace headscope::ui
