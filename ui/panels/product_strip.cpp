// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/product_strip.h"

#include "ui/format.h"
#include "ui/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <numeric>
#include <utility>

namespace headscope::ui {
namespace {

constexpr double kMargin = 6.0; ///< above the highest and below the lowest bar
constexpr double kSide = 4.0;   ///< left and right of all bars
constexpr double kWidestBar = 14.0;

} // namespace

ProductStrip::ProductStrip(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Products of query and key by dimension"));
    connect(&Theme::instance(), &Theme::changed, this, [this] { update(); });
}

void ProductStrip::setVectors(std::vector<float> query, std::vector<float> key, std::vector<float> products) {
    m_query = std::move(query);
    m_key = std::move(key);
    m_products = std::move(products);
    if (m_pointed && *m_pointed >= count()) m_pointed.reset();
    orderAnew();
}

void ProductStrip::setSorted(bool on) {
    if (on == m_sorted) return;
    m_sorted = on;
    orderAnew();
}

void ProductStrip::orderAnew() {
    m_order.resize(m_products.size());
    std::iota(m_order.begin(), m_order.end(), 0);
    if (m_sorted)
        std::stable_sort(m_order.begin(), m_order.end(), [this](int one, int other) {
            return m_products[static_cast<std::size_t>(one)] > m_products[static_cast<std::size_t>(other)];
        });
    setAccessibleDescription(words());
    update();
    Q_EMIT wordsChanged();
}

QString ProductStrip::words() const {
    if (m_pointed) {
        const auto d = static_cast<std::size_t>(*m_pointed);
        const auto number = [](float value) { return numberText(static_cast<double>(value)); };
        return tr("d %1: %2 × %3 = %4")
            .arg(*m_pointed)
            .arg(number(m_query[d]), number(m_key[d]), number(m_products[d]));
    }
    if (m_products.empty()) return {};
    const auto [lowest, highest] = std::minmax_element(m_products.begin(), m_products.end());
    return tr("%1 products q × k, %2 to %3")
        .arg(count())
        .arg(numberText(static_cast<double>(*lowest), 2), numberText(static_cast<double>(*highest), 2));
}

void ProductStrip::point(std::optional<int> dimension) {
    if (dimension == m_pointed) return;
    m_pointed = dimension;
    setAccessibleDescription(words());
    update();
    Q_EMIT wordsChanged();
}

int ProductStrip::placeOf(int dimension) const {
    return static_cast<int>(std::find(m_order.begin(), m_order.end(), dimension) - m_order.begin());
}

double ProductStrip::pixelsPerUnit() const {
    const auto [lowest, highest] = std::minmax_element(m_products.begin(), m_products.end());
    const double span =
        std::max(0.0, static_cast<double>(*highest)) - std::min(0.0, static_cast<double>(*lowest));
    return span > 0.0 ? (height() - 2.0 * kMargin) / span : 0.0;
}

double ProductStrip::zeroLine() const {
    const double highest = static_cast<double>(*std::max_element(m_products.begin(), m_products.end()));
    return kMargin + std::max(0.0, highest) * pixelsPerUnit();
}

QRectF ProductStrip::barOf(int dimension) const {
    const double step = (width() - 2.0 * kSide) / count();
    const double bar = std::min(kWidestBar, std::max(1.0, step > 3.0 ? step - 1.0 : step));
    const double middle = kSide + (placeOf(dimension) + 0.5) * step;
    const double length =
        static_cast<double>(m_products[static_cast<std::size_t>(dimension)]) * pixelsPerUnit();
    return QRectF(middle - 0.5 * bar, zeroLine(), bar, -length).normalized();
}

std::optional<int> ProductStrip::dimensionAt(double x) const {
    if (m_products.empty()) return std::nullopt;
    const int place =
        std::clamp(static_cast<int>((x - kSide) / (width() - 2.0 * kSide) * count()), 0, count() - 1);
    return m_order[static_cast<std::size_t>(place)];
}

void ProductStrip::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.hairline, 1.0));
    painter.setBrush(colors.field);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::kCorner,
                            metrics::kCorner);
    if (m_products.empty()) return;
    painter.setPen(Qt::NoPen);
    if (m_pointed) {
        const QRectF bar = barOf(*m_pointed);
        painter.fillRect(QRectF(bar.center().x() - std::max(2.0, 0.5 * bar.width() + 1.0), 1.0,
                                std::max(4.0, bar.width() + 2.0), height() - 2.0),
                         colors.selection);
    }
    for (int d = 0; d < count(); ++d) {
        const bool positive = m_products[static_cast<std::size_t>(d)] >= 0.0F;
        painter.fillRect(barOf(d), positive ? colors.accent : colors.warning);
    }
    painter.fillRect(QRectF(1.0, zeroLine() - 0.5, width() - 2.0, 1.0), colors.muted);
}

void ProductStrip::mouseMoveEvent(QMouseEvent* event) {
    point(dimensionAt(event->position().x()));
}

void ProductStrip::mousePressEvent(QMouseEvent* event) {
    point(dimensionAt(event->position().x()));
}

void ProductStrip::leaveEvent(QEvent*) {
    if (!hasFocus()) point(std::nullopt);
}

void ProductStrip::keyPressEvent(QKeyEvent* event) {
    const int last = count() - 1;
    int place = m_pointed ? placeOf(*m_pointed) : -1;
    switch (event->key()) {
    case Qt::Key_Left:
        place = std::max(0, place - 1);
        break;
    case Qt::Key_Right:
        place = std::min(last, place + 1);
        break;
    case Qt::Key_Home:
        place = 0;
        break;
    case Qt::Key_End:
        place = last;
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (last >= 0) point(m_order[static_cast<std::size_t>(place)]);
}

void ProductStrip::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ProductStrip::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    point(std::nullopt);
    update();
}

} // namespace headscope::ui
