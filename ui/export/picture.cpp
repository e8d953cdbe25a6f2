// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture.h"

#include "ui/export/caption.h"
#include "ui/export/picture_facts.h"
#include "ui/format.h"
#include "ui/heatmap/figure_layout.h"

#include <QCoreApplication>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace headscope::ui {

namespace {

constexpr double kPointsPerMm = 72.0 / 25.4;
constexpr double kGapPt = 10.0; ///< between the maps of a sheet, and around them

HeadFigure figureOf(const ExportPart& part, std::size_t index, const FigureOptions& options) {
    HeadFigure figure{part.map(index), part.axes.queries.axis, part.axes.keys.axis, part.statistics(index)};
    if (options.margins)
        figure.margins = std::make_shared<const MapMargins>(marginsOf(*figure.map, CancelToken()));
    return figure;
}

/// The part is cut out already, so the figure shows all of it.
FigureOptions wholeOf(FigureOptions options) {
    options.rows.reset();
    options.columns.reset();
    return options;
}

/// Of one map among several: a height is that of a figure by itself.
FigureOptions panelOf(const FigureOptions& options) {
    FigureOptions panel = wholeOf(options);
    panel.heightMm.reset();
    return panel;
}

QColor backgroundOf(const FigureOptions& options) {
    return options.transparent ? QColor(Qt::transparent) : options.theme.panel;
}

/// One map of a sheet, with what differs from map to map.
struct Panel {
    HeadFigure figure;
    FigureOptions options;
};

/// A sheet: where each map stands.
struct Sheet {
    QSizeF size;
    double top = 0.0; ///< height of the title
    std::vector<Panel> panels;
    std::vector<QRectF> places;
    QColor background;
    QFont titleFont;
};

QFont sheetTitleFont(const FigureOptions& options) {
    QFont font = figureFont(options);
    font.setPixelSize(
        std::max(1, static_cast<int>(std::lround(options.fontSizePt * 1.5)))); // one unit is one point
    font.setWeight(QFont::DemiBold);
    return font;
}

/// Numbers at the legends and labels differ in width, and so would the maps: all get the width of the
/// smallest.
void evenOut(Sheet& sheet) {
    const auto mapWidth = [&sheet](std::size_t i) {
        const Panel& panel = sheet.panels[i];
        return figure::HeadLayout(panel.figure, panel.options).map.width() / figure::kUnitsPerPoint;
    };
    // Cells are whole dots wide, so a map may end smaller than asked for: then the others follow once more.
    for (int round = 0; round < 4; ++round) {
        double smallest = mapWidth(0);
        double largest = smallest;
        for (std::size_t i = 1; i < sheet.panels.size(); ++i) {
            smallest = std::min(smallest, mapWidth(i));
            largest = std::max(largest, mapWidth(i));
        }
        if (largest - smallest < 1e-6) return;
        for (std::size_t i = 0; i < sheet.panels.size(); ++i)
            sheet.panels[i].options.widthMm -= (mapWidth(i) - smallest) / kPointsPerMm;
    }
}

/// Of the map, below its title and labels; points.
double topOf(const Panel& panel) {
    return figure::HeadLayout(panel.figure, panel.options).map.top() / figure::kUnitsPerPoint;
}

/// `panels` side by side, `columns` to a row; `options` are those of the sheet.
std::shared_ptr<const Sheet> layOut(std::vector<Panel> panels, std::size_t columns,
                                    const FigureOptions& options) {
    auto sheet = std::make_shared<Sheet>();
    const std::size_t count = panels.size();
    const double width = options.widthMm * kPointsPerMm;
    const double panel = (width - kGapPt * static_cast<double>(columns + 1)) / static_cast<double>(columns);
    sheet->background = backgroundOf(options);
    sheet->titleFont = sheetTitleFont(options);
    if (!options.title.isEmpty()) sheet->top = QFontMetricsF(sheet->titleFont).height() + kGapPt;
    sheet->panels = std::move(panels);
    for (Panel& one : sheet->panels) one.options.widthMm = panel / kPointsPerMm;
    evenOut(*sheet);
    std::vector<double> tops;
    std::vector<double> level((count + columns - 1) / columns);
    for (std::size_t i = 0; i < count; ++i) {
        tops.push_back(topOf(sheet->panels[i]));
        level[i / columns] = std::max(level[i / columns], tops[i]);
    }
    double y = sheet->top + kGapPt;
    double rowHeight = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const QSizeF size = headFigureSize(sheet->panels[i].figure, sheet->panels[i].options);
        const std::size_t column = i % columns;
        if (i > 0 && column == 0) {
            y += rowHeight + kGapPt;
            rowHeight = 0.0;
        }
        const double below = level[i / columns] - tops[i]; // maps stand level whatever is above them
        rowHeight = std::max(rowHeight, below + size.height());
        sheet->places.emplace_back(
            QPointF(kGapPt + static_cast<double>(column) * (panel + kGapPt), y + below), size);
    }
    sheet->size = QSizeF(width, y + rowHeight + kGapPt);
    return sheet;
}

void paintSheet(QPainter& painter, const Sheet& sheet, const QString& title, const HeatmapTheme& theme) {
    if (sheet.background.alpha() > 0) painter.fillRect(QRectF(QPointF(0, 0), sheet.size), sheet.background);
    if (!title.isEmpty()) {
        painter.setFont(sheet.titleFont);
        painter.setPen(theme.text);
        painter.drawText(QRectF(kGapPt, kGapPt, sheet.size.width() - 2 * kGapPt, sheet.top),
                         Qt::AlignLeft | Qt::AlignTop, title);
    }
    for (std::size_t i = 0; i < sheet.panels.size(); ++i) {
        const Panel& panel = sheet.panels[i];
        painter.save();
        painter.translate(sheet.places[i].topLeft());
        paintHeadFigure(painter, sheet.places[i].size(), panel.figure, panel.options);
        painter.restore();
    }
}

Picture pictureOf(const std::shared_ptr<const Sheet>& sheet, const FigureOptions& options) {
    Picture picture;
    picture.size = sheet->size;
    picture.title = options.title;
    picture.background = sheet->background;
    picture.paint = [sheet, options](QPainter& painter) {
        paintSheet(painter, *sheet, options.title, options.theme);
    };
    return picture;
}

/// "(a) Head 1.11", with the model's name where there are two.
QString sideName(const HeadComparison& comparison, std::size_t side) {
    const ComparedSide& one = comparison.sides[side];
    const bool oneModel = comparison.sides[0].analysis->model == comparison.sides[1].analysis->model;
    const auto heads = shownHeads(one.analysis->model->spec(), one.head, one.view);
    const QString name = letterOf(side) + u' ' + shownName(heads, one.view);
    if (oneModel) return withQuantisation(*one.analysis, name);
    return name + QStringLiteral(" · ") + QString::fromStdString(one.analysis->model->name);
}

Panel sidePanel(const HeadComparison& comparison, std::size_t side, const FigureOptions& options) {
    const AlignedMap& map = comparison.maps[side];
    Panel panel{{map.map, map.queries(), map.keys(), comparedRanges(comparison)[side]}, panelOf(options)};
    panel.options.title = sideName(comparison, side);
    return panel;
}

Panel differencePanel(const HeadComparison& comparison, const FigureOptions& options) {
    const AlignedMap& map = comparison.maps[0];
    const auto largest = static_cast<float>(comparison.numbers.largest);
    const float end = largest > 0.0F ? largest : 1.0F;
    Panel panel{{comparison.difference, map.queries(), map.keys(), {end, 0.0F, end}}, panelOf(options)};
    panel.options.title = QCoreApplication::translate("Picture", "(c) a less b");
    panel.options.colormap = Colormap::Diverging;
    panel.options.range = {RangeMode::Fixed, -end, end};
    panel.options.pooling = Pooling::MaxAbs;
    return panel;
}

Picture headPicture(const ExportPart& part, const HeadFigure& figure, const FigureOptions& options) {
    FigureOptions one = wholeOf(options);
    if (one.title.isNull())
        one.title = withQuantisation(*part.analysis, shownName(part.headsOf(0), part.view));
    Picture picture;
    picture.size = headFigureSize(figure, one);
    picture.title = one.title;
    picture.background = backgroundOf(one);
    picture.paint = [figure, one, size = picture.size](QPainter& painter) {
        paintHeadFigure(painter, size, figure, one);
    };
    return picture;
}

/// Several heads, each with a letter.
Picture sheetPicture(const ExportPart& part, const std::vector<HeadFigure>& figures,
                     const FigureOptions& options) {
    std::vector<Panel> panels;
    for (std::size_t i = 0; i < part.size(); ++i) {
        panels.push_back({figures[i], panelOf(options)});
        panels.back().options.title =
            withQuantisation(*part.analysis, letterOf(i) + u' ' + shownName(part.headsOf(i), part.view));
    }
    const auto columns = static_cast<std::size_t>(sheetColumns(panels.size()));
    return pictureOf(layOut(std::move(panels), columns, options), options);
}

} // namespace

int sheetColumns(std::size_t count) {
    return std::max(1, static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count)))));
}

double sheetWidthMm(std::size_t count) {
    constexpr double kPanelMm = 90.0;
    return kPanelMm * sheetColumns(count);
}

Picture headsPicture(const ExportPart& part, const FigureOptions& options) {
    std::vector<HeadFigure> figures;
    for (std::size_t i = 0; i < part.size(); ++i) figures.push_back(figureOf(part, i, options));
    Picture picture =
        part.size() == 1 ? headPicture(part, figures.front(), options) : sheetPicture(part, figures, options);
    picture.caption = headsCaption(part, figures, wholeOf(options));
    picture.facts = headsFacts(part, options);
    return picture;
}

double comparisonWidthMm(const HeadComparison& comparison) {
    constexpr double kPanelMm = 90.0;
    return kPanelMm * (comparison.difference ? 3.0 : 2.0);
}

Picture comparisonPicture(const HeadComparison& comparison, const FigureOptions& options) {
    std::vector<Panel> panels{sidePanel(comparison, 0, options), sidePanel(comparison, 1, options)};
    if (comparison.difference) panels.push_back(differencePanel(comparison, options));
    const std::size_t columns = panels.size();
    Picture picture = pictureOf(layOut(std::move(panels), columns, options), options);
    picture.caption = comparisonCaption(comparison, options);
    picture.facts = comparisonFacts(comparison, options);
    return picture;
}

Picture gridPicture(const Analysis& analysis, AttentionKind kind, const FigureOptions& options) {
    const std::vector<HeadRef> heads = allHeads(analysis.model->spec(), kind);
    GridFigure figure;
    figure.layers = heads.back().layer.value + 1;
    figure.heads = heads.back().head.value + 1;
    for (const HeadRef& head : heads) {
        const HeadResult* result = analysis.find(head);
        figure.cells.push_back(
            {result->thumbnail, result->range, badgesOf(result->verdict, analysis.keyAxis(kind))});
    }
    FigureOptions whole = panelOf(options);
    whole.xLabel = whole.yLabel = QString(); // those given are of tokens, and here are layers and heads
    if (whole.title.isNull())
        whole.title = QCoreApplication::translate("Picture", "%1: all heads, layers down, heads across")
                          .arg(QString::fromStdString(analysis.model->name));
    Picture picture;
    picture.size = gridFigureSize(figure, whole);
    picture.title = whole.title;
    picture.background = backgroundOf(whole);
    picture.paint = [figure, whole, size = picture.size](QPainter& painter) {
        paintGridFigure(painter, size, figure, whole);
    };
    picture.caption = gridCaption(analysis, kind, whole);
    picture.facts = gridFacts(analysis, kind, whole);
    return picture;
}

} // namespace headscope::ui
