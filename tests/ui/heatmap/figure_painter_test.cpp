// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_support.h"
#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/figure_layout.h"
#include "ui/heatmap/figure_painter.h"

#include <QBuffer>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

HeadFigure figureOf(const std::shared_ptr<const HeadMap>& map) {
    return {map, mixedAxis(map->extent().rows), mixedAxis(map->extent().columns), statisticsOf(*map)};
}

QImage rendered(const HeadFigure& figure, const FigureOptions& options) {
    const QSizeF size = headFigureSize(figure, options);
    const double scale = options.dpi / 72.0;
    QImage image((size * scale).toSize(), QImage::Format_RGB32);
    QPainter painter(&image);
    painter.scale(scale, scale);
    paintHeadFigure(painter, size, figure, options);
    painter.end();
    return image;
}

void expectCleanBorder(const QImage& image, const QColor& color) {
    for (int x = 0; x < image.width(); ++x)
        for (const int y : {0, 1, image.height() - 2, image.height() - 1})
            ASSERT_EQ(image.pixelColor(x, y), color) << x << ", " << y;
    for (int y = 0; y < image.height(); ++y)
        for (const int x : {0, 1, image.width() - 2, image.width() - 1})
            ASSERT_EQ(image.pixelColor(x, y), color) << x << ", " << y;
}

TEST(HeadFigure, NothingIsCutAtAnyLength) {
    for (const std::int64_t tokens : {1, 2, 11, 32, 64, 128, 512})
        for (const double width : {60.0, 160.0})
            for (const bool dark : {false, true}) {
                SCOPED_TRACE(testing::Message() << tokens << " tokens on " << width << " mm");
                FigureOptions options;
                options.widthMm = width;
                options.dpi = 110;
                options.title = QStringLiteral(
                    "Head 1.11 of a model with quite a long name, on a text about 東京 and more");
                options.values = true;
                options.theme = dark ? HeatmapTheme::darkTheme() : HeatmapTheme::lightTheme();
                HeadFigure figure = figureOf(std::make_shared<CausalMap>(tokens));
                expectCleanBorder(rendered(figure, options), options.theme.panel);
                figure.margins = std::make_shared<MapMargins>(marginsOf(*figure.map, CancelToken()));
                expectCleanBorder(rendered(figure, options), options.theme.panel);
            }
}

TEST(HeadFigure, AMarginIsAsLongAsItsNumber) {
    const std::vector<float> weights = {0.25F, 0.25F, 0.25F, 0.25F, 1.0F,  0.0F,  0.0F,  0.0F,
                                        0.5F,  0.5F,  0.0F,  0.0F,  0.25F, 0.25F, 0.25F, 0.25F};
    HeadFigure figure = figureOf(std::make_shared<StoredMap>(Extent{4, 4}, weights));
    figure.margins = std::make_shared<MapMargins>(marginsOf(*figure.map, CancelToken()));
    FigureOptions options;
    const figure::HeadLayout layout(figure, options);
    const QImage image = rendered(figure, options);
    const auto isBar = [&](double x, double y) {
        const double dots = 1.0 / layout.frame.unitsPerDot;
        return image.pixelColor(static_cast<int>(x * dots), static_cast<int>(y * dots)) !=
               options.theme.skeleton;
    };
    const auto rowHas = [&](int row, double share) {
        return isBar(layout.rowStrip.left() + share * layout.rowStrip.width(),
                     layout.rowStrip.top() + (row + 0.5) * layout.cell);
    };
    EXPECT_TRUE(rowHas(0, 0.95)) << "evenly over all four";
    EXPECT_FALSE(rowHas(1, 0.05)) << "one key";
    EXPECT_TRUE(rowHas(2, 0.45)) << "ln 2 of ln 4";
    EXPECT_FALSE(rowHas(2, 0.55));
    const auto columnHas = [&](int column, double share) {
        return isBar(layout.columnStrip.left() + (column + 0.5) * layout.cell,
                     layout.columnStrip.top() + share * layout.columnStrip.height());
    };
    EXPECT_TRUE(columnHas(0, 0.95)) << "2 / 4, the most";
    EXPECT_TRUE(columnHas(1, 0.45)) << "1 / 4";
    EXPECT_FALSE(columnHas(1, 0.55));
    EXPECT_TRUE(columnHas(3, 0.2)) << "0.5 / 4";
    EXPECT_FALSE(columnHas(3, 0.3));
}

TEST(HeadFigure, WeightsArePrintedWhereTheyFit) {
    // On 160 mm: 16 tokens leave a cell room for small digits, 64 leave none.
    for (const auto& [tokens, printed] : {std::pair<std::int64_t, bool>{4, true}, {16, true}, {64, false}}) {
        FigureOptions options;
        const HeadFigure figure = figureOf(storedMap(tokens, tokens));
        const QImage without = rendered(figure, options);
        options.values = true;
        EXPECT_EQ(rendered(figure, options) != without, printed) << tokens;
    }
}

TEST(HeadFigure, PartsDoNotOverlap) {
    for (const std::int64_t tokens : {1, 2, 11, 64, 512}) {
        FigureOptions options;
        options.title = QStringLiteral("Title");
        const figure::HeadLayout layout(figureOf(storedMap(tokens, tokens)), options);
        EXPECT_GE(layout.map.top() - layout.topExtent,
                  layout.frame.margin + layout.frame.titleHeight + layout.frame.line);
        EXPECT_GE(layout.map.left() - layout.leftExtent, layout.frame.margin + layout.frame.line - 1e-6);
        EXPECT_GE(layout.legendRect.left(), layout.map.right() + layout.frame.line);
        EXPECT_LE(layout.legendRect.right(), layout.frame.width - 0.5 * layout.frame.margin);
        EXPECT_LE(layout.map.bottom(), layout.height);
        EXPECT_LE(layout.legendRect.bottom(), layout.height);
    }
}

TEST(HeadFigure, CellsAreWholeDotsWithTheExactColours) {
    const auto map = storedMap(20, 20);
    FigureOptions options;
    options.range = {RangeMode::Fixed, 0.0F, 1.0F};
    options.colormap = Colormap::Cividis;
    options.dpi = 150;
    const HeadFigure figure = figureOf(map);
    const QImage image = rendered(figure, options);
    const figure::HeadLayout layout(figure, options);
    const double dotsPerCell = layout.cell / layout.frame.unitsPerDot;
    EXPECT_NEAR(dotsPerCell, std::round(dotsPerCell), 1e-9);
    const QPointF origin = layout.map.topLeft() / layout.frame.unitsPerDot;
    for (std::int64_t i = 0; i < 20; ++i)
        for (std::int64_t j = 0; j < 20; ++j) {
            const Rgb expected = colorsOf(Colormap::Cividis)[colorIndex(map->cell(i, j), options.range, 0)];
            const QPointF middle = origin + QPointF((static_cast<double>(j) + 0.5) * dotsPerCell,
                                                    (static_cast<double>(i) + 0.5) * dotsPerCell);
            ASSERT_EQ(image.pixel(middle.toPoint()), expected) << i << ", " << j;
        }
}

TEST(HeadFigure, MoreCellsThanDotsArePooledSoThatADiagonalStays) {
    FigureOptions options;
    options.widthMm = 40;
    options.dpi = 96;
    options.range = {RangeMode::Fixed, 0.0F, 0.5F};
    const HeadFigure figure = figureOf(std::make_shared<CausalMap>(700));
    const QImage image = rendered(figure, options);
    const figure::HeadLayout layout(figure, options);
    ASSERT_LT(layout.dots.width(), 700);
    const QRectF map(layout.map.topLeft() / layout.frame.unitsPerDot, QSizeF(layout.dots));
    for (int y = 0; y < layout.dots.height(); ++y) {
        bool found = false;
        for (int x = 0; x < layout.dots.width(); ++x)
            found = found || image.pixel((map.topLeft() + QPointF(x + 0.5, y + 0.5)).toPoint()) ==
                                 colorsOf(Colormap::Viridis).back();
        // The nearest whole pixel of a middle may be the next one; its neighbours have the diagonal too.
        EXPECT_TRUE(found || y + 1 == layout.dots.height()) << y;
    }
}

TEST(HeadFigure, PartOfTheMapOwnTitlesAndTallMaps) {
    FigureOptions options;
    options.rows = Span{3, 7};
    options.columns = Span{10, 30};
    options.xLabel = QStringLiteral("");
    options.yLabel = QStringLiteral("reader");
    const figure::HeadLayout layout(figureOf(storedMap(40, 40)), options);
    EXPECT_EQ(layout.rows, (Span{3, 7}));
    EXPECT_TRUE(layout.xLabel.isEmpty());
    EXPECT_EQ(layout.yLabel, "reader");
    EXPECT_NEAR(layout.map.width() / layout.map.height(), 5.0, 1e-6);
    rendered(figureOf(storedMap(40, 40)), options);

    const figure::HeadLayout tall(figureOf(storedMap(600, 4)), FigureOptions());
    EXPECT_LT(tall.height, 2.5 * tall.frame.width);
}

TEST(HeadFigure, VectorFormatsKeepTheMapLossless) {
    const HeadFigure figure = figureOf(storedMap(24, 24));
    const FigureOptions options;
    const QSizeF size = headFigureSize(figure, options);
    QBuffer svg;
    {
        QSvgGenerator generator;
        generator.setOutputDevice(&svg);
        generator.setSize(size.toSize());
        QPainter painter(&generator);
        paintHeadFigure(painter, size, figure, options);
    }
    EXPECT_TRUE(svg.data().contains("data:image/png"));
    EXPECT_TRUE(svg.data().contains("<text"));
    QBuffer pdf;
    pdf.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&pdf);
        writer.setPageSize(QPageSize(size, QPageSize::Point));
        writer.setPageMargins(QMarginsF());
        writer.setResolution(720);
        QPainter painter(&writer);
        painter.scale(10.0, 10.0);
        paintHeadFigure(painter, size, figure, options);
    }
    EXPECT_GT(pdf.data().size(), 1000);
    EXPECT_TRUE(pdf.data().contains("/Subtype /Image"));
    EXPECT_FALSE(pdf.data().contains("DCTDecode")); // JPEG
}

GridFigure gridOf(int layers, int heads) {
    GridFigure figure;
    figure.layers = layers;
    figure.heads = heads;
    for (int i = 0; i < layers * heads; ++i) {
        GridFigureCell cell;
        if (i % 5 != 4) cell.thumbnail = thumbnailOf(*storedMap(12, 12, static_cast<unsigned>(i)), 96);
        if (i % 7 == 1) cell.badges = {{Label::Sink, {}}};
        if (i % 7 == 2) cell.badges = {{Label::Uniform, {}}};
        figure.cells.push_back(std::move(cell));
    }
    return figure;
}

TEST(GridFigure, NothingIsCutAtAnySize) {
    for (const auto& [layers, heads] : {std::pair(1, 1), {6, 12}, {12, 12}, {48, 25}, {2, 64}}) {
        SCOPED_TRACE(testing::Message() << layers << " x " << heads);
        const GridFigure figure = gridOf(layers, heads);
        FigureOptions options;
        options.dpi = 110;
        options.title = QStringLiteral("All heads");
        const QSizeF size = gridFigureSize(figure, options);
        QImage image((size * (110.0 / 72.0)).toSize(), QImage::Format_RGB32);
        QPainter painter(&image);
        painter.scale(110.0 / 72.0, 110.0 / 72.0);
        paintGridFigure(painter, size, figure, options);
        painter.end();
        expectCleanBorder(image, options.theme.panel);
        const figure::GridLayout layout(figure, options);
        EXPECT_LE(layout.cellRect(layers - 1, heads - 1).right(), layout.legendRect.left());
        EXPECT_GE(layout.pitch, layout.cell + layout.frame.unitsPerDot - 1e-9);
    }
}

} // namespace
} // namespace headscope::ui
