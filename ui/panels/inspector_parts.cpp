// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector_parts.h"

#include "ui/format.h"
#include "ui/panels/card.h"
#include "ui/theme.h"

#include <QCoreApplication>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace headscope::ui {
namespace {

/// Where the bar of a measure ends: shares end at 1, nats at ln n, counts at twice the threshold.
double scaleOf(const Measure& measure, std::int64_t keys) {
    if (measure.unit == "nats" && keys > 0)
        return std::max({std::log(static_cast<double>(std::max<std::int64_t>(2, keys))), measure.threshold});
    if (measure.unit.empty()) return 1.0;
    return std::max({1.0, measure.value, 2.0 * measure.threshold});
}

} // namespace

QLabel* paragraph(const QString& text, const char* role) {
    QLabel* label = roleLabel(text, role);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void addSection(QVBoxLayout* layout, const QString& title) {
    layout->addSpacing(8);
    layout->addWidget(sectionLabel(title));
}

MeasureRow measureRow(const Measure& measure, std::int64_t keys) {
    const bool count = !measure.unit.empty() && measure.unit != "nats";
    const double scale = scaleOf(measure, keys);
    MeasureRow row;
    row.name = measureText(measure.name);
    if (measure.unit == "nats") row.name += QStringLiteral(" (nats)");
    row.value = numberText(measure.value, count ? 0 : 3);
    row.condition = (measure.atMost ? QStringLiteral("≤ ") : QStringLiteral("≥ ")) +
                    numberText(measure.threshold, count ? 0 : 2);
    row.share = measure.value / scale;
    row.tick = measure.threshold / scale;
    row.holds = measure.holds();
    return row;
}

void addNotTested(QVBoxLayout* layout, const QString& title, const std::vector<NotTested>& labels) {
    if (labels.empty()) return;
    addSection(layout, title);
    std::vector<std::pair<QStringList, QString>> lines;
    for (const NotTested& one : labels) {
        const QString reason = QString::fromStdString(one.reason);
        const auto same =
            std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.second == reason; });
        if (same != lines.end()) {
            same->first << labelText(one.label);
        } else {
            lines.push_back({{labelText(one.label)}, reason});
        }
    }
    for (const auto& [names, reason] : lines)
        layout->addWidget(
            paragraph(QStringLiteral("%1: %2.").arg(names.join(QStringLiteral(", ")), reason), "muted"));
}

NumberGrid::NumberGrid(QVBoxLayout* layout) : m_grid(new QGridLayout) {
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(6);
    m_grid->setColumnStretch(0, 1);
    layout->addLayout(m_grid);
}

void NumberGrid::add(const QString& name, const QString& value, const QString& tip,
                     const QString& condition) {
    QLabel* label = roleLabel(name, "muted");
    label->setToolTip(tip);
    // A long token must not push the panel wider than its dock.
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_grid->addWidget(label, m_line, 0);
    if (!condition.isEmpty()) {
        QLabel* needed = roleLabel(condition, "muted");
        needed->setFont(Theme::font(metrics::kSection));
        m_grid->addWidget(needed, m_line, 1);
    }
    auto* number = new QLabel(value);
    number->setTextFormat(Qt::PlainText);
    number->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    number->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_grid->addWidget(number, m_line, 2);
    ++m_line;
}

bool TallContent::event(QEvent* event) {
    const bool done = QWidget::event(event);
    const bool asks = event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest;
    if (asks && layout() != nullptr && layout()->hasHeightForWidth()) {
        setMinimumHeight(layout()->totalHeightForWidth(width()));
    }
    return done;
}

} // namespace headscope::ui
