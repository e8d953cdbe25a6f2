// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QPaintDevice>
#include <QSizeF>
#include <QString>

#include <memory>

namespace headscope::ui {

/// What an SVG says of itself; empty: nothing.
struct SvgWords {
    QString title;
    QString description;
    QString facts; ///< for programs
};

/// As the content of an XML element or attribute, UTF-8.
QByteArray xmlText(const QString& text);

/// Paints into an SVG 1.1 document that looks the same everywhere: text as outlines (with its words as
/// aria-label), every style inline, small images as sharp-edged cells, larger ones embedded as PNG. Qt's own
/// generator writes text by font name, which another machine draws in another font. One unit is one point.
class SvgDevice final : public QPaintDevice {
  public:
    SvgDevice(const QSizeF& sizePoints, SvgWords words);
    ~SvgDevice() override;

    QPaintEngine* paintEngine() const override;
    /// The whole document; call after the painter has ended.
    QByteArray document() const;

  protected:
    int metric(PaintDeviceMetric metric) const override;

  private:
    class Engine;
    QSizeF m_size;
    SvgWords m_words;
    std::unique_ptr<Engine> m_engine;
};

} // namespace headscope::ui
