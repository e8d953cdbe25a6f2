// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/axis_labels.h"

#include "core/base/check.h"

#include <QPainter>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headscope::ui {

namespace {

constexpr double kSlant = 60.0; ///< degrees
const double kSin = std::sin(kSlant * std::numbers::pi / 180.0);
const double kCos = std::cos(kSlant * std::numbers::pi / 180.0);

/// Height that a line of text fills: a metric line leaves room above the capitals that neighbours may share.
double lineHeight(const QFontMetricsF& metrics) {
    return std::max(metrics.capHeight() + metrics.descent(), 0.7 * metrics.height());
}

/// Between the map and its labels.
double gapOf(const QFontMetricsF& metrics) {
    return 0.38 * metrics.height();
}

/// Between labels that stand side by side.
double besideGap(const QFontMetricsF& metrics) {
    return 0.6 * metrics.height();
}

/// The lower corner of a slanted label comes closer to the map than its middle.
double slantedGap(const QFontMetricsF& metrics) {
    return 0.16 * metrics.height() + 0.5 * lineHeight(metrics) * kCos;
}

double slantedExtent(double width, const QFontMetricsF& metrics) {
    return slantedGap(metrics) + width * kSin + 0.5 * lineHeight(metrics) * kCos;
}

double slantedWidth(double extent, const QFontMetricsF& metrics) {
    return std::max(0.0, (extent - slantedGap(metrics) - 0.5 * lineHeight(metrics) * kCos) / kSin);
}

class Layouter {
  public:
    Layouter(const AxisLabelRequest& request, const QFontMetricsF& metrics)
        : m_request(request), m_metrics(metrics), m_line(lineHeight(metrics)) {}

    AxisLabelLayout run() {
        m_layout.side = m_request.side;
        const auto entries = m_request.axis->size();
        const double end = m_request.first + m_request.length / m_request.unitsPerEntry;
        m_visible = {
            std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(m_request.first)), 0, entries),
            std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(end - 1e-9)), 0, entries)};
        if (m_visible.size() <= 0) return m_layout;
        if (m_request.side == AxisSide::Top && !fitsHorizontally()) m_layout.angle = kSlant;
        placeEmphasised();
        const auto step =
            static_cast<std::int64_t>(std::ceil(minimumPitch() / m_request.unitsPerEntry - 1e-9));
        placeEvery(std::max<std::int64_t>(step, 1));
        std::sort(m_layout.labels.begin(), m_layout.labels.end(),
                  [](const AxisLabel& a, const AxisLabel& b) { return a.index < b.index; });
        measure();
        return m_layout;
    }

  private:
    struct Range {
        std::int64_t begin = 0;
        std::int64_t end = 0;
        std::int64_t size() const { return end - begin; }
    };

    /// All visible labels side by side, without eliding. Looked at only where cells are wide, hence few.
    bool fitsHorizontally() const {
        if (m_request.unitsPerEntry < 2.0 * m_line) return false;
        for (std::int64_t i = m_visible.begin; i < m_visible.end; ++i)
            if (m_metrics.horizontalAdvance(textOf(i)) + besideGap(m_metrics) > m_request.unitsPerEntry)
                return false;
        return true;
    }

    /// Smallest distance along the axis between two labels that do not touch (those side by side fit their
    /// cells).
    double minimumPitch() const {
        if (m_request.side == AxisSide::Left) return m_line;
        return m_layout.angle > 0.0 ? m_line / kSin : 0.0;
    }

    QString textOf(std::int64_t index) const {
        return axisLabelText(m_request.axis->entries[static_cast<std::size_t>(index)]);
    }

    /// The middle of the entry's visible part; nothing when too little of it can be seen.
    bool center(std::int64_t index, double& position) const {
        const double begin = (static_cast<double>(index) - m_request.first) * m_request.unitsPerEntry;
        const double end = begin + m_request.unitsPerEntry;
        const double seenBegin = std::max(begin, 0.0);
        const double seenEnd = std::min(end, m_request.length);
        position = 0.5 * (seenBegin + seenEnd);
        return seenEnd - seenBegin >= std::min(0.5 * m_request.unitsPerEntry, m_line) - 1e-6;
    }

    AxisLabel make(std::int64_t index, double position) const {
        AxisLabel label;
        label.index = index;
        label.center = position;
        double room = m_request.maxExtent - gapOf(m_metrics);
        if (m_layout.angle > 0.0) {
            room = slantedWidth(m_request.maxExtent, m_metrics);
            const double beyond = m_request.length + m_request.roomBeyond - position - 0.5 * m_line * kSin;
            room = std::min(room, beyond / kCos);
        } else if (m_request.side == AxisSide::Top) {
            room = m_request.unitsPerEntry;
        }
        label.text = m_metrics.elidedText(textOf(index), Qt::ElideRight, std::max(room, 0.0) + 0.01);
        label.width = m_metrics.horizontalAdvance(label.text);
        return label;
    }

    bool overlapsAny(double position) const {
        return std::any_of(m_layout.labels.begin(), m_layout.labels.end(), [&](const AxisLabel& other) {
            return std::abs(other.center - position) < minimumPitch() - 1e-6;
        });
    }

    void placeEmphasised() {
        for (const std::int64_t index : m_request.always) {
            double position = 0.0;
            if (index < m_visible.begin || index >= m_visible.end || !center(index, position)) continue;
            const auto same = [&](const AxisLabel& label) { return label.index == index; };
            if (std::any_of(m_layout.labels.begin(), m_layout.labels.end(), same)) continue;
            // Two of these on neighbouring thin cells: the later one steps aside, away from the first.
            if (overlapsAny(position)) {
                const AxisLabel& other = m_layout.labels.front();
                const double aside = index > other.index ? minimumPitch() : -minimumPitch();
                position = other.center + aside;
                if (position < 0.0 || position > m_request.length) position = other.center - aside;
                if (overlapsAny(position)) continue;
            }
            AxisLabel label = make(index, position);
            label.emphasised = true;
            m_layout.labels.push_back(std::move(label));
        }
    }

    /// Every `step`-th entry of the whole axis, so that labels stay with their entries while panning.
    void placeEvery(std::int64_t step) {
        const std::size_t emphasised = m_layout.labels.size();
        const std::int64_t start = (m_visible.begin + step - 1) / step * step;
        for (std::int64_t index = start; index < m_visible.end; index += step) {
            double position = 0.0;
            if (!center(index, position)) continue;
            bool room = true;
            for (std::size_t i = 0; i < emphasised && room; ++i)
                room = m_layout.labels[i].index != index &&
                       std::abs(m_layout.labels[i].center - position) >= minimumPitch() - 1e-6;
            // Centres of cells cut off at the ends move inwards, towards the label next to them.
            if (room && m_layout.labels.size() > emphasised)
                room = position - m_layout.labels.back().center >= minimumPitch() - 1e-6;
            if (room) m_layout.labels.push_back(make(index, position));
        }
    }

    void measure() {
        for (const AxisLabel& label : m_layout.labels) {
            double extent = label.width + gapOf(m_metrics);
            if (m_layout.angle > 0.0) {
                extent = slantedExtent(label.width, m_metrics);
                const double reach = label.center + label.width * kCos + 0.5 * m_line * kSin;
                m_layout.overhang = std::max(m_layout.overhang, reach - m_request.length);
            } else if (m_request.side == AxisSide::Top) {
                extent = m_line + gapOf(m_metrics);
            }
            m_layout.extent = std::max(m_layout.extent, extent);
        }
    }

    const AxisLabelRequest& m_request;
    const QFontMetricsF& m_metrics;
    double m_line;
    Range m_visible;
    AxisLabelLayout m_layout;
};

/// From the label's own coordinates (text from 0 to width, its middle line at 0) to those of the map's
/// corner.
QTransform placement(const AxisLabelLayout& layout, const AxisLabel& label, const QFontMetricsF& metrics) {
    QTransform transform;
    if (layout.side == AxisSide::Left)
        return transform.translate(-gapOf(metrics) - label.width, label.center);
    if (layout.angle > 0.0)
        return transform.translate(label.center, -slantedGap(metrics)).rotate(-layout.angle);
    return transform.translate(label.center - 0.5 * label.width, -gapOf(metrics) - 0.5 * lineHeight(metrics));
}

} // namespace

QString axisLabelText(const AxisEntry& entry) {
    QString text = QString::fromStdString(entry.label);
    for (QChar& c : text) {
        // U+2400 onwards are pictures of the control characters.
        if (c.unicode() < 0x20) c = QChar(static_cast<char16_t>(0x2400 + c.unicode()));
        if (c.unicode() == 0x7f) c = QChar(u'\u2421');
        if (c == QChar::LineSeparator || c == QChar::ParagraphSeparator) c = QChar(u'\u2424');
    }
    return text;
}

double axisLabelExtent(const Axis& axis, AxisSide side, const QFontMetricsF& metrics, double maxExtent) {
    double extent = 0.0;
    for (const AxisEntry& entry : axis.entries) {
        const double width = metrics.horizontalAdvance(axisLabelText(entry));
        extent =
            std::max(extent, side == AxisSide::Left ? width + gapOf(metrics) : slantedExtent(width, metrics));
        if (extent >= maxExtent) return maxExtent;
    }
    return extent;
}

AxisLabelLayout layoutAxisLabels(const AxisLabelRequest& request, const QFontMetricsF& metrics) {
    HS_CHECK(request.axis != nullptr);
    HS_CHECK(request.unitsPerEntry > 0.0);
    return Layouter(request, metrics).run();
}

QPolygonF axisLabelOutline(const AxisLabelLayout& layout, const AxisLabel& label,
                           const QFontMetricsF& metrics) {
    const double half = 0.5 * lineHeight(metrics);
    return placement(layout, label, metrics).map(QPolygonF(QRectF(0.0, -half, label.width, 2.0 * half)));
}

void paintAxisLabels(QPainter& painter, const AxisLabelLayout& layout, const QFont& font,
                     const AxisLabelColors& colors) {
    const QFontMetricsF metrics(font);
    // Middle of the letters without ascenders' headroom, so that text looks centred on its row.
    const double baseline = 0.5 * (metrics.capHeight() > 0.0 ? metrics.capHeight() : metrics.ascent());
    const QTransform base = painter.transform();
    painter.save();
    painter.setFont(font);
    for (const AxisLabel& label : layout.labels) {
        painter.setPen(label.emphasised ? colors.emphasis : colors.text);
        painter.setTransform(placement(layout, label, metrics) * base);
        painter.drawText(QPointF(0.0, baseline), label.text);
    }
    painter.restore();
}

} // namespace headscope::ui
