// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/entropy_chart.h"

#include "ui/format.h"
#include "ui/heatmap/head_badges.h"
#include "ui/theme.h"

#include <QChart>
#include <QChartView>
#include <QGraphicsLayout>
#include <QHelpEvent>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <QScatterSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>
#include <functional>

namespace headscope::ui {
namespace {

constexpr double kHitRadius = 9.0;
constexpr double kSpread = 0.72; ///< share of a layer's width that its heads take

/// A chart view that reports where it was pressed and asked.
class PlainChartView final : public QChartView {
  public:
    using QChartView::QChartView;
    std::function<void(QPointF)> pressed;
    std::function<QString(QPointF)> tip;
    std::function<bool(QPointF)> hits;

  protected:
    void mousePressEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton && pressed) pressed(event->position());
    }
    void mouseMoveEvent(QMouseEvent* event) override {
        setCursor(hits && hits(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    }
    bool viewportEvent(QEvent* event) override {
        if (event->type() == QEvent::ToolTip && tip) {
            auto* help = static_cast<QHelpEvent*>(event);
            QToolTip::showText(help->globalPos(), tip(help->pos()), this);
            return true;
        }
        return QChartView::viewportEvent(event);
    }
};

QImage badgeImage(Label label, const QColor& color) {
    constexpr int kSize = 40; // drawn at 10: sharp on any screen
    QImage image(kSize, kSize, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    paintBadgeShape(painter, label, QRectF(3, 3, kSize - 6, kSize - 6), color);
    return image;
}

/// 1, 2 or 5 times a power of ten, so that about three lines divide 0..top.
double niceStep(double top) {
    const double rough = top / 3.0;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (rough <= factor * power) return factor * power;
    }
    return 10.0 * power;
}

} // namespace

struct EntropyChart::Private {
    std::vector<EntropyPoint> points;
    HeadRef selected;
    PlainChartView* view = nullptr;
    QChart* chart = nullptr;
    QValueAxis* x = nullptr;
    QValueAxis* y = nullptr;
    QScatterSeries* plain = nullptr;
    QScatterSeries* flagged[3] = {}; ///< sink, uniform, stuck
    QScatterSeries* ring = nullptr;
    int heads = 1;

    QPointF value(const EntropyPoint& point) const {
        const double within = (point.head.head.value + 0.5) / heads - 0.5;
        return {point.head.layer.value + kSpread * within, point.below};
    }

    const EntropyPoint* at(QPointF position) const {
        const EntropyPoint* best = nullptr;
        double bestDistance = kHitRadius;
        for (const EntropyPoint& point : points) {
            const QPointF place = chart->mapToPosition(value(point), plain);
            const double distance = std::hypot(place.x() - position.x(), place.y() - position.y());
            if (distance <= bestDistance) {
                bestDistance = distance;
                best = &point;
            }
        }
        return best;
    }

    QScatterSeries* seriesFor(Label label) const {
        switch (label) {
        case Label::Sink:
            return flagged[0];
        case Label::Uniform:
            return flagged[1];
        case Label::Stuck:
            return flagged[2];
        default: // no flag
            break;
        }
        return plain;
    }

    QScatterSeries* add(double size) const {
        auto* series = new QScatterSeries;
        series->setMarkerSize(size);
        chart->addSeries(series);
        series->attachAxis(x);
        series->attachAxis(y);
        return series;
    }

    void applyTheme() const {
        const ThemeColors& c = Theme::instance().colors();
        chart->setBackgroundVisible(false);
        view->setStyleSheet(QStringLiteral("background: transparent; border: none;"));
        for (QValueAxis* axis : {x, y}) {
            axis->setLabelsColor(c.muted);
            axis->setLabelsFont(Theme::font(metrics::kSection));
            axis->setGridLinePen(QPen(c.hairline, 1.0));
            axis->setLinePen(Qt::NoPen);
        }
        const auto paint = [](QScatterSeries* series, const QColor& color) {
            series->setBrush(color);
            series->setPen(Qt::NoPen);
        };
        QColor quiet = c.muted;
        quiet.setAlphaF(0.75F);
        paint(plain, quiet);
        // The forms of the badges, so that colour is never alone.
        flagged[0]->setLightMarker(badgeImage(Label::Sink, c.accent));
        flagged[1]->setLightMarker(badgeImage(Label::Uniform, c.warning));
        flagged[2]->setLightMarker(badgeImage(Label::Stuck, c.alarm));
        ring->setBrush(Qt::NoBrush);
        ring->setPen(QPen(c.text, 2.0));
    }

    void showRing() const {
        ring->clear();
        for (const EntropyPoint& point : points) {
            if (point.head == selected) ring->append(value(point));
        }
    }
};

EntropyChart::EntropyChart(QWidget* parent) : QWidget(parent), m_d(std::make_unique<Private>()) {
    Private& d = *m_d;
    d.chart = new QChart;
    d.view = new PlainChartView(d.chart, this);
    d.view->setRenderHint(QPainter::Antialiasing);
    d.view->setMouseTracking(true);
    d.view->setFocusPolicy(Qt::NoFocus); // the grid is the keyboard's way to every head
    d.chart->legend()->hide();
    d.chart->setMargins({0, 0, 0, 0});
    d.chart->layout()->setContentsMargins(0, 0, 0, 0);
    d.chart->setBackgroundRoundness(0);
    d.x = new QValueAxis;
    d.y = new QValueAxis;
    d.x->setGridLineVisible(false);
    d.x->setLabelFormat(QStringLiteral("%d"));
    d.x->setTickType(QValueAxis::TicksDynamic);
    d.x->setTickAnchor(0.0);
    d.y->setTickType(QValueAxis::TicksDynamic);
    d.y->setTickAnchor(0.0);
    d.chart->addAxis(d.x, Qt::AlignBottom);
    d.chart->addAxis(d.y, Qt::AlignLeft);
    d.plain = d.add(6.0);
    d.flagged[0] = d.add(10.0);
    d.flagged[1] = d.add(10.0);
    d.flagged[2] = d.add(10.0);
    d.ring = d.add(13.0);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(d.view);
    setAccessibleName(tr("Entropy by layer, nats below uniform"));

    const auto local = [this](QPointF position) {
        return m_d->at(m_d->view->mapToScene(position.toPoint()));
    };
    d.view->pressed = [this, local](QPointF position) {
        if (const EntropyPoint* point = local(position)) Q_EMIT headActivated(point->head);
    };
    d.view->hits = [local](QPointF position) { return local(position) != nullptr; };
    d.view->tip = [local](QPointF position) {
        const EntropyPoint* point = local(position);
        if (point == nullptr) return QString();
        return tr("Head %1: %2 nats below uniform")
            .arg(QString::fromStdString(headText(point->head)), numberText(point->below));
    };
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_d->applyTheme(); });
    d.applyTheme();
    setPoints({});
}

EntropyChart::~EntropyChart() = default;

void EntropyChart::setPoints(const std::vector<EntropyPoint>& points) {
    Private& d = *m_d;
    d.points = points;
    int layers = 1;
    d.heads = 1;
    double top = 0.0;
    for (const EntropyPoint& point : points) {
        layers = std::max(layers, point.head.layer.value + 1);
        d.heads = std::max(d.heads, point.head.head.value + 1);
        top = std::max(top, point.below);
    }
    const double step = niceStep(std::max(top, 0.1));
    d.x->setRange(-0.5, layers - 0.5);
    d.x->setTickInterval(std::max(1.0, std::ceil(layers / 12.0)));
    d.y->setRange(0.0, std::max(top, 0.1) * 1.08);
    d.y->setTickInterval(step);
    d.y->setLabelFormat(step >= 1.0 ? QStringLiteral("%.0f") : QStringLiteral("%.1f"));
    for (QScatterSeries* series : {d.plain, d.flagged[0], d.flagged[1], d.flagged[2]}) {
        series->clear();
    }
    for (const EntropyPoint& point : points) {
        d.seriesFor(point.label)->append(d.value(point));
    }
    d.showRing();
    d.view->setVisible(!points.empty());
    update();
}

void EntropyChart::setSelected(const HeadRef& head) {
    m_d->selected = head;
    m_d->showRing();
}

QPointF EntropyChart::positionOf(const HeadRef& head) const {
    for (const EntropyPoint& point : m_d->points) {
        if (point.head != head) continue;
        const QPointF scene = m_d->chart->mapToPosition(m_d->value(point), m_d->plain);
        return m_d->view->mapTo(this, m_d->view->mapFromScene(scene));
    }
    return {-1.0, -1.0};
}

std::size_t EntropyChart::size() const {
    return m_d->points.size();
}

void EntropyChart::paintEvent(QPaintEvent*) {
    if (!m_d->points.empty()) return;
    // The empty state: the ground line and where the numbers will stand.
    QPainter painter(this);
    painter.setPen(Theme::instance().colors().hairline);
    painter.drawLine(0, height() - 18, width(), height() - 18);
    painter.setPen(Theme::instance().colors().muted);
    painter.setFont(Theme::font(12));
    painter.drawText(rect().adjusted(0, 0, 0, -18), Qt::AlignCenter,
                     tr("A point for every head, after a run"));
}

} // namespace headscope::ui
