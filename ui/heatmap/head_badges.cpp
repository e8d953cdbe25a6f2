// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/head_badges.h"

#include "ui/heatmap/axis_labels.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <utility>

namespace headscope::ui {

namespace {

struct HeadBadges {
    Q_DECLARE_TR_FUNCTIONS(HeadBadges)
};

QString number(double value) {
    return QString::number(value, 'f', 2);
}

QString keyText(const Finding& finding, const Axis& keyAxis) {
    if (finding.detail == "learned sink") return HeadBadges::tr("the learned sink");
    if (!finding.column || *finding.column < 0 || *finding.column >= keyAxis.size())
        return HeadBadges::tr("one key");
    return axisLabelText(keyAxis.entries[static_cast<std::size_t>(*finding.column)]);
}

QString wordsOf(const Finding& finding, const Axis& keyAxis) {
    switch (finding.label) {
    case Label::Uniform:
        return HeadBadges::tr("uniform, score %1").arg(number(finding.score));
    case Label::Sink:
        return HeadBadges::tr("sink on %1, alpha %2").arg(keyText(finding, keyAxis), number(finding.score));
    case Label::Stuck:
        return HeadBadges::tr("stuck on %1, alpha %2").arg(keyText(finding, keyAxis), number(finding.score));
    default: // no flag
        break;
    }
    return {};
}

} // namespace

std::vector<HeadBadge> badgesOf(const Verdict& verdict, const Axis& keyAxis) {
    std::vector<HeadBadge> badges;
    for (const Label label : {Label::Stuck, Label::Uniform, Label::Sink}) {
        if (!verdict.fires(label) || (label == Label::Sink && verdict.fires(Label::Stuck))) continue;
        badges.push_back({label, wordsOf(*verdict.find(label), keyAxis), false});
    }
    return badges;
}

BadgeColors badgeColors(Label label, const HeatmapTheme& theme) {
    switch (label) {
    case Label::Uniform:
        return {theme.warning, theme.warningBack};
    case Label::Sink:
        return {theme.info, theme.infoBack};
    case Label::Stuck:
        return {theme.alarm, theme.alarmBack};
    default: // no flag
        break;
    }
    return {theme.muted, theme.panel};
}

void paintBadgeShape(QPainter& painter, Label label, const QRectF& box, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const QPointF middle = box.center();
    const double half = 0.5 * std::min(box.width(), box.height());
    switch (label) {
    case Label::Uniform:
        painter.drawRect(QRectF(middle.x() - half, middle.y() - 0.3 * half, 2.0 * half, 0.6 * half));
        break;
    case Label::Sink: {
        const std::array<QPointF, 3> points = {middle + QPointF(-half, -0.75 * half),
                                               middle + QPointF(half, -0.75 * half),
                                               middle + QPointF(0.0, 0.95 * half)};
        painter.drawPolygon(points.data(), 3);
        break;
    }
    case Label::Stuck:
        painter.drawRect(QRectF(middle.x() - 0.8 * half, middle.y() - 0.8 * half, 1.6 * half, 1.6 * half));
        break;
    default: // no flag
        break;
    }
    painter.restore();
}

void paintCornerBadge(QPainter& painter, Label label, const QRectF& cell, const HeatmapTheme& theme,
                      double largest) {
    paintCornerBadge(painter, HeadBadge{label, {}, false}, cell, theme, largest);
}

void paintCornerBadge(QPainter& painter, const HeadBadge& badge, const QRectF& cell,
                      const HeatmapTheme& theme, double largest) {
    const Label label = badge.label;
    if (label == Label::InsufficientEvidence) return;
    // Large cells keep it small, so that their weights stay in sight.
    const double side = std::min(0.5 * std::min(cell.width(), cell.height()), largest);
    BadgeColors colors = badgeColors(label, theme);
    if (badge.ofModel) std::swap(colors.fore, colors.back);
    const std::array<QPointF, 3> corner = {cell.topRight(), cell.topRight() + QPointF(-side, 0.0),
                                           cell.topRight() + QPointF(0.0, side)};
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.back);
    painter.drawPolygon(corner.data(), 3);
    painter.restore();
    // The largest circle in such a triangle touches its legs at 0.29 of the side.
    const double radius = 0.27 * side;
    const QPointF middle = cell.topRight() + QPointF(-0.31 * side, 0.31 * side);
    paintBadgeShape(painter, label, QRectF(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius),
                    colors.fore);
}

} // namespace headscope::ui
