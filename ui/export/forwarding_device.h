// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPaintDevice>
#include <QSizeF>

#include <memory>

class QPainter;

namespace headscope::ui {

/// Hands everything that is painted on it to another painter, in points; but letters that are pictures
/// (emoji) as images, because a PDF would be without them.
class ForwardingDevice final : public QPaintDevice {
  public:
    /// `to` outlives this; what is painted here stands in its coordinates.
    ForwardingDevice(QPainter& to, const QSizeF& sizePoints);
    ~ForwardingDevice() override;

    QPaintEngine* paintEngine() const override;

  protected:
    int metric(PaintDeviceMetric metric) const override;

  private:
    class Engine;
    QSizeF m_size;
    std::unique_ptr<Engine> m_engine;
};

} // namespace headscope::ui
