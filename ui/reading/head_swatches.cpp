// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/head_swatches.h"

#include "ui/heatmap/contrast.h"

#include <QPainter>

#include <algorithm>

namespace headscope::ui {

namespace {
constexpr int kGap = 4;
constexpr int kTop = 4; ///< in the middle of the picker beside it
} // namespace

HeadSwatch::HeadSwatch(int head, QWidget* parent) : QAbstractButton(parent), m_head(head) {
    setCheckable(true);
    setFocusPolicy(Qt::TabFocus);
    setText(QString::number(head));
    setAccessibleName(tr("Head %1").arg(head));
    setCursor(Qt::PointingHandCursor);
}

void HeadSwatch::setLook(const QColor& color, const HeatmapTheme& theme) {
    m_color = color;
    m_theme = theme;
    update();
}

void HeadSwatch::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5);
    const bool lifted = underMouse() || hasFocus();
    painter.setPen(QPen(hasFocus() ? m_theme.accent
                        : lifted   ? m_theme.muted
                                   : m_theme.hairline,
                        hasFocus() ? 2.0 : 1.0));
    painter.setBrush(isChecked() ? QBrush(m_color) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(box, 4.0, 4.0);
    if (isChecked() && hasFocus()) { // the ring is seen on its own colour too
        painter.setPen(QPen(m_theme.panel, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(1.5, 1.5, -1.5, -1.5), 3.0, 3.0);
    }
    painter.setPen(isChecked() ? readableOn(m_color) : m_theme.muted);
    painter.drawText(rect(), Qt::AlignCenter, text());
}

HeadSwatches::HeadSwatches(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Heads of the layer that are drawn"));
}

void HeadSwatches::setHeads(const std::vector<int>& heads) {
    const bool same = std::equal(heads.begin(), heads.end(), m_swatches.begin(), m_swatches.end(),
                                 [](int head, const HeadSwatch* swatch) { return head == swatch->head(); });
    if (same) return;
    for (HeadSwatch* swatch : m_swatches) {
        swatch->hide();
        swatch->deleteLater();
    }
    m_swatches.clear();
    for (const int head : heads) {
        auto* swatch = new HeadSwatch(head, this);
        connect(swatch, &QAbstractButton::clicked, this, [this, head] { Q_EMIT toggled(head); });
        swatch->show();
        m_swatches.push_back(swatch);
    }
    arrange(width(), true);
    updateGeometry();
}

int HeadSwatches::arrange(int width, bool place) const {
    int x = 0;
    int y = kTop;
    int height = 0;
    for (HeadSwatch* swatch : m_swatches) {
        const QSize size = swatch->sizeHint();
        if (x > 0 && x + size.width() > width) {
            x = 0;
            y += size.height() + kGap;
        }
        if (place) swatch->setGeometry(QRect(QPoint(x, y), size));
        x += size.width() + kGap;
        height = y + size.height();
    }
    return height;
}

int HeadSwatches::heightForWidth(int width) const {
    return arrange(width, false);
}

QSize HeadSwatches::minimumSizeHint() const {
    return {m_swatches.empty() ? 0 : 60, m_swatches.empty() ? 0 : 22 + kTop};
}

void HeadSwatches::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange(width(), true);
}

} // namespace headscope::ui
