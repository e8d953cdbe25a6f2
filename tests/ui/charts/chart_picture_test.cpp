// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/charts/chart_support.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/class_chart.h"
#include "ui/charts/offset_chart.h"
#include "ui/charts/sink_chart.h"
#include "ui/charts/texts_chart.h"
#include "ui/export/picture_writer.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSvgRenderer>
#include <QXmlStreamReader>

#include <filesystem>
#include <gtest/gtest.h>
#include <memory>

namespace headscope::ui::test {
namespace {

using headscope::test::readBytes;
using headscope::test::sentenceOf;
using headscope::test::TemporaryFolder;

std::vector<std::unique_ptr<Chart>> allCharts() {
    std::vector<std::unique_ptr<Chart>> charts;
    auto sink = std::make_unique<SinkChart>();
    sink->setPoints({{headAt(0, 0), 0.5, Label::Sink},
                     {headAt(0, 1), 0.95, Label::Stuck},
                     {headAt(1, 0), 0.05, Label::Uniform},
                     {headAt(1, 1), 0.2}});
    auto offset = std::make_unique<OffsetChart>();
    offset->setBars({{-128, -65, 0.1, 0.3}, {-64, -64, 0.1, 0.1}, {-1, -1, 0.6, 0.1}, {0, 0, 0.2, 0.1}});
    auto classes = std::make_unique<ClassChart>();
    classes->setBars({{TokenClass::Start, 0.8, 0.1}, {TokenClass::Newline, std::nullopt}});
    auto texts = std::make_unique<TextsChart>();
    TextDots dots;
    dots.label = Label::Sink;
    dots.threshold = 0.3;
    dots.texts = {1, 2};
    dots.dots = {{QStringLiteral("prose <1> & \"2\""), 0.7, true},
                 {QStringLiteral("code"), 0.2},
                 {QStringLiteral("list"), std::nullopt}};
    texts->setDots(dots);
    charts.push_back(std::move(sink));
    charts.push_back(std::move(offset));
    charts.push_back(std::move(classes));
    charts.push_back(std::move(texts));
    for (auto& chart : charts) chart->resize(400, 260);
    return charts;
}

TEST(ChartPicture, PngHasTheWidthAskedForAndInk) {
    const TemporaryFolder place;
    for (const auto& chart : allCharts()) {
        ChartPictureSettings settings;
        settings.widthMm = 100;
        settings.heightMm = 60;
        settings.dpi = 254;
        writeChart(*chart, place / "a.png", settings);
        const QImage image(QString::fromStdString((place / "a.png").string()));
        EXPECT_NEAR(image.width(), 1000, 1);
        EXPECT_NEAR(image.height(), 600, 1);
        EXPECT_EQ(image.pixel(0, 0), lightColors().panel.rgb());
        EXPECT_EQ(image.pixel(image.width() - 1, image.height() - 1), lightColors().panel.rgb());
        EXPECT_GT(pixelsOf(image, lightColors().accent, 4), 400) << chart->plot().title.toStdString();
        EXPECT_EQ(image.text(QStringLiteral("Title")), chart->plot().title);
    }
}

TEST(ChartPicture, SvgIsWellFormedVectorTextAndNeedsNoFont) {
    const TemporaryFolder place;
    for (const auto& chart : allCharts()) {
        writeChart(*chart, place / "a.svg");
        const std::string svg = readBytes(place / "a.svg");
        QXmlStreamReader reader(QByteArray::fromStdString(svg));
        QStringList labels;
        int paths = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement) continue;
            EXPECT_NE(reader.name(), QStringLiteral("text"));
            EXPECT_NE(reader.name(), QStringLiteral("image"));
            if (reader.attributes().hasAttribute(QStringLiteral("aria-label")))
                labels << reader.attributes().value(QStringLiteral("aria-label")).toString();
            if (reader.name() == QStringLiteral("path")) ++paths;
        }
        EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
        EXPECT_GT(paths, 12);
        // A title may be broken into lines.
        EXPECT_TRUE(labels.join(u' ').contains(chart->plot().title.section(u' ', 0, 0)))
            << labels.join(u'|').toStdString();
        EXPECT_EQ(svg.find("font-family"), std::string::npos);
    }
}

TEST(ChartPicture, SvgLooksLikeThePng) {
    const TemporaryFolder place;
    for (const auto& chart : allCharts()) {
        writeChart(*chart, place / "a.svg");
        const QImage png = renderPicture(chart->picture({}), 96, QStringLiteral("a.png"));
        // A viewer that knows no clip paths, as many.
        QSvgRenderer viewer(QString::fromStdString((place / "a.svg").string()));
        ASSERT_TRUE(viewer.isValid());
        QImage svg(png.size(), QImage::Format_RGB32);
        svg.fill(Qt::magenta);
        QPainter painter(&svg);
        painter.setRenderHint(QPainter::Antialiasing);
        viewer.render(&painter);
        painter.end();
        double difference = 0.0;
        for (int y = 0; y < png.height(); ++y)
            for (int x = 0; x < png.width(); ++x)
                difference += distanceTo(svg.pixel(x, y), QColor(png.pixel(x, y)));
        EXPECT_LT(difference / (png.width() * png.height()), 6.0) << chart->plot().title.toStdString();
    }
}

TEST(ChartPicture, PdfEmbedsItsFontAndHoldsNoPictures) {
    const TemporaryFolder place;
    for (const auto& chart : allCharts()) {
        writeChart(*chart, place / "a.PDF"); // endings in any case
        const std::string pdf = readBytes(place / "a.PDF");
        EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
        EXPECT_NE(pdf.find("%%EOF"), std::string::npos);
        EXPECT_NE(pdf.find("/FontFile"), std::string::npos);
        EXPECT_EQ(pdf.find("/Subtype /Image"), std::string::npos);
    }
}

TEST(ChartPicture, DarkIsDark) {
    const auto charts = allCharts();
    ChartPictureSettings settings;
    settings.dark = true;
    const Picture picture = charts[0]->picture(settings);
    EXPECT_EQ(picture.background, darkColors().panel);
    QImage image(picture.size.toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    picture.paint(painter);
    painter.end();
    EXPECT_EQ(image.pixel(2, 2), darkColors().panel.rgb());
    EXPECT_EQ(pixelsOf(image, lightColors().panel, 10), 0);
}

TEST(ChartPicture, OutlivesItsChart) {
    Picture picture;
    {
        const auto charts = allCharts();
        picture = charts[1]->picture({});
    }
    QImage image(picture.size.toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    picture.paint(painter);
    painter.end();
    EXPECT_GT(pixelsOf(image, lightColors().accent, 4), 20);
}

TEST(ChartPicture, AnotherEndingAndTheModelsFolderAreRefused) {
    const TemporaryFolder place;
    const auto charts = allCharts();
    QString sentence;
    EXPECT_FALSE(exportChart(*charts[0], place / "a.docx", {}, &sentence));
    EXPECT_TRUE(sentence.contains(QStringLiteral("a.docx"))) << sentence.toStdString();
    EXPECT_TRUE(sentence.contains(QStringLiteral(".png, .svg or .pdf"))) << sentence.toStdString();
    charts[0]->setSubject(QStringLiteral("some/model"), place.path());
    EXPECT_FALSE(exportChart(*charts[0], place / "a.png", {}, &sentence));
    EXPECT_TRUE(std::filesystem::is_empty(place.path()));
    EXPECT_EQ(charts[0]->suggestedFileName(), QStringLiteral("some-model-sink-strength-by-layer.png"));
}

TEST(ChartPicture, CopyPutsItOnTheClipboardAtTwiceItsSize) {
    const auto charts = allCharts();
    charts[0]->copy();
    const QImage image = QGuiApplication::clipboard()->image();
    EXPECT_NEAR(image.width(), 800, 2);
    EXPECT_GT(pixelsOf(image, lightColors().accent, 4), 100);
}

TEST(Chart, FollowsTheThemeAtOnce) {
    const auto charts = allCharts();
    for (const auto& chart : charts) {
        chart->show();
        EXPECT_GT(pixelsOf(imageOf(*chart), lightColors().accent, 4), 20);
        const WithTheme dark(ThemeChoice::Dark);
        const QImage image = imageOf(*chart);
        EXPECT_GT(pixelsOf(image, darkColors().accent, 4), 20) << chart->plot().title.toStdString();
        EXPECT_EQ(pixelsOf(image, lightColors().accent, 4), 0);
        EXPECT_GT(pixelsOf(image, darkColors().muted, 40), 20); // labels
    }
}

TEST(Chart, EachHasANameForScreenReaders) {
    for (const auto& chart : allCharts()) {
        EXPECT_FALSE(chart->accessibleName().isEmpty());
        EXPECT_EQ(chart->focusPolicy(), Qt::StrongFocus);
    }
}

TEST(Chart, StaysUsableInVerySmallPlaces) {
    for (const auto& chart : allCharts()) {
        chart->resize(60, 40);
        EXPECT_FALSE(imageOf(*chart).isNull());
        chart->resize(0, 0);
        EXPECT_FALSE(chart->itemAt({500.0, 500.0}));
    }
}

} // namespace
} // namespace headscope::ui::test
