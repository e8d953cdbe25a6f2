// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sentence_of.h"
#include "tests/ui/export/export_support.h"
#include "ui/export/picture_writer.h"

#include <QImage>
#include <QPainter>
#include <QXmlStreamReader>

#include <cmath>
#include <gtest/gtest.h>

namespace headscope::ui::test {
namespace {

using headscope::test::readBytes;
using headscope::test::sentenceOf;
using headscope::test::TemporaryFolder;

Picture headPicture(const FigureOptions& options = {}) {
    return headsPicture(resolvePart(tinyAnalysis(), {.heads = {headAt(1, 2)}}), options);
}

/// A picture of plain areas, so that every pixel is known.
Picture quarters() {
    Picture picture;
    picture.size = QSizeF(72, 36); // an inch by half an inch
    picture.background = Qt::white;
    picture.paint = [](QPainter& painter) {
        painter.fillRect(QRectF(0, 0, 72, 36), QColor("#102030"));
        QImage cells(2, 2, QImage::Format_RGB32);
        cells.setPixel(0, 0, qRgb(255, 0, 0));
        cells.setPixel(1, 0, qRgb(0, 255, 0));
        cells.setPixel(0, 1, qRgb(0, 0, 255));
        cells.setPixel(1, 1, qRgb(255, 255, 0));
        painter.drawImage(QRectF(0, 0, 36, 36), cells);
    };
    return picture;
}

TEST(PictureWriter, PngHasTheSizeAndDensityAskedFor) {
    const TemporaryFolder place;
    FigureOptions options;
    options.widthMm = 100;
    const Picture picture = headPicture(options);
    writePicture(picture, PictureFormat::Png, 254, place / "a.png");
    const QImage image(QString::fromStdString((place / "a.png").string()));
    EXPECT_EQ(image.width(), 1000); // 100 mm at 10 dots a millimetre
    EXPECT_EQ(image.height(), static_cast<int>(std::ceil(picture.size.height() / 72 * 254 - 0.01)));
    EXPECT_NEAR(image.dotsPerMeterX(), 10000, 1);
    EXPECT_FALSE(image.hasAlphaChannel());
}

TEST(PictureWriter, PngPaintsEveryPixel) {
    const QImage image = renderPicture(quarters(), 144, QStringLiteral("a.png"));
    ASSERT_EQ(image.size(), QSize(144, 72));
    EXPECT_EQ(image.pixel(0, 0), qRgb(255, 0, 0));
    EXPECT_EQ(image.pixel(71, 35), qRgb(0, 255, 0));
    EXPECT_EQ(image.pixel(35, 71), qRgb(0, 0, 255));
    EXPECT_EQ(image.pixel(143, 71), qRgb(0x10, 0x20, 0x30));
    FigureOptions dark;
    dark.theme = HeatmapTheme::darkTheme();
    const QImage figure = renderPicture(headPicture(dark), 97, QStringLiteral("a.png"));
    const QRgb panel = dark.theme.panel.rgb();
    for (const QPoint& corner : {QPoint(0, 0), QPoint(figure.width() - 1, 0), QPoint(0, figure.height() - 1),
                                 QPoint(figure.width() - 1, figure.height() - 1)})
        EXPECT_EQ(figure.pixel(corner), panel) << corner.x() << ' ' << corner.y();
}

TEST(PictureWriter, LettersThatArePicturesAreInEveryFormat) {
    const TemporaryFolder place;
    Picture face = quarters();
    face.paint = [](QPainter& painter) {
        QFont font = figureFont({});
        font.setPixelSize(20);
        painter.setFont(font);
        painter.setPen(Qt::black);
        painter.drawText(QPointF(4, 28), QStringLiteral("a🙂"));
    };
    const QImage image = renderPicture(face, 144, QStringLiteral("a.png"));
    bool coloured = false;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) coloured |= QColor(image.pixel(x, y)).hsvSaturation() > 100;
    if (!coloured) GTEST_SKIP() << "skipped: no font here has such letters";
    writePicture(face, PictureFormat::Svg, 300, place / "a.svg");
    writePicture(face, PictureFormat::Pdf, 300, place / "a.pdf");
    const auto count = [](const std::string& text, const char* what) {
        int times = 0;
        for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
        return times;
    };
    EXPECT_EQ(count(readBytes(place / "a.svg"), "<image"), 1);
    const std::string pdf = readBytes(place / "a.pdf");
    EXPECT_EQ(count(pdf, "/Subtype /Image"), 2) << "its colours and what of it is seen";
    EXPECT_GE(count(pdf, "/FontFile2"), 1) << "the letter beside it stays one";
    Picture plain = face;
    plain.paint = [](QPainter& painter) {
        painter.setFont(figureFont({}));
        painter.drawText(QPointF(4, 28), QStringLiteral("a"));
    };
    writePicture(plain, PictureFormat::Pdf, 300, place / "b.pdf");
    EXPECT_EQ(count(readBytes(place / "b.pdf"), "/Subtype /Image"), 0);
}

TEST(PictureWriter, PngBeyondTheLimitIsRefusedAndLeavesNothing) {
    const TemporaryFolder place;
    Picture wide = quarters();
    wide.size = QSizeF(72 * 40, 72);
    const std::string sentence =
        sentenceOf([&] { writePicture(wide, PictureFormat::Png, 1000, place / "a.png"); });
    EXPECT_NE(sentence.find("the picture would be 40000 x 1000 pixels, at most 32767 are possible on a side"),
              std::string::npos)
        << sentence;
    EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(PictureWriter, SvgIsWellFormedAndNeedsNoFont) {
    const TemporaryFolder place;
    writePicture(headPicture(), PictureFormat::Svg, 300, place / "a.svg");
    const std::string svg = readBytes(place / "a.svg");
    QXmlStreamReader reader(QByteArray::fromStdString(svg));
    QStringList labels;
    int paths = 0;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) continue;
        EXPECT_NE(reader.name(), QStringLiteral("text"));
        if (reader.attributes().hasAttribute(QStringLiteral("aria-label")))
            labels << reader.attributes().value(QStringLiteral("aria-label")).toString();
        if (reader.name() == QStringLiteral("path")) ++paths;
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    EXPECT_GT(paths, 30);
    for (const char* word : {"[CLS]", "animal", "\"", "[UNK] <", "&", "Head 1.2"})
        EXPECT_TRUE(labels.contains(QString::fromUtf8(word)))
            << word << ": " << labels.join(u'|').toStdString();
    EXPECT_EQ(svg.find("font-family"), std::string::npos);
    EXPECT_EQ(svg.find("http", svg.find("xlink\"") + 6), std::string::npos); // nothing is fetched
}

TEST(PictureWriter, SvgTurnsCellsIntoSharpEdgedPaths) {
    const TemporaryFolder place;
    writePicture(quarters(), PictureFormat::Svg, 300, place / "a.svg");
    const std::string svg = readBytes(place / "a.svg");
    EXPECT_NE(svg.find("<svg"), std::string::npos);
    EXPECT_NE(svg.find(R"(width="25.4mm" height="12.7mm" viewBox="0 0 72 36")"), std::string::npos) << svg;
    EXPECT_NE(svg.find(R"(<path fill="#ff0000" d="M0 0h18v18h-18z"/>)"), std::string::npos) << svg;
    EXPECT_NE(svg.find(R"(<path fill="#ffff00" d="M18 18h18v18h-18z"/>)"), std::string::npos) << svg;
    EXPECT_EQ(svg.find("<image"), std::string::npos);
}

TEST(PictureWriter, PdfKeepsTheMapWithoutLoss) {
    const TemporaryFolder place;
    FigureOptions options;
    options.title = QStringLiteral("A title");
    writePicture(headPicture(options), PictureFormat::Pdf, 300, place / "a.pdf");
    const std::string pdf = readBytes(place / "a.pdf");
    EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
    EXPECT_EQ(pdf.find("DCTDecode"), std::string::npos); // a JPEG
    EXPECT_NE(pdf.find("/Subtype /Image"), std::string::npos);
    EXPECT_NE(pdf.find("/FontFile"), std::string::npos); // embedded, so that it looks the same elsewhere
    EXPECT_NE(pdf.find("%%EOF"), std::string::npos);
}

TEST(Picture, SeveralHeadsShareASheet) {
    const auto part = resolvePart(
        tinyAnalysis(),
        {.heads = headsOfLayer(tinyAnalysis()->model->spec(), AttentionKind::Self, LayerIndex(0))});
    FigureOptions options;
    options.widthMm = sheetWidthMm(4);
    const Picture sheet = headsPicture(part, options);
    EXPECT_NEAR(sheet.size.width(), 180.0 / 25.4 * 72.0, 0.01);
    EXPECT_GT(sheet.size.height(), 150.0);
    EXPECT_EQ(sheetColumns(1), 1);
    EXPECT_EQ(sheetColumns(2), 2);
    EXPECT_EQ(sheetColumns(12), 4);
    EXPECT_EQ(sheetColumns(16), 4);
    const QImage image = renderPicture(sheet, 96, QStringLiteral("a.png"));
    // Each quarter holds a map: colours that no background has.
    for (const QPoint& from : {QPoint(0, 0), QPoint(image.width() / 2, 0), QPoint(0, image.height() / 2),
                               QPoint(image.width() / 2, image.height() / 2)}) {
        const QImage quarter = image.copy(QRect(from, image.size() / 2));
        bool violet = false;
        for (int y = 0; y < quarter.height(); ++y)
            for (int x = 0; x < quarter.width(); ++x)
                violet =
                    violet || quarter.pixelColor(x, y) == QColor::fromRgb(colorsOf(Colormap::Viridis)[0]);
        EXPECT_TRUE(violet);
    }
}

} // namespace
} // namespace headscope::ui::test
