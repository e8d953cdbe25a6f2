// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart.h"

#include "core/base/error.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_walk.h"
#include "ui/export/picture_writer.h"
#include "ui/heatmap/readout.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QMessageBox>
#include <QMetaMethod>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kPointsPerMm = 72.0 / 25.4;

/// What a picture needs to paint itself later, whatever becomes of the chart.
struct PictureOfChart {
    PictureOfChart(ChartPlot what, const QSizeF& size)
        : plot(std::move(what)), layout(plot, size, {.title = true, .compact = false}) {}
    ChartPlot plot;
    ChartLayout layout;
};

void paintEmpty(QPainter& painter, const QRectF& place, const QString& words, const ThemeColors& colors) {
    painter.setFont(chartFont(ChartText::Role::Caption));
    painter.setPen(colors.muted);
    painter.drawText(place.adjusted(12, 0, -12, 0), Qt::AlignCenter | Qt::TextWordWrap, words);
}

} // namespace

struct Chart::Private {
    ChartPlot plot;
    ChartLayout layout;
    QPixmap picture; ///< of all that does not move; null: to be painted
    bool compact = false;
    QString subject;
    std::filesystem::path folder;
    std::optional<std::size_t> marked;
    std::optional<std::size_t> hovered;
    std::optional<std::size_t> current;

    QRectF boxOf(std::size_t item) const { return layout.itemBox(plot.items[item], plot.pointSize); }
};

Chart::Chart(QWidget* parent) : QWidget(parent), m_d(std::make_unique<Private>()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(&Theme::instance(), &Theme::changed, this, [this] { refresh(); });
}

Chart::~Chart() = default;

const ChartPlot& Chart::plot() const {
    return m_d->plot;
}

void Chart::setPlot(ChartPlot plot) {
    m_d->plot = std::move(plot);
    m_d->marked.reset();
    m_d->hovered.reset();
    m_d->current.reset();
    setAccessibleName(m_d->plot.title);
    setAccessibleDescription(isEmpty() ? m_d->plot.empty : m_d->plot.caption);
    refresh();
}

void Chart::setCompact(bool compact) {
    m_d->compact = compact;
    refresh();
}

void Chart::setSubject(const QString& name, const std::filesystem::path& modelFolder) {
    m_d->subject = name;
    m_d->folder = modelFolder;
}

QString Chart::suggestedFileName() const {
    QString name = m_d->subject.isEmpty() ? QString() : m_d->subject + u'-';
    name += m_d->plot.title.section(u',', 0, 0).toLower();
    for (QChar& c : name)
        if (!c.isLetterOrNumber() && c != u'-' && c != u'_' && c != u'.') c = u'-';
    return name + QStringLiteral(".png");
}

const std::filesystem::path& Chart::modelFolder() const {
    return m_d->folder;
}

void Chart::mark(std::optional<std::size_t> item) {
    m_d->marked = item;
    update();
}

std::optional<std::size_t> Chart::current() const {
    return m_d->current;
}

QPointF Chart::positionOf(std::size_t item) const {
    return m_d->boxOf(item).center();
}

std::optional<std::size_t> Chart::itemAt(QPointF position) const {
    return m_d->layout.itemAt(m_d->plot, position);
}

void Chart::refresh() {
    m_d->layout = ChartLayout(m_d->plot, size(), {.title = false, .compact = m_d->compact});
    m_d->picture = QPixmap();
    update();
}

void Chart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refresh();
}

void Chart::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::EnabledChange) refresh();
}

void Chart::paintEvent(QPaintEvent*) {
    Private& d = *m_d;
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    if (isEmpty()) {
        paintEmpty(painter, rect(), d.plot.empty, colors);
        if (hasFocus()) {
            painter.setPen(QPen(colors.accent, 1.0));
            painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        }
        return;
    }
    const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
    if (d.picture.size() != pixels) {
        d.picture = QPixmap(pixels);
        d.picture.setDevicePixelRatio(devicePixelRatioF());
        d.picture.fill(Qt::transparent);
        QPainter still(&d.picture);
        ChartCanvas(d.plot, d.layout, colors).paint(still, true);
    }
    painter.drawPixmap(0, 0, d.picture);
    const auto ring = [&](std::optional<std::size_t> item, const QColor& color) {
        if (item) paintChartRing(painter, d.plot.items[*item], d.boxOf(*item), color);
    };
    ring(d.marked, colors.text);
    ring(d.hovered, colors.muted);
    if (hasFocus()) ring(d.current, colors.accent);
}

bool Chart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) return true; // said at once by mouseMoveEvent
    return QWidget::event(event);
}

void Chart::mouseMoveEvent(QMouseEvent* event) {
    const auto item = itemAt(event->position());
    if (item == m_d->hovered) return;
    m_d->hovered = item;
    const bool opens = item && (m_d->plot.items[*item].head || m_d->plot.items[*item].text);
    setCursor(opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (item)
        QToolTip::showText(event->globalPosition().toPoint(), tipText(m_d->plot.items[*item].tip), this);
    else
        QToolTip::hideText();
    update();
}

void Chart::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_d->hovered.reset();
    update();
}

void Chart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto item = itemAt(event->position())) {
        m_d->current = item;
        activate(*item);
    }
}

void Chart::activate(std::size_t item) {
    update();
    // A copy: whoever listens may set another plot.
    const ChartItem chosen = m_d->plot.items[item];
    if (chosen.head) Q_EMIT headActivated(*chosen.head);
    if (chosen.text) Q_EMIT textActivated(*chosen.text);
}

void Chart::moveTo(std::size_t item) {
    m_d->current = item;
    const QString& tip = m_d->plot.items[item].tip;
    setAccessibleDescription(tip);
    QAccessibleEvent said(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&said);
    if (isVisible())
        QToolTip::showText(mapToGlobal(positionOf(item).toPoint() + QPoint(8, 8)), tipText(tip), this);
    update();
}

void Chart::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool opens = key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space;
    if (!isEmpty() && opens && m_d->current) {
        activate(*m_d->current);
        return;
    }
    const auto next = walkChart(m_d->plot, m_d->current, key);
    if (next)
        moveTo(*next);
    else
        QWidget::keyPressEvent(event);
}

void Chart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    const bool byKey = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (byKey && !isEmpty() && !m_d->current) m_d->current = m_d->marked.value_or(0);
    update();
}

void Chart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    QToolTip::hideText();
    update();
}

void Chart::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.addAction(tr("Save chart…"), this, &Chart::saveAs)->setEnabled(!isEmpty());
    menu.addAction(tr("Copy"), this, &Chart::copy)->setEnabled(!isEmpty());
    menu.exec(event->globalPos());
}

Picture Chart::picture(const ChartPictureSettings& settings) const {
    const ThemeColors& colors = settings.dark ? darkColors() : lightColors();
    const double width = settings.widthMm * kPointsPerMm;
    const double ratio = static_cast<double>(height()) / std::max(1, this->width());
    const double height = settings.heightMm ? *settings.heightMm * kPointsPerMm : width * ratio;
    // Laid out in the pixels of the screen and scaled, so that labels have the size that was asked for.
    const double scale = settings.fontSizePt / metrics::kSection;
    constexpr double kMargin = 8.0;
    const QSizeF inside(std::max(120.0, width / scale - 2 * kMargin),
                        std::max(100.0, height / scale - 2 * kMargin));
    const auto what = std::make_shared<const PictureOfChart>(m_d->plot, inside);
    Picture picture;
    picture.size = QSizeF((inside.width() + 2 * kMargin) * scale, (inside.height() + 2 * kMargin) * scale);
    picture.title = m_d->plot.title;
    picture.background = colors.panel;
    picture.paint = [what, &colors, scale, size = picture.size](QPainter& painter) {
        painter.fillRect(QRectF(QPointF(0, 0), size), colors.panel);
        painter.save();
        painter.scale(scale, scale);
        painter.translate(kMargin, kMargin);
        if (what->plot.items.empty())
            paintEmpty(painter, QRectF(QPointF(0, 0), what->layout.size()), what->plot.empty, colors);
        else
            ChartCanvas(what->plot, what->layout, colors).paint(painter, false);
        painter.restore();
    };
    return picture;
}

void Chart::copy() {
    ChartPictureSettings settings;
    settings.dark = Theme::instance().colors().dark;
    settings.fontSizePt = metrics::kSection * 0.75; // as on the screen: 96 pixels an inch
    settings.widthMm = width() * 0.75 / kPointsPerMm;
    constexpr int kTwice = 192;
    try {
        QApplication::clipboard()->setImage(renderPicture(picture(settings), kTwice, m_d->plot.title));
    } catch (const Error& error) {
        Q_EMIT saveFailed(QString::fromUtf8(error.what()));
    }
}

void Chart::saveAs() {
    const QString file = askForChartFile(this, suggestedFileName());
    if (file.isEmpty()) return;
    ChartPictureSettings settings;
    settings.dark = Theme::instance().colors().dark;
    QString sentence;
    if (exportChart(*this, file.toStdU16String(), settings, &sentence)) {
        Q_EMIT saved(file);
        return;
    }
    if (isSignalConnected(QMetaMethod::fromSignal(&Chart::saveFailed)))
        Q_EMIT saveFailed(sentence);
    else
        QMessageBox::warning(this, tr("The chart was not saved"), sentence);
}

} // namespace headscope::ui
