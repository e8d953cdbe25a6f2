// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.h"

#include "ui/theme.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>

namespace headscope::ui {

namespace {

constexpr double kGap = 4.0;
constexpr double kLine = 15.0; ///< a line of labels
constexpr double kHitRadius = 9.0;
constexpr double kRowPitch = 34.0;    ///< at least, between the lines of a grid
constexpr double kWidestNames = 0.38; ///< share of the width that names at the left may take
constexpr double kThickestBar = 20.0; ///< of those to the right
constexpr double kFullHeight = 160.0; ///< of plots whose points have their full size
constexpr double kLeastPlot = 24.0;   ///< however small the widget

QFontMetricsF labelMetrics() {
    return QFontMetricsF(chartFont(ChartText::Role::Label));
}

double widthOf(const QString& text) {
    return std::ceil(labelMetrics().horizontalAdvance(text));
}

double heightOf(const QString& text, ChartText::Role role, double width) {
    return std::ceil(QFontMetricsF(chartFont(role))
                         .boundingRect(QRectF(0, 0, width, 1e4), Qt::AlignLeft | Qt::TextWordWrap, text)
                         .height());
}

bool isUpright(const ChartLine& line) {
    return line.points.size() > 1 && line.points.front().x() == line.points.back().x();
}

/// From one of the round numbers to the next, so that labels this wide have room. `pitch`: pixels of one.
double countStep(double width, double pitch) {
    constexpr std::array kSteps{1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 25.0, 50.0};
    for (const double step : kSteps)
        if (step * pitch >= width + 8.0) return step;
    return niceStep((width + 8.0) / pitch);
}

/// A round number that is at least `atLeast`, unless then not even one step would fit below `high`.
double fittingStep(double atLeast, double high) {
    const double step = niceStep(atLeast);
    if (high <= 0.0 || step <= high) return step;
    const double above = niceStep(high); // 1, 2 or 5: the next lower one is 0.5, 0.5 or 0.4 of it
    if (above <= high * (1.0 + 1e-9)) return above;
    return niceStep(0.39 * above);
}

} // namespace

QFont chartFont(ChartText::Role role) {
    QFont font = Theme::font(metrics::kSection);
    if (role == ChartText::Role::Caption) font = Theme::font(12);
    if (role == ChartText::Role::Title) font = Theme::font(metrics::kText, QFont::DemiBold);
    font.setHintingPreference(QFont::PreferNoHinting); // the same widths on paper
    return font;
}

double niceStep(double atLeast) {
    const double power = std::pow(10.0, std::floor(std::log10(atLeast)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (atLeast <= factor * power * (1.0 + 1e-9)) return factor * power;
    return 10.0 * power;
}

QString tickText(double value, double step) {
    const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);
    QString text = QString::number(std::abs(value), 'f', decimals);
    return value < -0.5 * step ? QChar(0x2212) + text : text;
}

ChartLayout::ChartLayout(const ChartPlot& plot, const QSizeF& size, const ChartLayoutOptions& options)
    : m_size(size), m_x(plot.x), m_y(plot.y), m_area(QPointF(0, 0), size) {
    placeHead(plot, options);
    placeFoot(plot, options);
    // Half a label stands above the highest line.
    m_area.setTop(m_area.top() + kLine / 2.0);
    m_area.setBottom(std::max(m_area.bottom() - kLine - kGap, m_area.top() + kLeastPlot));
    if (m_y.kind == ChartAxis::Ticks::Numbers)
        m_yStep = fittingStep((m_y.high - m_y.low) * kRowPitch / m_area.height(), m_y.high);
    placeSides(plot);
    placeYTicks(m_y);
    placeXTicks(m_x);
    placeLineLabels(plot);
}

void ChartLayout::placeHead(const ChartPlot& plot, const ChartLayoutOptions& options) {
    const auto add = [this](ChartText::Role role, const QString& text, double height) {
        m_texts.push_back({role, QRectF(m_area.left(), m_area.top(), m_area.width(), height),
                           Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text});
        m_area.setTop(m_area.top() + height + kGap);
    };
    if (options.title && !plot.title.isEmpty())
        add(ChartText::Role::Title, plot.title, heightOf(plot.title, ChartText::Role::Title, m_size.width()));
    if (!plot.caption.isEmpty())
        add(ChartText::Role::Caption, plot.caption,
            heightOf(plot.caption, ChartText::Role::Caption, m_size.width()));
    if (!options.compact && !m_y.title.isEmpty())
        add(ChartText::Role::Label, m_y.title, heightOf(m_y.title, ChartText::Role::Label, m_size.width()));
    const bool labelled = std::any_of(plot.lines.begin(), plot.lines.end(), [](const ChartLine& line) {
        return isUpright(line) && !line.label.isEmpty();
    });
    if (labelled) m_area.setTop(m_area.top() + kLine / 2.0);
}

void ChartLayout::placeFoot(const ChartPlot& plot, const ChartLayoutOptions& options) {
    const auto add = [this](const QString& text, int alignment) {
        const double height = heightOf(text, ChartText::Role::Label, m_size.width());
        m_area.setBottom(m_area.bottom() - height);
        m_texts.push_back({ChartText::Role::Label, QRectF(0, m_area.bottom(), m_size.width(), height),
                           alignment | Qt::AlignTop | Qt::TextWordWrap, text});
    };
    if (!plot.note.isEmpty()) add(plot.note, Qt::AlignLeft);
    const bool named = m_x.kind == ChartAxis::Ticks::Counts; // its first label says it
    if (!options.compact && !named && !m_x.title.isEmpty()) add(m_x.title, Qt::AlignRight);
}

void ChartLayout::placeSides(const ChartPlot& plot) {
    double left = 0.0;
    if (m_y.kind == ChartAxis::Ticks::Numbers) {
        for (double at = std::ceil(m_y.low / m_yStep) * m_yStep; at <= m_y.high; at += m_yStep)
            left = std::max(left, widthOf(tickText(at, m_yStep)));
    } else {
        for (const ChartTick& tick : m_y.named) left = std::max(left, widthOf(tick.text));
        left = std::min(left, std::floor(kWidestNames * m_size.width()));
    }
    double right = kGap;
    for (const ChartItem& item : plot.items)
        if (item.shape == ChartItem::Shape::BarRight && !item.label.isEmpty() && item.drawn)
            right = std::max(right, widthOf(item.label) + 2 * kGap);
    for (const ChartLine& line : plot.lines)
        if (!isUpright(line) && !line.label.isEmpty())
            right = std::max(right, widthOf(line.label) + 2 * kGap);
    m_area.setLeft(left > 0.0 ? left + 8.0 : kGap);
    m_area.setRight(std::max(m_size.width() - right, m_area.left() + kLeastPlot));
}

bool ChartLayout::isFree(const QRectF& box, std::size_t since) const {
    return std::none_of(m_texts.begin() + static_cast<std::ptrdiff_t>(since), m_texts.end(),
                        [&](const ChartText& other) { return other.box.intersects(box); });
}

void ChartLayout::placeXTicks(const ChartAxis& axis) {
    const double pitch = m_area.width() / (axis.high - axis.low);
    const std::size_t since = m_texts.size();
    const auto add = [&](double at, const QString& text) {
        // A little wider than the text, so that neighbours keep apart.
        const double width = widthOf(text) + 6.0;
        const double middle = map({at, 0.0}).x();
        // Not below the lowest number of the other axis.
        const double least = m_y.kind == ChartAxis::Ticks::Numbers ? std::max(0.0, m_area.left() - 6.0) : 0.0;
        const double left = std::clamp(middle - width / 2.0, least, std::max(least, m_size.width() - width));
        const QRectF box(left, m_area.bottom() + kGap, width, kLine);
        if (isFree(box, since))
            m_texts.push_back({ChartText::Role::Label, box, Qt::AlignHCenter | Qt::AlignTop, text});
    };
    if (axis.kind == ChartAxis::Ticks::Named) {
        for (const ChartTick& tick : axis.named) add(tick.at, tick.text);
        return;
    }
    const bool counts = axis.kind == ChartAxis::Ticks::Counts;
    const double widest = widthOf(QString::number(std::floor(axis.high)));
    const double step = counts ? countStep(widest, pitch) : fittingStep(2.0 * kRowPitch / pitch, axis.high);
    if (!counts) m_xStep = step;
    const auto last = static_cast<int>(std::floor(axis.high / step + 1e-9));
    // "layer 0", unless that would stand where most of the numbers do.
    const bool isRoomy = widthOf(axis.title) < 0.3 * m_area.width();
    const auto first = static_cast<int>(std::ceil(axis.low / step - 1e-9));
    for (int i = first; i <= last; ++i) {
        const QString number =
            counts ? QString::number(static_cast<int>(i * step)) : tickText(i * step, step);
        const bool titled = counts && i == first && isRoomy && !axis.title.isEmpty();
        add(i * step, titled ? axis.title + u' ' + number : number);
    }
}

void ChartLayout::placeYTicks(const ChartAxis& axis) {
    const std::size_t since = m_texts.size();
    const QFontMetricsF metrics = labelMetrics();
    const double width = m_area.left() - 8.0;
    const auto add = [&](double at, const QString& text) {
        const double middle = map({0.0, at}).y();
        const QRectF box(0.0, middle - kLine / 2.0, width, kLine);
        if (isFree(box, since))
            m_texts.push_back({ChartText::Role::Label, box, Qt::AlignRight | Qt::AlignVCenter,
                               metrics.elidedText(text, Qt::ElideRight, width)});
    };
    if (axis.kind != ChartAxis::Ticks::Numbers) {
        for (const ChartTick& tick : axis.named) add(tick.at, tick.text);
        return;
    }
    const auto last = static_cast<int>(std::floor(axis.high / m_yStep + 1e-9));
    for (auto i = static_cast<int>(std::ceil(axis.low / m_yStep - 1e-9)); i <= last; ++i)
        add(i * m_yStep, tickText(i * m_yStep, m_yStep));
}

void ChartLayout::placeLineLabels(const ChartPlot& plot) {
    std::vector<ChartText> beside;
    for (const ChartLine& line : plot.lines) {
        if (line.label.isEmpty() || line.points.empty()) continue;
        const QPointF end = map(line.points.back());
        const double width = widthOf(line.label) + kGap;
        if (isUpright(line)) {
            const double left = std::clamp(end.x() - width / 2.0, 0.0, std::max(0.0, m_size.width() - width));
            m_texts.push_back({ChartText::Role::Label, QRectF(left, m_area.top() - kLine, width, kLine),
                               Qt::AlignHCenter | Qt::AlignTop, line.label});
        } else {
            beside.push_back({ChartText::Role::Label,
                              QRectF(m_area.right() + kGap, end.y() - kLine / 2.0, width, kLine),
                              Qt::AlignLeft | Qt::AlignVCenter, line.label});
        }
    }
    std::sort(beside.begin(), beside.end(),
              [](const ChartText& a, const ChartText& b) { return a.box.top() > b.box.top(); });
    double floor = m_area.bottom() + kLine / 2.0;
    for (ChartText& text : beside) { // from below up
        if (text.box.bottom() > floor) text.box.moveBottom(floor);
        floor = text.box.top();
        m_texts.push_back(text);
    }
}

QPointF ChartLayout::map(QPointF value) const {
    return {m_area.left() + (value.x() - m_x.low) / (m_x.high - m_x.low) * m_area.width(),
            m_area.bottom() - (value.y() - m_y.low) / (m_y.high - m_y.low) * m_area.height()};
}

QRectF ChartLayout::itemBox(const ChartItem& item, double pointSize) const {
    if (!item.drawn) return labelBox(item);
    const QPointF end = map(item.value);
    switch (item.shape) {
    case ChartItem::Shape::BarUp: {
        const double left = map({item.low, 0.0}).x();
        const double bottom = map({0.0, 0.0}).y();
        return {left, end.y(), map({item.high, 0.0}).x() - left, bottom - end.y()};
    }
    case ChartItem::Shape::BarRight: {
        const double height = std::min(map({0.0, item.low}).y() - map({0.0, item.high}).y(), kThickestBar);
        const double left = map({0.0, 0.0}).x();
        return {left, end.y() - height / 2.0, end.x() - left, height};
    }
    case ChartItem::Shape::Point:
        break;
    }
    // Small plots have small points, or these cover each other.
    const double scale = std::clamp(m_area.height() / kFullHeight, 0.75, 1.0);
    const double side = scale * (item.form == Label::InsufficientEvidence ? pointSize : pointSize + 4.0);
    return {end.x() - side / 2.0, end.y() - side / 2.0, side, side};
}

QRectF ChartLayout::labelBox(const ChartItem& item) const {
    if (item.label.isEmpty()) return {};
    QPointF end = map(item.value);
    if (item.drawn) end.setX(m_area.right()); // numbers stand in one column
    return {end.x() + kGap, end.y() - kLine / 2.0, widthOf(item.label) + 2.0, kLine};
}

std::optional<std::size_t> ChartLayout::itemAt(const ChartPlot& plot, QPointF position) const {
    std::optional<std::size_t> best;
    double nearest = kHitRadius;
    for (std::size_t i = 0; i < plot.items.size(); ++i) {
        const ChartItem& item = plot.items[i];
        const QRectF box = itemBox(item, plot.pointSize);
        if (item.shape == ChartItem::Shape::BarUp) {
            if (position.x() >= box.left() && position.x() < box.right() && position.y() >= m_area.top() &&
                position.y() <= m_area.bottom() + kGap)
                return i;
        } else if (item.shape == ChartItem::Shape::BarRight) {
            const double half = 0.5 * (map({0.0, 0.0}).y() - map({0.0, 1.0}).y()); // its whole row
            if (std::abs(map(item.value).y() - position.y()) < half) return i;
        } else if (!item.drawn) {
            if (box.contains(position)) return i;
        } else {
            const QPointF away = box.center() - position;
            const double distance = std::hypot(away.x(), away.y());
            if (distance <= nearest) {
                nearest = distance;
                best = i;
            }
        }
    }
    return best;
}

} // namespace headscope::ui
