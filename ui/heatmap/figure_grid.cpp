// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/figure_layout.h"
#include "ui/heatmap/figure_painter.h"
#include "ui/heatmap/thumbnail_image.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

struct Figure {
    Q_DECLARE_TR_FUNCTIONS(Figure)
};

using figure::GridLayout;
using figure::kUnitsPerPoint;

QString flagText(Label label, int count) {
    switch (label) {
    case Label::Uniform:
        return Figure::tr("uniform (%1)").arg(count);
    case Label::Sink:
        return Figure::tr("sink (%1)").arg(count);
    case Label::Stuck:
        return Figure::tr("stuck (%1)").arg(count);
    default: // no flag
        break;
    }
    return Figure::tr("too short to judge (%1)").arg(count);
}

int countOf(const GridFigure& figure, Label label) {
    return static_cast<int>(
        std::count_if(figure.cells.begin(), figure.cells.end(), [label](const auto& cell) {
            return std::any_of(cell.badges.begin(), cell.badges.end(),
                               [label](const HeadBadge& badge) { return badge.label == label; });
        }));
}

void paintNumbers(QPainter& painter, const GridLayout& layout, const GridFigure& figure,
                  const FigureOptions& options) {
    const QFontMetricsF metrics(layout.frame.font);
    painter.setFont(layout.frame.font);
    painter.setPen(options.theme.muted);
    const double baseline = layout.top - 0.5 * layout.frame.gap - metrics.descent();
    const double widest =
        metrics.horizontalAdvance(QString::number(figure.heads - 1)) + 0.3 * layout.frame.line;
    const int stepX = std::max(1, static_cast<int>(std::ceil(widest / layout.pitch)));
    for (int head = 0; head < figure.heads; head += stepX) {
        const QString text = QString::number(head);
        const double x = layout.cellRect(0, head).center().x() - 0.5 * metrics.horizontalAdvance(text);
        painter.drawText(QPointF(x, baseline), text);
    }
    const int stepY = std::max(1, static_cast<int>(std::ceil(0.9 * layout.frame.line / layout.pitch)));
    for (int layer = 0; layer < figure.layers; layer += stepY) {
        const QString text = QString::number(layer);
        const double x = layout.left - layout.frame.gap - metrics.horizontalAdvance(text);
        painter.drawText(QPointF(x, layout.cellRect(layer, 0).center().y() + 0.5 * metrics.capHeight()),
                         text);
    }
    const QString headCaption = options.xLabel.isNull() ? Figure::tr("head") : options.xLabel;
    const QString layerCaption = options.yLabel.isNull() ? Figure::tr("layer") : options.yLabel;
    const double xRoom = layout.frame.width - layout.frame.margin - layout.left;
    painter.drawText(QPointF(layout.left, baseline - layout.frame.line),
                     metrics.elidedText(headCaption, Qt::ElideRight, xRoom));
    const double bottom = layout.cellRect(figure.layers - 1, 0).bottom();
    figure::paintSideTitle(painter, layout.frame, layerCaption,
                           {layout.frame.margin + metrics.ascent(), layout.top, bottom});
}

/// The forms of the flags with their words and how many heads have them.
void paintFlags(QPainter& painter, const GridLayout& layout, const GridFigure& figure,
                const FigureOptions& options) {
    const QFontMetricsF metrics(layout.frame.font);
    painter.setFont(layout.frame.font);
    double x = layout.left;
    const double side = 0.62 * layout.frame.line;
    for (const Label label : layout.flags) {
        const QString text = flagText(label, countOf(figure, label));
        const QRectF box(x, layout.flagsTop + 0.5 * (layout.frame.line - side), side, side);
        paintBadgeShape(painter, label, box, badgeColors(label, options.theme).fore);
        painter.setPen(options.theme.text);
        painter.drawText(QPointF(box.right() + 0.3 * layout.frame.line, layout.flagsTop + metrics.ascent()),
                         text);
        x = box.right() + metrics.horizontalAdvance(text) + 1.5 * layout.frame.line;
    }
}

} // namespace

QSizeF gridFigureSize(const GridFigure& figure, const FigureOptions& options) {
    const GridLayout layout(figure, options);
    return QSizeF(layout.frame.width, layout.height) / kUnitsPerPoint;
}

void paintGridFigure(QPainter& painter, const QSizeF& size, const GridFigure& figure,
                     const FigureOptions& options) {
    const GridLayout layout(figure, options);
    figure::begin(painter, size, options);
    figure::paintTitle(painter, layout.frame, options);
    paintNumbers(painter, layout, figure, options);
    for (int layer = 0; layer < figure.layers; ++layer)
        for (int head = 0; head < figure.heads; ++head) {
            const GridFigureCell& cell = figure.cells[static_cast<std::size_t>(layer * figure.heads + head)];
            const QRectF rect = layout.cellRect(layer, head);
            const QImage image =
                thumbnailImage(cell.thumbnail, {layout.cellDots, layout.cellDots},
                               resolve(options.range, cell.statistics), options.colormap, options.theme);
            if (image.isNull())
                painter.fillRect(rect, options.theme.skeleton);
            else
                painter.drawImage(rect, image);
            if (!cell.badges.empty())
                paintCornerBadge(painter, cell.badges.front().label, rect, options.theme, layout.frame.line);
        }
    paintFlags(painter, layout, figure, options);
    paintLegend(painter, layout.legendRect, layout.legend, layout.frame.font, options.theme);
    painter.restore();
}

} // namespace headscope::ui
