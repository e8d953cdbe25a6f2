// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/reading_painter.h"

#include "core/raster/raster.h"
#include "ui/heatmap/contrast.h"

#include <QCoreApplication>
#include <QPainter>
#include <QRegion>

#include <algorithm>
#include <cmath>
#include <map>

namespace headscope::ui {

namespace {

struct Reading {
    Q_DECLARE_TR_FUNCTIONS(Reading)
};

constexpr double kReadable = 4.5; ///< contrast of text

/// The line is drawn once for each colour of letters, clipped to the tokens that have it: so letters keep
/// their joined forms where the colour changes within a word.
void paintLetters(QPainter& painter, const ReadingLayout& layout, const ReadingLine& line,
                  const TextShades& shades, const ReadingLook& look) {
    std::map<QRgb, QRegion> regions;
    const QRect band(0, static_cast<int>(std::floor(line.top)) - 2, static_cast<int>(std::ceil(look.width)),
                     static_cast<int>(std::ceil(line.bottom - line.top)) + 4);
    const QRgb usual = look.theme.text.rgb();
    regions[usual] = band;
    for (std::size_t i = line.first; i < line.last; ++i) {
        const TokenRect& token = layout.rects()[i];
        const QRgb letters = shades.lettersOf(token.token, look.theme).rgb();
        if (letters == usual) continue;
        const int left = static_cast<int>(std::lround(token.rect.left()));
        const QRect own(left, band.top(), static_cast<int>(std::lround(token.rect.right())) - left,
                        band.height());
        regions[letters] += own;
        regions[usual] -= own;
    }
    const QTextLine shaped = line.layout->lineAt(line.index);
    for (const auto& [letters, region] : regions) {
        if (region.isEmpty()) continue;
        painter.save();
        if (regions.size() > 1) painter.setClipRegion(region, Qt::IntersectClip);
        painter.setPen(QColor::fromRgb(letters));
        shaped.draw(&painter, line.position);
        painter.restore();
    }
}

} // namespace

QColor lettersOn(const QColor& back, const HeatmapTheme& theme) {
    return contrastRatio(theme.text, back) >= kReadable ? theme.text : readableOn(back);
}

QColor TextShades::backOf(std::int64_t token, const HeatmapTheme& theme) const {
    const auto place = static_cast<std::size_t>(token);
    if (place >= backs.size() || !backs[place]) return theme.panel;
    return QColor::fromRgb(*backs[place]);
}

QColor TextShades::lettersOf(std::int64_t token, const HeatmapTheme& theme) const {
    const auto place = static_cast<std::size_t>(token);
    if (place < quiet.size() && quiet[place] != 0) return theme.muted;
    return lettersOn(backOf(token, theme), theme);
}

float largestOf(const WeightLine& line) {
    float largest = 0.0F;
    for (const float weight : line.weights) largest = std::max(largest, weight);
    return largest;
}

TextShades shadesOf(const WeightLine& line, const DisplayRange& range, Colormap colormap) {
    TextShades shades;
    const auto& colors = colorsOf(colormap);
    const float largest = largestOf(line);
    shades.backs.resize(line.weights.size());
    shades.quiet.resize(line.weights.size());
    for (std::size_t i = 0; i < line.weights.size(); ++i) {
        if (line.visible[i] != 0)
            shades.backs[i] = colors[colorIndex(line.weights[i], range, largest)];
        else
            shades.quiet[i] = 1;
    }
    return shades;
}

QStringList readingHeadings(int blocks, bool crossing, TextSide side) {
    QStringList headings;
    if (crossing) {
        headings << (side == TextSide::Queries ? Reading::tr("Target: the tokens that read")
                                               : Reading::tr("Source: the tokens that are read"));
        for (int i = 1; i < blocks; ++i) headings << Reading::tr("Second text");
    } else if (blocks > 1) {
        headings << Reading::tr("First text") << Reading::tr("Second text");
    }
    return headings;
}

void paintReading(QPainter& painter, const ReadingLayout& layout, const TextShades& shades,
                  const ReadingLook& look) {
    QFont plain = look.font;
    plain.setWordSpacing(0.0);
    plain.setPixelSize(13);
    painter.setFont(plain);
    for (const ReadingHeading& heading : layout.headings()) {
        if (heading.rect.bottom() < look.top || heading.rect.top() > look.bottom) continue;
        painter.setPen(look.theme.muted);
        painter.drawText(heading.rect, Qt::AlignLeft | Qt::AlignVCenter, heading.text);
    }
    const auto [first, last] = layout.linesIn(look.top, look.bottom);
    for (std::size_t at = first; at < last; ++at) {
        const ReadingLine& line = layout.lines()[at];
        for (std::size_t i = line.first; i < line.last; ++i) {
            const TokenRect& token = layout.rects()[i];
            const auto place = static_cast<std::size_t>(token.token);
            const bool filled = place < shades.backs.size() && shades.backs[place];
            if (!filled && !token.mark) continue;
            painter.setPen(filled ? QPen(Qt::NoPen) : QPen(look.theme.hairline, 1.0));
            painter.setBrush(filled ? QBrush(shades.backOf(token.token, look.theme)) : QBrush(Qt::NoBrush));
            painter.drawRoundedRect(token.rect.adjusted(0.5, 0.0, -0.5, 0.0), 3.0, 3.0);
        }
        paintLetters(painter, layout, line, shades, look);
    }
}

void paintTokenOutline(QPainter& painter, const ReadingLayout& layout, std::int64_t token, const QPen& pen) {
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    for (const TokenRect& part : layout.rectsOf(token))
        painter.drawRoundedRect(part.rect.adjusted(-0.5, -0.5, 0.5, 0.5), 3.5, 3.5);
}

} // namespace headscope::ui
