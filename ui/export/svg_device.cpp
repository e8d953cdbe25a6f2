// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/svg_device.h"

#include "ui/export/colour_glyphs.h"
#include "ui/export/point_metric.h"

#include <QBuffer>
#include <QImage>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QTextItem>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace headscope::ui {

namespace {

constexpr double kMmPerPoint = 25.4 / 72.0;
/// Up to here an image becomes cells with sharp edges, which no viewer can blur; above, its cells are tiny.
constexpr int kCellLimit = 16'384;

/// At most four decimals: 1/10,000 of a point.
QByteArray number(double value) {
    QByteArray text = QByteArray::number(value, 'f', 4);
    while (text.endsWith('0')) text.chop(1);
    if (text.endsWith('.')) text.chop(1);
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray attribute(const char* name, const QByteArray& value) {
    return QByteArray(" ") + name + "=\"" + value + '"';
}

QByteArray colorText(const QColor& color) {
    return color.name(QColor::HexRgb).toLatin1();
}

QByteArray pathData(const QPainterPath& path) {
    QByteArray data;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element& element = path.elementAt(i);
        switch (element.type) {
        case QPainterPath::MoveToElement:
            data += 'M';
            break;
        case QPainterPath::LineToElement:
            data += 'L';
            break;
        case QPainterPath::CurveToElement:
            data += 'C';
            break;
        case QPainterPath::CurveToDataElement:
            data += ' ';
            break;
        }
        data += number(element.x) + ' ' + number(element.y);
    }
    return data;
}

/// An image of square-edged cells that was blown up, with one pixel a cell again: every change of colour lies
/// on a multiple of the step across, and of the step down.
QImage withoutRepeats(const QImage& blownUp) {
    const QImage image = blownUp.convertToFormat(QImage::Format_ARGB32);
    int across = image.width();
    int down = image.height();
    const auto lineOf = [&image](int y) { return reinterpret_cast<const QRgb*>(image.constScanLine(y)); };
    for (int y = 0; y < image.height(); ++y) {
        const QRgb* line = lineOf(y);
        if (y > 0 && std::equal(line, line + image.width(), lineOf(y - 1))) continue;
        down = std::gcd(down, y);
        for (int x = 1; x < image.width() && across > 1; ++x)
            if (line[x] != line[x - 1]) across = std::gcd(across, x);
    }
    QImage cells(image.width() / across, image.height() / down, QImage::Format_ARGB32);
    for (int y = 0; y < cells.height(); ++y)
        for (int x = 0; x < cells.width(); ++x) cells.setPixel(x, y, lineOf(y * down)[x * across]);
    return cells;
}

QByteArray matrixText(const QTransform& t) {
    return "matrix(" + number(t.m11()) + ' ' + number(t.m12()) + ' ' + number(t.m21()) + ' ' +
           number(t.m22()) + ' ' + number(t.dx()) + ' ' + number(t.dy()) + ')';
}

} // namespace

QByteArray xmlText(const QString& text) {
    QString plain = text;
    // XML has no way to write most control characters.
    for (QChar& c : plain)
        if (c < QChar(u' ') || c == QChar(0xfffe) || c == QChar(0xffff)) c = QChar(u' ');
    return plain.toHtmlEscaped().toUtf8();
}

class SvgDevice::Engine final : public QPaintEngine {
  public:
    Engine()
        : QPaintEngine(AllFeatures & ~(PerspectiveTransform | PatternBrush | BlendModes | RasterOpModes)) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override {
        closeClip();
        return true;
    }
    Type type() const override { return User; }
    const QByteArray& body() const { return m_body; }

    void updateState(const QPaintEngineState& now) override {
        const DirtyFlags flags = now.state();
        if (flags & DirtyTransform) m_transform = now.transform();
        if (flags & DirtyPen) m_pen = now.pen();
        if (flags & DirtyBrush) m_brush = now.brush();
        if (flags & DirtyOpacity) m_opacity = now.opacity();
        if (flags & DirtyClipEnabled) m_clips = now.isClipEnabled();
        if (flags & DirtyClipPath) clipTo(now.clipPath(), now.clipOperation());
        if (flags & DirtyClipRegion) {
            QPainterPath path;
            path.addRegion(now.clipRegion());
            clipTo(path, now.clipOperation());
        }
    }

    void drawPath(const QPainterPath& path) override {
        openClip();
        m_body += "<path" + attribute("d", pathData(path));
        if (path.fillRule() == Qt::OddEvenFill) m_body += attribute("fill-rule", "evenodd");
        m_body += fillText() + strokeText() + placeText() + "/>\n";
    }

    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
        QPainterPath path;
        path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
        for (int i = 0; i < count; ++i) i == 0 ? path.moveTo(points[i]) : path.lineTo(points[i]);
        if (mode != PolylineMode) {
            path.closeSubpath();
            drawPath(path);
            return;
        }
        const QBrush brush = m_brush;
        m_brush = Qt::NoBrush; // an open line has no inside
        drawPath(path);
        m_brush = brush;
    }
    void drawPolygon(const QPoint* points, int count, PolygonDrawMode mode) override {
        QPolygonF polygon;
        for (int i = 0; i < count; ++i) polygon << QPointF(points[i]);
        drawPolygon(polygon.constData(), count, mode);
    }

    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        openClip();
        m_body += "<g" + attribute("aria-label", xmlText(item.text())) + ">\n";
        m_isPicture = false;
        m_inText = true;
        QPaintEngine::drawTextItem(at, item); // as outlines; asks for an image where letters are pictures
        m_inText = false;
        if (m_isPicture) {
            const GlyphImage glyphs = glyphImage(at, item);
            embed(glyphs.target, glyphs.image, "auto");
        }
        m_body += "</g>\n";
    }

    void drawPixmap(const QRectF& target, const QPixmap& pixmap, const QRectF& source) override {
        drawImage(target, pixmap.toImage(), source);
    }

    void drawImage(const QRectF& target, const QImage& image, const QRectF& source,
                   Qt::ImageConversionFlags /*flags*/ = Qt::AutoColor) override {
        m_isPicture = true;
        if (m_inText) return; // drawTextItem() has a sharper one
        openClip();
        const QImage part =
            source.toAlignedRect() == image.rect() ? image : image.copy(source.toAlignedRect());
        if (part.isNull()) return;
        const QImage cells = withoutRepeats(part);
        if (qsizetype{cells.width()} * cells.height() <= kCellLimit)
            drawCells(target, cells);
        else
            embed(target, part, "pixelated");
    }

  private:
    QByteArray placeText() const {
        QByteArray text;
        if (!m_transform.isIdentity()) text += attribute("transform", matrixText(m_transform));
        if (m_opacity < 1.0) text += attribute("opacity", number(m_opacity));
        return text;
    }

    QByteArray fillText() const {
        if (m_brush.style() == Qt::NoBrush) return attribute("fill", "none");
        QByteArray text = attribute("fill", colorText(m_brush.color()));
        if (m_brush.color().alpha() < 255)
            text += attribute("fill-opacity", number(m_brush.color().alphaF()));
        return text;
    }

    QByteArray strokeText() const {
        if (m_pen.style() == Qt::NoPen) return {};
        QByteArray text = attribute("stroke", colorText(m_pen.color()));
        if (m_pen.color().alpha() < 255) text += attribute("stroke-opacity", number(m_pen.color().alphaF()));
        // A cosmetic pen is one device dot wide whatever the scale; half a point comes close on paper.
        const bool cosmetic = m_pen.isCosmetic() || m_pen.widthF() <= 0.0;
        text += attribute("stroke-width",
                          number(cosmetic ? std::max(0.5, m_pen.widthF() * 0.5) : m_pen.widthF()));
        if (cosmetic) text += attribute("vector-effect", "non-scaling-stroke");
        if (m_pen.capStyle() != Qt::FlatCap)
            text += attribute("stroke-linecap", m_pen.capStyle() == Qt::RoundCap ? "round" : "square");
        if (m_pen.joinStyle() != Qt::MiterJoin && m_pen.joinStyle() != Qt::SvgMiterJoin)
            text += attribute("stroke-linejoin", m_pen.joinStyle() == Qt::RoundJoin ? "round" : "bevel");
        if (m_pen.style() != Qt::SolidLine) {
            QByteArray dashes;
            for (const qreal dash : m_pen.dashPattern())
                dashes += (dashes.isEmpty() ? "" : " ") + number(dash * std::max(m_pen.widthF(), 0.5));
            text += attribute("stroke-dasharray", dashes);
        }
        return text;
    }

    /// One path a colour, so that a map of n x n cells stays small.
    void drawCells(const QRectF& target, const QImage& image) {
        const double width = target.width() / image.width();
        const double height = target.height() / image.height();
        std::map<QRgb, QByteArray> paths;
        for (int y = 0; y < image.height(); ++y) {
            const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
            for (int x = 0; x < image.width();) {
                int end = x + 1;
                while (end < image.width() && line[end] == line[x]) ++end;
                if (qAlpha(line[x]) > 0)
                    paths[line[x]] += 'M' + number(target.left() + x * width) + ' ' +
                                      number(target.top() + y * height) + 'h' + number((end - x) * width) +
                                      'v' + number(height) + 'h' + number(-(end - x) * width) + 'z';
                x = end;
            }
        }
        m_body += "<g" + attribute("shape-rendering", "crispEdges") + placeText() + ">\n";
        for (const auto& [color, data] : paths) {
            m_body += "<path" + attribute("fill", colorText(QColor(color)));
            if (qAlpha(color) < 255) m_body += attribute("fill-opacity", number(qAlpha(color) / 255.0));
            m_body += attribute("d", data) + "/>\n";
        }
        m_body += "</g>\n";
    }

    void embed(const QRectF& target, const QImage& image, const QByteArray& rendering) {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        image.save(&buffer, "png");
        m_body += "<image" + attribute("x", number(target.x())) + attribute("y", number(target.y())) +
                  attribute("width", number(target.width())) + attribute("height", number(target.height())) +
                  attribute("preserveAspectRatio", "none") +
                  attribute("style", "image-rendering:" + rendering) +
                  attribute("xlink:href", "data:image/png;base64," + png.toBase64()) + placeText() + "/>\n";
    }

    // Clipping: the state's clip is in force for what follows, so it becomes a group that is opened on
    // demand.
    void clipTo(const QPainterPath& path, Qt::ClipOperation operation) {
        const QPainterPath inDevice = m_transform.map(path); // clips are given in logical coordinates
        if (operation == Qt::NoClip)
            m_clips = false;
        else
            m_clip = operation == Qt::IntersectClip && m_clips ? m_clip.intersected(inDevice) : inDevice;
        if (operation != Qt::NoClip) m_clips = true;
    }

    void openClip() {
        const QByteArray wanted = m_clips ? pathData(m_clip) : QByteArray();
        if (wanted == m_openClip) return;
        closeClip();
        m_openClip = wanted;
        if (wanted.isEmpty()) return;
        // Nothing fills a clip path; viewers that know none paint its shape, and then must not paint it
        // black.
        const QByteArray id = "clip" + QByteArray::number(++m_clipCount);
        m_body += "<clipPath" + attribute("id", id) + "><path" + attribute("fill", "none") +
                  attribute("d", wanted) + "/></clipPath>\n<g" + attribute("clip-path", "url(#" + id + ")") +
                  ">\n";
    }

    void closeClip() {
        if (!m_openClip.isEmpty()) m_body += "</g>\n";
        m_openClip.clear();
    }

    QByteArray m_body;
    QTransform m_transform;
    QPen m_pen = QPen(Qt::NoPen);
    QBrush m_brush;
    double m_opacity = 1.0;
    bool m_inText = false;
    bool m_isPicture = false; ///< the letters of a text that is drawn
    bool m_clips = false;
    QPainterPath m_clip; ///< in device coordinates
    QByteArray m_openClip;
    int m_clipCount = 0;
};

SvgDevice::SvgDevice(const QSizeF& sizePoints, SvgWords words)
    : m_size(sizePoints), m_words(std::move(words)), m_engine(std::make_unique<Engine>()) {}

SvgDevice::~SvgDevice() = default;

QPaintEngine* SvgDevice::paintEngine() const {
    return m_engine.get();
}

QByteArray SvgDevice::document() const {
    const QByteArray width = number(m_size.width());
    const QByteArray height = number(m_size.height());
    QByteArray text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"";
    text += attribute("width", number(m_size.width() * kMmPerPoint) + "mm");
    text += attribute("height", number(m_size.height() * kMmPerPoint) + "mm");
    text += attribute("viewBox", "0 0 " + width + ' ' + height) + ">\n";
    const auto add = [&text](const QByteArray& tag, const QString& words) {
        if (!words.isEmpty()) text += '<' + tag + '>' + xmlText(words) + "</" + tag + ">\n";
    };
    add("title", m_words.title);
    add("desc", m_words.description);
    add("metadata", m_words.facts);
    return text + m_engine->body() + "</svg>\n";
}

int SvgDevice::metric(PaintDeviceMetric metric) const {
    return pointMetric(metric, m_size);
}

} // namespace headscope::ui
