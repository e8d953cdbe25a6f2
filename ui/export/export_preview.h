// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/export_job.h"

#include <QFutureWatcher>
#include <QImage>
#include <QTimer>
#include <QWidget>

#include <optional>

namespace headscope::ui {

/// Shows the picture as it will be written. Painted on another thread a moment after the last change, at the
/// size of this widget; a newer job makes an older one's picture be dropped.
class ExportPreview final : public QWidget {
    Q_OBJECT

  public:
    explicit ExportPreview(QWidget* parent = nullptr);
    ~ExportPreview() override;

    void show(const ExportJob& job);
    const QImage& image() const { return m_image; } ///< null until the first one is there

  Q_SIGNALS:
    /// A picture, or the sentence why there is none (empty: there is one); and its size as written.
    void painted(const QString& error, const QSizeF& sizePoints);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    struct Result {
        QImage image;
        QString error;
        QSizeF size;
    };
    void begin();
    void take();

    std::optional<ExportJob> m_job;
    bool m_stale = false; ///< the job changed while the last one was painted
    QTimer m_timer;
    QFutureWatcher<Result> m_watcher;
    QImage m_image;
};

} // namespace headscope::ui
