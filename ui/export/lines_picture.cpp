// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/lines_picture.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "ui/export/caption.h"
#include "ui/export/picture_facts.h"
#include "ui/export/picture_sheet.h"
#include "ui/format.h"
#include "ui/heatmap/legend_painter.h"
#include "ui/heatmap/readout.h"
#include "ui/reading/line_colors.h"
#include "ui/reading/line_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>

namespace headscope::ui {

namespace {

struct LinesPicture {
    Q_DECLARE_TR_FUNCTIONS(LinesPicture)
};

// Everything is laid out for letters of this size, as in the window, and scaled to what was asked for.
constexpr int kLetters = 13;
constexpr double kMargin = 12.0;
constexpr double kGap = 10.0;
constexpr double kRamp = 64.0;
constexpr int kRampSteps = 64;
constexpr double kBar = 10.0;
constexpr double kWidestLabel = 0.34; ///< share of the width

/// The scale of one head: its name, the ends in weights, the strengths between them in its colour.
struct ScaleEntry {
    QString name;
    QString low;
    QString high;
    QColor color;
    QPointF place; ///< of its left end, at half the height of a line
};

struct Column {
    std::shared_ptr<const Axis> axis;
    Span rows;
    std::optional<std::int64_t> chosen;
};

/// Where everything stands, in units of which the letters have kLetters.
struct Sheet : PictureSheet {
    LineFrame frame;
    std::array<Column, 2> columns; ///< queries, keys
    LinePicks picks;
    std::vector<double> strengths;  ///< of each of picks.lines
    std::vector<QColor> colors;     ///< of each head
    std::optional<LineFocus> alone; ///< whose lines alone are drawn
    QString scaleName;
    std::vector<ScaleEntry> scales;
    QPointF scaleNamePlace;
    QString leftOut; ///< what is not drawn; empty: nothing
    QRectF leftOutRect;
};

Sheet sheetOf(const FigureOptions& options) {
    Sheet sheet;
    sheet.options = options;
    sheet.font = figureFont(options);
    sheet.font.setPixelSize(kLetters);
    sheet.titleFont = sheet.font;
    sheet.titleFont.setPixelSize(kLetters * 5 / 4);
    sheet.titleFont.setWeight(QFont::DemiBold);
    sheet.scale = options.fontSizePt / kLetters;
    sheet.width = options.widthMm / 25.4 * 72.0 / sheet.scale;
    return sheet;
}

/// The rows (columns) of the whole view that a part shows.
Span within(const ViewedAxis& whole, const ViewedAxis& part) {
    const auto at = [&whole](std::int64_t position) {
        return std::ranges::lower_bound(whole.positions, position) - whole.positions.begin();
    };
    return {at(part.positions.front()), at(part.positions.back()) + 1};
}

/// Its row or its column in the view.
LineFocus focusOf(const FollowedToken& followed, const ViewedAxes& whole, const Axis& tokens) {
    const std::string subject = fmt::format("token {}", followed.index);
    if (followed.index < 0 || followed.index >= tokens.size())
        fail(subject, "there is no such token",
             fmt::format("the text has {} tokens, hence 0 to {}", tokens.size(), tokens.size() - 1));
    const auto at = (followed.isKey ? whole.keys : whole.queries).indexOf(followed.index);
    if (!at) fail(subject, "it is left out in this view", "expected one that is shown");
    return {followed.isKey, *at};
}

ScaleEntry scaleOf(const LegendModel& legend, const QColor& color) {
    const DisplayRange range = legend.resolved();
    const bool log = range.mode == RangeMode::Log;
    ScaleEntry entry;
    entry.color = color;
    entry.low = scaleEndText(log ? kLogLow : range.mode == RangeMode::PerRow ? 0.0F : range.low);
    const QString high = scaleEndText(log ? kLogHigh : range.high);
    entry.high = range.mode == RangeMode::PerRow ? LinesPicture::tr("largest of the row")
                 : legend.clipped()              ? QString(QStringLiteral("≥ ") + high)
                                                 : high;
    return entry;
}

QString namesOf(const ExportPart& part) {
    QStringList names;
    for (const HeadRef& head : part.heads) names << QString::fromStdString(headText(head));
    return names.join(QStringLiteral(", "));
}

QString titleOf(const ExportPart& part, const Sheet& sheet) {
    const QString details = viewDetails(part.view);
    QString name = shownName(part.headsOf(0), part.view);
    if (part.size() > 1) {
        name = LinesPicture::tr("Heads %1").arg(namesOf(part));
        if (!details.isEmpty()) name = QStringLiteral("%1, %2").arg(name, details);
    }
    if (!sheet.alone) return name;
    const Column& column = sheet.columns[sheet.alone->key ? 1 : 0];
    const QString token = tokenInSentence(column.axis->entries[static_cast<std::size_t>(sheet.alone->token)]);
    return sheet.alone->key ? LinesPicture::tr("%1: who reads %2").arg(name, token)
                            : LinesPicture::tr("%1: what %2 reads").arg(name, token);
}

QString leftOutOf(const LinePicks& picks) {
    if (picks.leftOut() == 0) return {};
    if (picks.lines.empty())
        return LinesPicture::tr("None of %1 weights is that strong.").arg(picks.candidates);
    return LinesPicture::tr("%1 weights drawn, from %2 up; %3 weaker ones left out.")
        .arg(picks.lines.size())
        .arg(weightText(picks.lines.front().weight))
        .arg(picks.leftOut());
}

double wrappedHeight(const QFont& font, double width, const QString& text) {
    return QFontMetricsF(font).boundingRect(QRectF(0.0, 0.0, width, 1e6), Qt::TextWordWrap, text).height();
}

/// Places the scales one after the other, in as many lines as they take; returns where they end.
double layOutScales(Sheet& sheet, double top) {
    const QFontMetricsF metrics(sheet.font);
    const double line = std::ceil(metrics.height()) + 4.0;
    double x = kMargin;
    double y = top;
    sheet.scaleNamePlace = {x, y + 0.5 * line};
    x += metrics.horizontalAdvance(sheet.scaleName) + 16.0;
    for (ScaleEntry& entry : sheet.scales) {
        double wide =
            metrics.horizontalAdvance(entry.low) + metrics.horizontalAdvance(entry.high) + kRamp + 2.0 * 6.0;
        if (!entry.name.isEmpty()) wide += metrics.horizontalAdvance(entry.name) + 8.0;
        if (x > kMargin && x + wide > sheet.width - kMargin) {
            x = kMargin;
            y += line;
        }
        entry.place = {x, y + 0.5 * line};
        x += wide + 20.0;
    }
    return y + line;
}

void layOut(Sheet& sheet) {
    const double inside = sheet.width - 2.0 * kMargin;
    double y = kMargin;
    if (!sheet.title.isEmpty()) y += wrappedHeight(sheet.titleFont, inside, sheet.title) + kGap;
    LineFrame& frame = sheet.frame;
    frame.width = sheet.width - 2.0 * (kMargin - LineFrame::kMargin);
    frame.rowHeight = lineRowHeight(sheet.font);
    frame.top = y + frame.rowHeight + 5.0;
    frame.weightWidth = sheet.alone ? lineWeightWidth(sheet.font) : 0.0;
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const Column& column = sheet.columns[i];
        frame.labelWidth =
            std::max(frame.labelWidth, lineLabelWidth(*column.axis, sheet.font, kWidestLabel * sheet.width));
        frame.up[i] = static_cast<double>(column.rows.begin) * frame.rowHeight;
        rows = std::max(rows, column.rows.size());
    }
    y = layOutScales(sheet, frame.top + static_cast<double>(rows) * frame.rowHeight + kGap);
    if (!sheet.leftOut.isEmpty()) {
        sheet.leftOutRect =
            QRectF(kMargin, y + 2.0, inside, wrappedHeight(sheet.font, inside, sheet.leftOut));
        y = sheet.leftOutRect.bottom();
    }
    sheet.height = y + kMargin;
}

void paintScales(QPainter& painter, const Sheet& sheet) {
    const QFontMetricsF metrics(sheet.font);
    const double down = 0.5 * (metrics.ascent() - metrics.descent());
    painter.setPen(sheet.options.theme.muted);
    painter.drawText(sheet.scaleNamePlace + QPointF(0.0, down), sheet.scaleName);
    for (const ScaleEntry& entry : sheet.scales) {
        double x = entry.place.x();
        const double baseline = entry.place.y() + down;
        const auto say = [&](const QString& words, const QColor& color, double after) {
            painter.setPen(color);
            painter.drawText(QPointF(x, baseline), words);
            x += metrics.horizontalAdvance(words) + after;
        };
        if (!entry.name.isEmpty()) say(entry.name, sheet.options.theme.text, 8.0);
        say(entry.low, sheet.options.theme.muted, 6.0);
        QImage ramp(kRampSteps, 1, QImage::Format_ARGB32);
        for (int i = 0; i < kRampSteps; ++i)
            ramp.setPixelColor(i, 0, lineColor(entry.color, i / (kRampSteps - 1.0)));
        painter.drawImage(QRectF(x, entry.place.y() - 0.5 * kBar, kRamp, kBar), ramp);
        x += kRamp + 6.0;
        say(entry.high, sheet.options.theme.muted, 0.0);
    }
    painter.setPen(sheet.options.theme.muted);
    painter.drawText(sheet.leftOutRect, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, sheet.leftOut);
}

QString nameOr(const QString& given, const QString& usual) {
    return given.isNull() ? usual : given;
}

void paint(QPainter& painter, const Sheet& sheet) {
    const HeatmapTheme& theme = sheet.options.theme;
    sheet.begin(painter);
    painter.setFont(sheet.titleFont);
    painter.setPen(theme.text);
    painter.drawText(QRectF(kMargin, kMargin, sheet.width - 2.0 * kMargin, sheet.height),
                     Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, sheet.title);
    painter.setFont(sheet.font);
    painter.save();
    painter.translate(kMargin - LineFrame::kMargin, 0.0);
    for (std::size_t i = 0; i < sheet.picks.lines.size(); ++i) {
        const AttentionLine& line = sheet.picks.lines[i];
        paintLine(painter, sheet.frame.lineOf(line), sheet.colors[line.slot], sheet.strengths[i]);
    }
    for (const bool key : {false, true}) {
        const Column& column = sheet.columns[key ? 1 : 0];
        paintLineColumn(painter, sheet.frame, {key, *column.axis, column.rows, column.chosen, {}}, theme);
    }
    if (sheet.alone)
        paintLineWeights(painter, sheet.frame, sheet.picks, !sheet.alone->key,
                         sheet.colors.size() > 1 ? sheet.colors : std::vector<QColor>{theme.text});
    paintColumnNames(painter, sheet.frame, nameOr(sheet.options.yLabel, LinesPicture::tr("Reads (query)")),
                     nameOr(sheet.options.xLabel, LinesPicture::tr("Is read (key)")), theme);
    painter.restore();
    paintScales(painter, sheet);
    painter.restore();
}

/// The heads with their lines and scales.
void addLines(Sheet& sheet, const ExportPart& part, const DrawnLines& lines, const ViewedAxes& whole) {
    const auto& colors = lineColors(sheet.options.theme);
    std::vector<LineHead> heads;
    for (std::size_t i = 0; i < part.size(); ++i) {
        const std::size_t slot = lines.colors.empty() ? i : lines.colors.at(i);
        HS_CHECK_LT(slot, kLineColors);
        sheet.colors.push_back(colors[slot]);
        heads.push_back({part.heads[i].head.value,
                         viewedMap(*part.analysis, part.headsOf(i), part.view, whole, {}),
                         part.statistics(i)});
        const LegendModel legend{sheet.options.range, heads.back().statistics, {}, std::nullopt};
        sheet.scaleName = legendTitle(legend);
        sheet.scales.push_back(scaleOf(legend, sheet.colors.back()));
        if (part.size() > 1)
            sheet.scales.back().name =
                LinesPicture::tr("head %1").arg(QString::fromStdString(headText(part.heads[i])));
    }
    sheet.picks = pickLines(heads, sheet.columns[0].rows, sheet.columns[1].rows,
                            ruleWith(lines.rule, sheet.alone.has_value()), sheet.alone);
    std::vector<std::map<std::int64_t, float>> maxima(heads.size()); // of rows, for the scale per row
    for (const AttentionLine& line : sheet.picks.lines) {
        const LineHead& head = heads[line.slot];
        float largest = 0.0F;
        if (sheet.options.range.mode == RangeMode::PerRow) {
            const auto [at, isNew] = maxima[line.slot].try_emplace(line.query, 0.0F);
            if (isNew) at->second = std::ranges::max(head.map->row(line.query));
            largest = at->second;
        }
        sheet.strengths.push_back(
            lineStrength(line.weight, resolve(sheet.options.range, head.statistics), largest));
    }
}

} // namespace

Picture linesPicture(const ExportPart& part, const DrawnLines& lines, const FigureOptions& options) {
    if (part.size() > kLineColors)
        fail("lines", fmt::format("{} heads were asked for", part.size()),
             fmt::format("expected at most {}, whose colours can be told apart", kLineColors),
             "name fewer with --head, or combine them");
    const AttentionKind kind = part.heads.front().kind;
    const ViewedAxes whole = viewedAxes(*part.analysis, kind, part.view);
    auto sheet = std::make_shared<Sheet>(sheetOf(options));
    sheet->columns = {Column{whole.queries.axis, within(whole.queries, part.axes.queries), {}},
                      Column{whole.keys.axis, within(whole.keys, part.axes.keys), {}}};
    if (lines.followed) {
        const bool isKey = lines.followed->isKey;
        sheet->alone = focusOf(*lines.followed, whole,
                               isKey ? part.analysis->keyAxis(kind) : part.analysis->queryAxis(kind));
        if (!sheet->columns[isKey ? 1 : 0].rows.contains(sheet->alone->token))
            fail(fmt::format("token {}", lines.followed->index), "it is not among the tokens that are shown");
        sheet->columns[isKey ? 1 : 0].chosen = sheet->alone->token;
    }
    addLines(*sheet, part, lines, whole);
    sheet->leftOut = leftOutOf(sheet->picks);
    sheet->title =
        options.title.isNull() ? withQuantisation(*part.analysis, titleOf(part, *sheet)) : options.title;
    layOut(*sheet);

    Picture picture = sheet->blank();
    picture.paint = [sheet](QPainter& painter) { paint(painter, *sheet); };
    picture.caption = linesCaption(part, lines, sheet->picks, options);
    picture.facts = linesFacts(part, lines, sheet->picks, options);
    return picture;
}

} // namespace headscope::ui
