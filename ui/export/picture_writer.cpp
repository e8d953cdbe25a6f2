// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture_writer.h"

#include "core/base/byte_text.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/export/forwarding_device.h"
#include "ui/export/svg_device.h"

#include <QBuffer>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <span>

namespace headscope::ui {

namespace {

constexpr double kPointsPerInch = 72.0;

QByteArray asPng(const Picture& picture, int dpi, const QString& subject) {
    QImage image = renderPicture(picture, dpi, subject);
    // Of the image, not of the writer, which puts every run of spaces into one.
    image.setText(QStringLiteral("Software"), QStringLiteral("HeadScope"));
    if (!picture.title.isEmpty()) image.setText(QStringLiteral("Title"), picture.title);
    if (!picture.caption.isEmpty()) image.setText(QStringLiteral("Description"), picture.caption);
    if (!picture.facts.empty())
        image.setText(QStringLiteral("headscope"), QString::fromStdString(picture.facts));
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image)) fail(subject.toStdString(), "the picture could not be encoded");
    return buffer.data();
}

/// The fields of a PDF that readers and catalogues show, and our own.
QByteArray xmpOf(const Picture& picture) {
    const auto field = [](const char* name, const char* form, const QString& text) {
        QByteArray escaped = xmlText(text);
        if (*form != 0) {
            const QByteArray list(form);
            escaped = "<rdf:" + list + "><rdf:li" +
                      (list == "Alt" ? QByteArray(" xml:lang=\"x-default\"") : QByteArray()) + '>' + escaped +
                      "</rdf:li></rdf:" + list + '>';
        }
        const QByteArray tag(name);
        return QByteArray("<" + tag + '>' + escaped + "</" + tag + ">\n");
    };
    return "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
           "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
           "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
           "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
           "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmlns:headscope=\"urn:headscope:picture\">\n" +
           field("dc:title", "Alt", picture.title) + field("dc:description", "Alt", picture.caption) +
           field("xmp:CreatorTool", "", QStringLiteral("HeadScope")) +
           field("headscope:facts", "", QString::fromStdString(picture.facts)) +
           "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>\n";
}

QByteArray asPdf(const Picture& picture) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setCreator(QStringLiteral("HeadScope"));
        writer.setTitle(picture.title);
        if (!picture.facts.empty()) writer.setDocumentXmpMetadata(xmpOf(picture));
        constexpr int kResolution = 1200;
        writer.setResolution(kResolution);
        writer.setPageSize(
            QPageSize(picture.size, QPageSize::Point, QStringLiteral("figure"), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        QPainter painter(&writer);
        // Without this hint the map would be stored as a JPEG.
        painter.setRenderHint(QPainter::LosslessImageRendering);
        painter.scale(kResolution / kPointsPerInch, kResolution / kPointsPerInch);
        // Pages are rounded to whole points.
        if (picture.background.alpha() > 0)
            painter.fillRect(QRectF(QPointF(0, 0), picture.size + QSizeF(1, 1)), picture.background);
        ForwardingDevice device(painter, picture.size);
        QPainter points(&device);
        points.setRenderHint(QPainter::LosslessImageRendering);
        picture.paint(points);
    }
    return buffer.data();
}

QByteArray asSvg(const Picture& picture) {
    SvgDevice device(picture.size, {picture.title, picture.caption, QString::fromStdString(picture.facts)});
    {
        QPainter painter(&device);
        picture.paint(painter);
    }
    return device.document();
}

} // namespace

QSize pixelSize(const Picture& picture, int dpi) {
    const double scale = dpi / kPointsPerInch;
    const auto pixels = [&](double points) {
        return static_cast<int>(std::ceil(std::clamp(points * scale - 0.01, 1.0, 1e9)));
    };
    return {pixels(picture.size.width()), pixels(picture.size.height())};
}

void requirePossible(const QSize& pixels, const QString& subject) {
    if (pixels.width() <= kLongestSide && pixels.height() <= kLongestSide) return;
    fail(subject.toStdString(),
         fmt::format("the picture would be {} x {} pixels", pixels.width(), pixels.height()),
         fmt::format("at most {} are possible on a side", kLongestSide),
         "lower the dots per inch or the width, or choose .svg or .pdf");
}

QImage renderPicture(const Picture& picture, int dpi, const QString& subject) {
    const QSize size = pixelSize(picture, dpi);
    requirePossible(size, subject);
    const std::uint64_t bytes = std::uint64_t{4} * static_cast<std::uint64_t>(size.width()) *
                                static_cast<std::uint64_t>(size.height());
    const std::uint64_t available = availableMemoryBytes();
    QImage image;
    // Encoding needs about as much again.
    if (available == 0 || bytes + bytes / 2 < available)
        image = QImage(size, picture.background.alpha() < 255 ? QImage::Format_ARGB32_Premultiplied
                                                              : QImage::Format_RGB32);
    if (image.isNull())
        fail(subject.toStdString(), fmt::format("the picture would take {} of memory", byteText(bytes)),
             fmt::format("{} are available", byteText(available)), "lower the dots per inch or the width");
    image.fill(picture.background); // the last row and column may be covered in part only
    const int dotsPerMetre = static_cast<int>(std::lround(dpi / 0.0254));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    QPainter painter(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.scale(dpi / kPointsPerInch, dpi / kPointsPerInch);
    picture.paint(painter);
    return image;
}

void writePicture(const Picture& picture, PictureFormat format, int dpi,
                  const std::filesystem::path& target) {
    AtomicFile file(target);
    QByteArray bytes;
    switch (format) {
    case PictureFormat::Png:
        bytes = asPng(picture, dpi, QString::fromStdString(escapeForMessage(target.string())));
        break;
    case PictureFormat::Svg:
        bytes = asSvg(picture);
        break;
    case PictureFormat::Pdf:
        bytes = asPdf(picture);
        break;
    }
    file.write(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    file.commit();
}

} // namespace headscope::ui
