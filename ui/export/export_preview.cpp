// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_preview.h"

#include <QPaintEvent>
#include <QPainter>
#include <QtConcurrent>

#include <algorithm>

namespace headscope::ui {

ExportPreview::ExportPreview(QWidget* parent) : QWidget(parent) {
    setMinimumSize(320, 320);
    setAccessibleName(tr("Preview"));
    m_timer.setSingleShot(true);
    m_timer.setInterval(80); // a moment, so that dragging a spin box does not queue pictures
    connect(&m_timer, &QTimer::timeout, this, &ExportPreview::begin);
    connect(&m_watcher, &QFutureWatcher<Result>::finished, this, &ExportPreview::take);
}

ExportPreview::~ExportPreview() {
    m_watcher.waitForFinished();
}

void ExportPreview::show(const ExportJob& job) {
    m_job = job;
    m_stale = true;
    m_timer.start();
}

void ExportPreview::begin() {
    if (!m_job || m_watcher.isRunning()) return;
    m_stale = false;
    const QSizeF room = QSizeF(size()) * devicePixelRatioF();
    m_watcher.setFuture(QtConcurrent::run([job = *m_job, room]() -> Result {
        Result result;
        try {
            const Picture picture = pictureOf(job);
            result.size = picture.size;
            const double scale =
                std::min(room.width() / picture.size.width(), room.height() / picture.size.height());
            const QSize pixels = (picture.size * scale).toSize().expandedTo(QSize(1, 1));
            result.image = QImage(pixels, QImage::Format_RGB32);
            result.image.fill(picture.background);
            QPainter painter(&result.image);
            painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
            painter.scale(scale, scale);
            picture.paint(painter);
        } catch (const Error& error) {
            result.error = QString::fromStdString(error.sentence());
        }
        return result;
    }));
}

void ExportPreview::take() {
    const Result result = m_watcher.result();
    if (m_stale) {
        begin();
        return;
    }
    m_image = result.image;
    m_image.setDevicePixelRatio(devicePixelRatioF());
    update();
    Q_EMIT painted(result.error, result.size);
}

void ExportPreview::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (m_image.isNull()) return;
    const QSizeF shown = QSizeF(m_image.size()) / m_image.devicePixelRatio();
    const QPointF corner((width() - shown.width()) / 2, (height() - shown.height()) / 2);
    painter.drawImage(QPoint(static_cast<int>(corner.x()), static_cast<int>(corner.y())), m_image);
}

void ExportPreview::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_job) show(*m_job);
}

} // namespace headscope::ui
