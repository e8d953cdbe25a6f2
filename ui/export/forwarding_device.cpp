// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/forwarding_device.h"

#include "ui/export/colour_glyphs.h"
#include "ui/export/point_metric.h"

#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QTextItem>

namespace headscope::ui {

class ForwardingDevice::Engine final : public QPaintEngine {
  public:
    explicit Engine(QPainter& to) : QPaintEngine(AllFeatures), m_to(to), m_base(to.transform()) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }

    void updateState(const QPaintEngineState& now) override {
        if (m_asking) return; // of the question, not of the picture
        const DirtyFlags flags = now.state();
        if (flags & DirtyTransform) m_to.setTransform(now.transform() * m_base);
        if (flags & DirtyPen) m_to.setPen(now.pen());
        if (flags & DirtyBrush) m_to.setBrush(now.brush());
        if (flags & DirtyBrushOrigin) m_to.setBrushOrigin(now.brushOrigin());
        if (flags & DirtyFont) m_to.setFont(now.font());
        if (flags & DirtyOpacity) m_to.setOpacity(now.opacity());
        if (flags & DirtyCompositionMode) m_to.setCompositionMode(now.compositionMode());
        if (flags & DirtyHints) m_to.setRenderHints(now.renderHints(), true);
        if (flags & DirtyClipPath) m_to.setClipPath(now.clipPath(), now.clipOperation());
        if (flags & DirtyClipRegion) m_to.setClipRegion(now.clipRegion(), now.clipOperation());
        if (flags & DirtyClipEnabled) m_to.setClipping(now.isClipEnabled());
    }

    void drawPath(const QPainterPath& path) override {
        if (!m_asking) m_to.drawPath(path);
    }
    void drawLines(const QLineF* lines, int count) override { m_to.drawLines(lines, count); }
    void drawLines(const QLine* lines, int count) override { m_to.drawLines(lines, count); }
    void drawRects(const QRectF* rects, int count) override { m_to.drawRects(rects, count); }
    void drawRects(const QRect* rects, int count) override { m_to.drawRects(rects, count); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        if (mode == PolylineMode)
            m_to.drawPolyline(points, count);
        else
            m_to.drawPolygon(points, count, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    }
    void drawPolygon(const QPoint* points, int count, PolygonDrawMode mode) override {
        QPolygonF polygon;
        for (int i = 0; i < count; ++i) polygon << QPointF(points[i]);
        drawPolygon(polygon.constData(), count, mode);
    }
    void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override {
        drawImage(target, pixmap.toImage(), source);
    }
    void drawImage(const QRectF& target, const QImage& image, const QRectF& source,
                   Qt::ImageConversionFlags flags = Qt::AutoColor) override {
        if (m_asking)
            m_isPicture = true;
        else
            m_to.drawImage(target, image, source, flags);
    }

    /// What Qt itself would draw, were there no letters, says of which kind they are: a path, or an image.
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        m_asking = true;
        m_isPicture = false;
        QPaintEngine::drawTextItem(at, item);
        m_asking = false;
        if (m_isPicture) {
            const GlyphImage glyphs = glyphImage(at, item);
            m_to.drawImage(glyphs.target, glyphs.image);
        } else {
            m_to.drawTextItem(at, item);
        }
    }

  private:
    QPainter& m_to;
    QTransform m_base;
    bool m_asking = false;
    bool m_isPicture = false;
};

ForwardingDevice::ForwardingDevice(QPainter& to, const QSizeF& sizePoints)
    : m_size(sizePoints), m_engine(std::make_unique<Engine>(to)) {}

ForwardingDevice::~ForwardingDevice() = default;

QPaintEngine* ForwardingDevice::paintEngine() const {
    return m_engine.get();
}

int ForwardingDevice::metric(PaintDeviceMetric metric) const {
    return pointMetric(metric, m_size);
}

} // namespace headscope::ui
