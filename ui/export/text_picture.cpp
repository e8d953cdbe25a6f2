// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/text_picture.h"

#include "core/base/error.h"
#include "ui/export/caption.h"
#include "ui/export/picture_facts.h"
#include "ui/export/picture_sheet.h"
#include "ui/format.h"
#include "ui/heatmap/legend_painter.h"
#include "ui/heatmap/readout.h"
#include "ui/reading/reading_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headscope::ui {

namespace {

struct TextPicture {
    Q_DECLARE_TR_FUNCTIONS(TextPicture)
};

// Everything is laid out for letters of this size, as in the window, and scaled to what was asked for.
constexpr int kReadingSize = 16;
constexpr double kWordSpacing = 4.0;
constexpr double kMargin = 12.0;
constexpr double kGap = 10.0;
constexpr double kBetweenSides = 20.0;
constexpr double kRamp = 120.0;
constexpr double kBar = 11.0;

struct Side {
    ReadingLayout layout;
    TextShades shades;
};

/// Where everything stands, in units of which the letters have kReadingSize.
struct Sheet : PictureSheet {
    double legendTop = 0.0;
    std::array<Side, 2> sides;
    std::size_t shown = 1; ///< sides
    std::size_t followedSide = 0;
    std::int64_t followed = 0;
    LegendModel legend;
    float largest = 0.0F;
};

MapView byTokens(MapView view) {
    view.words = view.hideSpecial = view.hideFirst = false;
    return view;
}

std::array<QString, 2> endsOf(const Sheet& sheet) {
    const DisplayRange range = sheet.legend.resolved();
    switch (range.mode) {
    case RangeMode::Log:
        return {scaleEndText(kLogLow), scaleEndText(kLogHigh)};
    case RangeMode::PerRow:
        return {scaleEndText(0.0F), scaleEndText(sheet.largest)};
    case RangeMode::Auto:
    case RangeMode::Fixed:
        break;
    }
    const QString high = scaleEndText(range.high);
    return {scaleEndText(range.low), sheet.legend.clipped() ? QString(QStringLiteral("≥ ") + high) : high};
}

void requireToken(const FollowedToken& followed, const Axis& axis) {
    if (followed.index >= 0 && followed.index < axis.size()) return;
    fail(fmt::format("token {}", followed.index), "there is no such token",
         fmt::format("the text has {} tokens, hence 0 to {}", axis.size(), axis.size() - 1));
}

void layOut(Sheet& sheet) {
    const QFontMetricsF metrics(sheet.font);
    double y = kMargin;
    const double inside = sheet.width - 2.0 * kMargin;
    if (!sheet.title.isEmpty())
        y += QFontMetricsF(sheet.titleFont)
                 .boundingRect(QRectF(0.0, 0.0, inside, 1e6), Qt::TextWordWrap, sheet.title)
                 .height() +
             kGap;
    for (std::size_t i = 0; i < sheet.shown; ++i)
        y = sheet.sides[i].layout.layOut(inside, y + (i > 0 ? kBetweenSides : 0.0));
    sheet.legendTop = y + kGap;
    sheet.height = sheet.legendTop + metrics.height() + kMargin;
}

void paintRamp(QPainter& painter, const Sheet& sheet) {
    const QFontMetricsF metrics(sheet.font);
    const auto& colors = colorsOf(sheet.legend.colormap);
    const auto [low, high] = endsOf(sheet);
    const double baseline = sheet.legendTop + metrics.ascent();
    double x = kMargin + 4.0; // as the text
    const auto say = [&](const QString& words) {
        painter.setPen(sheet.options.theme.muted);
        painter.drawText(QPointF(x, baseline), words);
        x += metrics.horizontalAdvance(words) + 6.0;
    };
    say(legendTitle(sheet.legend));
    x += 6.0;
    say(low);
    QImage bar(static_cast<int>(colors.size()), 1, QImage::Format_RGB32);
    for (std::size_t i = 0; i < colors.size(); ++i) bar.setPixel(static_cast<int>(i), 0, colors[i]);
    painter.drawImage(QRectF(x, sheet.legendTop + 0.5 * (metrics.height() - kBar), kRamp, kBar), bar);
    x += kRamp + 6.0;
    say(high);
}

void paint(QPainter& painter, const Sheet& sheet) {
    const HeatmapTheme& theme = sheet.options.theme;
    sheet.begin(painter);
    if (!sheet.title.isEmpty()) {
        painter.setFont(sheet.titleFont);
        painter.setPen(theme.text);
        painter.drawText(QRectF(kMargin + 4.0, kMargin, sheet.width - 2.0 * kMargin, sheet.height),
                         Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, sheet.title);
    }
    painter.save();
    painter.translate(kMargin, 0.0);
    painter.setFont(sheet.font);
    const ReadingLook look{theme, sheet.font, sheet.width - 2.0 * kMargin, 0.0, sheet.height};
    for (std::size_t i = 0; i < sheet.shown; ++i)
        paintReading(painter, sheet.sides[i].layout, sheet.sides[i].shades, look);
    paintTokenOutline(painter, sheet.sides[sheet.followedSide].layout, sheet.followed,
                      QPen(theme.accent, 2.0));
    painter.restore();
    QFont plain = sheet.font;
    plain.setWordSpacing(0.0);
    painter.setFont(plain);
    paintRamp(painter, sheet);
    painter.restore();
}

Sheet sheetOf(const FigureOptions& options) {
    Sheet sheet;
    sheet.options = options;
    sheet.font = figureFont(options);
    sheet.font.setPixelSize(kReadingSize);
    sheet.titleFont = sheet.font;
    sheet.titleFont.setPixelSize(kReadingSize * 5 / 4);
    sheet.titleFont.setWeight(QFont::DemiBold);
    sheet.font.setWordSpacing(kWordSpacing);
    sheet.scale = options.fontSizePt / kReadingSize;
    sheet.width = options.widthMm / 25.4 * 72.0 / sheet.scale;
    return sheet;
}

/// "Head 3.1: what “it” reads"
QString titleOf(const ExportPart& part, const AxisEntry& token, bool column) {
    const QString name = shownName(part.headsOf(0), byTokens(part.view));
    const QString words = tokenInSentence(token);
    return column ? TextPicture::tr("%1: who reads %2").arg(name, words)
                  : TextPicture::tr("%1: what %2 reads").arg(name, words);
}

} // namespace

Picture textPicture(const ExportPart& part, const FollowedToken& followed, const FigureOptions& options) {
    if (part.size() != 1)
        fail("text", fmt::format("{} heads were asked for", part.size()), "expected one head",
             "give one head, or combine them");
    const AttentionKind kind = part.heads.front().kind;
    const MapView view = byTokens(part.view);
    const ViewedAxes axes = viewedAxes(*part.analysis, kind, view);
    requireToken(followed, followed.isKey ? *axes.keys.axis : *axes.queries.axis);
    const auto map = viewedMap(*part.analysis, part.headsOf(0), view, axes, {});
    const WeightLine line = readLine(*map, followed.isKey, followed.index);

    auto sheet = std::make_shared<Sheet>(sheetOf(options));
    const bool crossing = &part.analysis->queryAxis(kind) != &part.analysis->keyAxis(kind);
    sheet->shown = crossing ? 2 : 1;
    sheet->legend = {options.range, part.statistics(0), options.colormap, std::nullopt};
    sheet->largest = largestOf(line);
    sheet->followed = followed.index;
    sheet->followedSide = crossing && followed.isKey ? 1 : 0;
    sheet->sides[crossing && !followed.isKey ? 1 : 0].shades =
        shadesOf(line, sheet->legend.resolved(), options.colormap);
    for (std::size_t i = 0; i < sheet->shown; ++i) {
        ReadingText text = makeReadingText(i == 0 ? *axes.queries.axis : *axes.keys.axis);
        const QStringList headings =
            readingHeadings(text.blocks, crossing, i == 0 ? TextSide::Queries : TextSide::Keys);
        sheet->sides[i].layout.setText(std::move(text), headings, sheet->font);
    }
    const AxisEntry& token =
        (followed.isKey ? axes.keys : axes.queries).axis->entries[static_cast<std::size_t>(followed.index)];
    sheet->title = options.title.isNull()
                       ? withQuantisation(*part.analysis, titleOf(part, token, followed.isKey))
                       : options.title;
    layOut(*sheet);

    Picture picture = sheet->blank();
    picture.paint = [sheet](QPainter& painter) { paint(painter, *sheet); };
    const bool masked = std::ranges::find(line.visible, 0) != line.visible.end();
    picture.caption = textCaption(part, followed, masked, options);
    picture.facts = textFacts(part, followed, options);
    return picture;
}

} // namespace headscope::ui
