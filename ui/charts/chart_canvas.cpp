// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_canvas.h"

#include "ui/heatmap/head_badges.h"

#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QPolygonF>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace headscope::ui {

namespace {

QColor faded(QColor color, float alpha) {
    color.setAlphaF(alpha);
    return color;
}

/// On the screen's own pixels, so that no edge is blurred.
QRectF onPixels(const QRectF& box) {
    const double left = std::round(box.left());
    const double top = std::round(box.top());
    return {left, top, std::max(1.0, std::round(box.right()) - left),
            std::max(box.height() > 0.0 ? 1.0 : 0.0, std::round(box.bottom()) - top)};
}

/// What is painted of a standing bar: neighbours keep apart where they are wide enough for it.
QRectF withGap(const QRectF& box, bool sharp) {
    if (sharp) {
        const QRectF whole = onPixels(box);
        return whole.width() >= 4.0 ? whole.adjusted(0.0, 0.0, -1.0, 0.0) : whole;
    }
    const double gap = 0.08 * box.width();
    return box.adjusted(gap, 0.0, -gap, 0.0);
}

void paintBar(QPainter& painter, const ChartItem& item, const QRectF& box, bool sharp) {
    if (item.shape == ChartItem::Shape::BarUp)
        painter.drawRect(withGap(box, sharp));
    else
        painter.drawRect(sharp ? onPixels(box) : box);
}

QPen penOf(const ChartLine& line, const ThemeColors& colors) {
    QPen pen(inkColor(line.ink, colors), 1.0, line.dashed ? Qt::CustomDashLine : Qt::SolidLine);
    if (line.dashed) pen.setDashPattern({4.0, 3.0});
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::MiterJoin);
    return pen;
}

bool hasBars(const ChartPlot& plot) {
    return std::any_of(plot.items.begin(), plot.items.end(),
                       [](const ChartItem& item) { return item.shape == ChartItem::Shape::BarUp; });
}

} // namespace

QColor inkColor(ChartInk ink, const ThemeColors& colors) {
    switch (ink) {
    case ChartInk::Accent:
        return colors.accent;
    case ChartInk::Info:
        return colors.info;
    case ChartInk::Warning:
        return colors.warning;
    case ChartInk::Alarm:
        return colors.alarm;
    case ChartInk::Faint:
        return faded(colors.muted, 0.40F);
    case ChartInk::Quiet:
        break;
    }
    return faded(colors.muted, 0.75F);
}

struct ChartCanvas::Private {
    QGraphicsScene scene;
    QChart* chart = new QChart; ///< the scene's
    QValueAxis* x = new QValueAxis;
    QValueAxis* y = new QValueAxis;
    QLineSeries* ground = new QLineSeries; ///< invisible: what positions are asked of
};

ChartCanvas::ChartCanvas(const ChartPlot& plot, const ChartLayout& layout, const ThemeColors& colors)
    : m_plot(plot), m_layout(layout), m_colors(colors), m_d(std::make_unique<Private>()) {
    QChart& chart = *m_d->chart;
    m_d->scene.addItem(&chart);
    m_d->scene.setSceneRect(QRectF(QPointF(0, 0), layout.size()));
    chart.legend()->hide();
    chart.setBackgroundVisible(false);
    chart.setMargins({0, 0, 0, 0});
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    chart.resize(layout.size());
    addAxes();
    if (!hasBars(plot))
        for (const ChartLine& line : plot.lines) addLine(line);
    chart.setPlotArea(layout.area());
    chart.layout()->activate(); // no event loop does it before it is painted
}

ChartCanvas::~ChartCanvas() = default;

void ChartCanvas::addAxes() {
    const auto dress = [this](QValueAxis& axis, const ChartAxis& from, double step) {
        axis.setRange(from.low, from.high);
        axis.setLabelsVisible(false); // they are placed by the layout, which cuts none short
        axis.setLineVisible(false);
        axis.setGridLineVisible(step > 0.0);
        axis.setGridLinePen(QPen(m_colors.hairline, 1.0));
        if (step <= 0.0) return;
        axis.setTickType(QValueAxis::TicksDynamic);
        axis.setTickAnchor(0.0);
        axis.setTickInterval(step);
    };
    dress(*m_d->x, m_plot.x, m_layout.xStep());
    dress(*m_d->y, m_plot.y, m_layout.yStep());
    m_d->chart->addAxis(m_d->x, Qt::AlignBottom);
    m_d->chart->addAxis(m_d->y, Qt::AlignLeft);
    m_d->ground->setPen(Qt::NoPen);
    m_d->chart->addSeries(m_d->ground);
    m_d->ground->attachAxis(m_d->x);
    m_d->ground->attachAxis(m_d->y);
}

void ChartCanvas::addLine(const ChartLine& line) {
    auto* series = new QLineSeries;
    series->setPen(penOf(line, m_colors));
    for (const QPointF& point : line.points) series->append(point);
    m_d->chart->addSeries(series);
    series->attachAxis(m_d->x);
    series->attachAxis(m_d->y);
}

QPointF ChartCanvas::chartPosition(QPointF value) const {
    return m_d->chart->mapToPosition(value, m_d->ground);
}

void ChartCanvas::paint(QPainter& painter, bool sharp) const {
    const QRectF all(QPointF(0, 0), m_layout.size());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, !sharp);
    m_d->scene.render(&painter, all, all, Qt::IgnoreAspectRatio);
    painter.restore();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const ChartItem& item : m_plot.items) paintItem(painter, item, sharp);
    if (hasBars(m_plot)) paintLinesOver(painter, sharp);
    paintTexts(painter);
    painter.restore();
}

void ChartCanvas::paintItem(QPainter& painter, const ChartItem& item, bool sharp) const {
    const QColor color = inkColor(item.ink, m_colors);
    if (!item.label.isEmpty()) {
        painter.setFont(chartFont(ChartText::Role::Label));
        painter.setPen(item.drawn ? m_colors.text : m_colors.muted);
        painter.drawText(m_layout.labelBox(item), Qt::AlignLeft | Qt::AlignVCenter, item.label);
    }
    if (!item.drawn) return;
    const QRectF box = m_layout.itemBox(item, m_plot.pointSize);
    if (item.stem) {
        const double y = sharp ? std::floor(box.center().y()) + 0.5 : box.center().y();
        painter.setPen(QPen(m_colors.hairline, 1.0));
        painter.drawLine(QPointF(m_layout.area().left(), y), QPointF(box.left(), y));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    if (item.shape != ChartItem::Shape::Point) {
        paintBar(painter, item, box, sharp);
        if (item.reference) {
            const double x = m_layout.map({*item.reference, 0.0}).x();
            const QRectF stroke(x - 1.0, box.top() - 4.0, 2.0, box.height() + 8.0);
            painter.setBrush(m_colors.warning);
            painter.drawRect(sharp ? onPixels(stroke) : stroke);
        }
    } else if (item.form != Label::InsufficientEvidence) {
        paintBadgeShape(painter, item.form, box, color);
    } else if (item.hollow) {
        painter.setBrush(m_colors.panel);
        painter.setPen(QPen(color, 1.5));
        painter.drawEllipse(box.adjusted(0.75, 0.75, -0.75, -0.75));
    } else {
        painter.drawEllipse(box);
    }
}

void ChartCanvas::paintLinesOver(QPainter& painter, bool sharp) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, !sharp);
    for (const ChartLine& line : m_plot.lines) {
        QPolygonF path;
        for (const QPointF& point : line.points) path << m_layout.map(point);
        painter.setPen(penOf(line, m_colors));
        painter.drawPolyline(path);
    }
    painter.restore();
}

void ChartCanvas::paintTexts(QPainter& painter) const {
    for (const ChartText& text : m_layout.texts()) {
        painter.setFont(chartFont(text.role));
        painter.setPen(text.role == ChartText::Role::Label ? m_colors.muted : m_colors.text);
        painter.drawText(text.box, text.alignment, text.text);
    }
}

void paintChartRing(QPainter& painter, const ChartItem& item, const QRectF& box, const QColor& color) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 2.0));
    if (item.shape == ChartItem::Shape::Point && item.drawn)
        painter.drawEllipse(box.center(), box.width() / 2.0 + 2.5, box.height() / 2.0 + 2.5);
    else
        painter.drawRoundedRect(box.adjusted(-2.0, -2.0, 2.0, 2.0), 2.0, 2.0);
}

} // namespace headscope::ui
