// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPaintDevice>
#include <QSizeF>
#include <QString>

#include <memory>

namespace headscope::ui {

/// Paints into an SVG 1.1 document that looks the same everywhere: text as outlines (with its words as
/// aria-label), every style inline, small images as sharp-edged cells, larger ones embedded as PNG. Qt's own
/// generator writes text by font name, which another machine draws in another font. One unit is one point.
class SvgDevice final : public QPaintDevice {
  public:
    SvgDevice(const QSizeF& sizePoints, const QString& title);
    ~SvgDevice() override;

    QPaintEngine* paintEngine() const override;
    /// The whole document; call after the painter has ended.
    QByteArray document() const;

  protected:
    int metric(PaintDeviceMetric metric) const override;

  private:
    class Engine;
    QSizeF m_size;
    QString m_title;
    std::unique_ptr<Engine> m_engine;
};

} // namespace headscope::ui
