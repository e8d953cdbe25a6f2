// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/reading_layout.h"

#include <QFontMetricsF>
#include <QGlyphRun>
#include <QRawFont>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace headscope::ui {

namespace {

constexpr double kMargin = 4.0;  ///< left and right of the text
constexpr double kPadding = 2.0; ///< of a token above and below its letters
constexpr double kLeading = 6.0; ///< between the bands of two lines
constexpr double kBetween = 8.0; ///< between paragraphs
constexpr double kBetweenTexts = 20.0;
constexpr double kMarkSize = 0.82; ///< of the font
constexpr double kBeside = 2.0;    ///< of a word left and right
constexpr double kNarrowest = 3.0; ///< a token of nothing but a space at the end of a line is still seen

QFont smaller(QFont font) {
    if (font.pixelSize() > 0)
        font.setPixelSize(std::max(8, static_cast<int>(std::lround(kMarkSize * font.pixelSize()))));
    else
        font.setPointSizeF(kMarkSize * font.pointSizeF());
    return font;
}

struct Stretch {
    double left = 0.0;
    double right = 0.0;
    bool rightToLeft = false;
    bool begins = false; ///< the first of its range
    bool ends = false;   ///< the last
};

/// White space, or the edge of the paragraph.
bool isSpaceAt(const QString& text, int place) {
    return place < 0 || place >= text.size() || text[place].isSpace();
}

/// What the glyphs of [at, next) take.
std::optional<std::pair<double, double>> glyphsOf(const QTextLine& line, int at, int next) {
    std::optional<std::pair<double, double>> room;
    for (const QGlyphRun& run : line.glyphRuns(at, next - at)) {
        const QList<QPointF> positions = run.positions();
        const QList<QPointF> advances = run.rawFont().advancesForGlyphIndexes(run.glyphIndexes());
        for (qsizetype i = 0; i < positions.size() && i < advances.size(); ++i) {
            const double left = positions[i].x();
            const double right = left + advances[i].x();
            if (right <= left) continue; // an accent stands upon its letter
            room = room ? std::pair(std::min(room->first, left), std::max(room->second, right))
                        : std::pair(left, right);
        }
    }
    return room;
}

/// Where the character at `at` stands, whose next one begins at `next`.
Stretch stretchOf(const QTextLine& line, int at, int next) {
    int place = at;
    double leading = line.cursorToX(&place, QTextLine::Leading);
    place = at;
    double trailing = line.cursorToX(&place, QTextLine::Trailing);
    int after = next;
    const double following = line.cursorToX(&after, QTextLine::Leading);
    if (leading == trailing) {
        // Where the direction changes, a cursor before the character stands at the end of what went before.
        if (const auto room = glyphsOf(line, at, next)) {
            const bool rightToLeft = after == next && std::abs(following - room->first) < 0.01;
            leading = rightToLeft ? room->second : room->first;
            trailing = rightToLeft ? room->first : room->second;
        }
    }
    // Within a ligature the trailing edge is that of the whole; the next character begins before it. Where
    // the direction changes the next one begins elsewhere.
    const auto [low, high] = std::minmax(leading, trailing);
    const bool within = after == next && following >= low - 1e-6 && following <= high + 1e-6;
    const double end = within && following != leading ? following : trailing;
    return {std::min(leading, end), std::max(leading, end), end < leading, false, false};
}

/// Where a line was broken after a word that runs against the paragraph, Qt counts the white space behind it
/// for cursors and not for glyphs. What is drawn counts: such a line is measured by its glyphs.
bool straysAtTheEnd(const QTextLayout& layout, const QTextLine& line) {
    const int begin = line.textStart();
    const int end = begin + line.textLength();
    int last = end - 1;
    while (last >= begin && layout.text()[last].isSpace()) --last;
    if (last < begin || last == end - 1) return false;
    const int next = layout.nextCursorPosition(last);
    const Stretch one = stretchOf(line, last, next);
    const auto drawn = glyphsOf(line, last, next);
    if (!drawn) return false;
    // The far edge: the near one may lie within a ligature.
    const double stray = one.rightToLeft ? drawn->first - one.left : drawn->second - one.right;
    return std::abs(stray) > 0.5;
}

/// The rectangles of [from, to) of a line from left to right as characters follow each other; what touches is
/// one.
std::vector<Stretch> stretchesOf(const QTextLayout& layout, const QTextLine& line, std::pair<int, int> range,
                                 bool byGlyphs) {
    std::vector<Stretch> stretches;
    const auto [from, to] = range;
    int at = from;
    while (at < to) {
        int next = layout.nextCursorPosition(at);
        if (next <= at) next = at + 1;
        Stretch one = stretchOf(line, at, next);
        if (byGlyphs)
            if (const auto drawn = glyphsOf(line, at, next)) std::tie(one.left, one.right) = *drawn;
        at = next;
        if (!stretches.empty()) {
            Stretch& last = stretches.back();
            const bool touches =
                std::abs(one.left - last.right) < 0.01 || std::abs(last.left - one.right) < 0.01;
            if (touches && (one.rightToLeft == last.rightToLeft || one.left == one.right)) {
                last.left = std::min(last.left, one.left);
                last.right = std::max(last.right, one.right);
                continue;
            }
        }
        stretches.push_back(one);
    }
    if (!stretches.empty()) stretches.front().begins = stretches.back().ends = true;
    return stretches;
}

} // namespace

void ReadingLayout::setText(ReadingText text, QStringList headings, const QFont& font) {
    m_text = std::move(text);
    m_headingTexts = std::move(headings);
    m_font = font;
    m_layoutsOf.clear();
    m_partsOf.clear();
    m_lines.clear();
    m_rects.clear();
    m_byToken.clear();
    m_headings.clear();
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setTabStopDistance(4.0 * QFontMetricsF(font).averageCharWidth());
    std::size_t part = 0;
    for (std::size_t i = 0; i < m_text.paragraphs.size(); ++i) {
        auto layout = std::make_unique<QTextLayout>(m_text.paragraphs[i].text, font);
        const bool rightToLeft = m_text.paragraphs[i].text.isRightToLeft();
        option.setTextDirection(rightToLeft ? Qt::RightToLeft : Qt::LeftToRight);
        option.setAlignment(rightToLeft ? Qt::AlignRight : Qt::AlignLeft);
        layout->setTextOption(option);
        layout->setCacheEnabled(true);
        QList<QTextLayout::FormatRange> formats;
        const std::size_t first = part;
        for (; part < m_text.parts.size() && m_text.parts[part].paragraph == static_cast<int>(i); ++part) {
            const TokenPart& one = m_text.parts[part];
            if (!one.mark) continue;
            QTextLayout::FormatRange range;
            range.start = one.from;
            range.length = one.to - one.from;
            range.format.setFont(smaller(font));
            formats.append(range);
        }
        layout->setFormats(formats);
        m_layoutsOf.push_back(std::move(layout));
        m_partsOf.emplace_back(first, part);
    }
}

double ReadingLayout::layOut(double width, double top) {
    ++m_layouts;
    m_width = std::max(width, 40.0);
    m_lines.clear();
    m_rects.clear();
    m_byToken.clear();
    m_headings.clear();
    double y = top;
    int block = -1;
    for (std::size_t i = 0; i < m_layoutsOf.size(); ++i) {
        if (m_text.paragraphs[i].block != block) {
            block = m_text.paragraphs[i].block;
            if (i > 0) y += kBetweenTexts - kBetween;
            placeHeading(block, y);
        }
        QTextLayout& layout = *m_layoutsOf[i];
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine())
            line.setLineWidth(m_width - 2.0 * kMargin);
        layout.endLayout();
        for (int line = 0; line < layout.lineCount(); ++line) placeLine(i, line, y);
        y += kBetween - kLeading;
    }
    for (std::size_t i = 0; i < m_rects.size(); ++i) m_byToken.emplace_back(m_rects[i].token, i);
    std::sort(m_byToken.begin(), m_byToken.end());
    return m_layoutsOf.empty() ? top : y - kBetween + kLeading;
}

void ReadingLayout::placeHeading(int block, double& y) {
    if (block >= m_headingTexts.size()) return;
    const double height = std::ceil(QFontMetricsF(m_font).height());
    m_headings.push_back({m_headingTexts[block], QRectF(kMargin, y, m_width - 2.0 * kMargin, height)});
    y += height + 4.0;
}

void ReadingLayout::placeLine(std::size_t paragraph, int line, double& y) {
    const QTextLayout& layout = *m_layoutsOf[paragraph];
    QTextLine textLine = layout.lineAt(line);
    textLine.setPosition(QPointF(0.0, 0.0));
    const double height = std::ceil(std::max(textLine.height(), QFontMetricsF(m_font).height()));
    const double band = height + 2.0 * kPadding;
    ReadingLine shown;
    shown.layout = &layout;
    shown.index = line;
    shown.top = y;
    shown.bottom = y + band;
    shown.position = QPointF(kMargin, y + kPadding + 0.5 * (height - textLine.height()));
    shown.first = m_rects.size();
    const auto [first, last] = m_partsOf[paragraph];
    const int lineEnd = textLine.textStart() + textLine.textLength();
    // Parts stand in ascending order: skip to the first that reaches into the line.
    const auto begin =
        std::partition_point(m_text.parts.begin() + static_cast<std::ptrdiff_t>(first),
                             m_text.parts.begin() + static_cast<std::ptrdiff_t>(last),
                             [&](const TokenPart& part) { return part.to <= textLine.textStart(); });
    const bool byGlyphs = straysAtTheEnd(layout, textLine);
    const QRectF room(kMargin, y, m_width - 2.0 * kMargin, band);
    for (auto part = begin; part != m_text.parts.begin() + static_cast<std::ptrdiff_t>(last); ++part) {
        if (part->from >= lineEnd) break;
        addRects(*part, line, room, byGlyphs);
    }
    shown.last = m_rects.size();
    m_lines.push_back(shown);
    y += band + kLeading;
}

void ReadingLayout::addRects(const TokenPart& part, int line, const QRectF& band, bool byGlyphs) {
    const QTextLayout& layout = *m_layoutsOf[static_cast<std::size_t>(part.paragraph)];
    const QTextLine textLine = layout.lineAt(line);
    const int from = std::max(part.from, textLine.textStart());
    const int to = std::min(part.to, textLine.textStart() + textLine.textLength());
    for (const Stretch& stretch : stretchesOf(layout, textLine, {from, to}, byGlyphs)) {
        double left = band.left() + stretch.left;
        double right = band.left() + stretch.right;
        if (right - left < kNarrowest) {
            left = std::min(left, band.right() - kNarrowest);
            right = left + kNarrowest;
        }
        // Words do not touch the edge of their colour where white space gives the room.
        const bool first = stretch.begins && isSpaceAt(layout.text(), part.from - 1);
        const bool last = stretch.ends && isSpaceAt(layout.text(), part.to);
        if (stretch.rightToLeft ? last : first) left -= std::min(kBeside, left - band.left() + kMargin);
        if (stretch.rightToLeft ? first : last) right += kBeside;
        const double slice = (right - left) / part.slices;
        const int place = stretch.rightToLeft ? part.slices - 1 - part.slice : part.slice;
        QRectF rect(left + place * slice, band.top(), slice, band.height());
        if (part.mark) rect.adjust(-3.0, 2.0, 3.0, -2.0);
        m_rects.push_back({part.token, rect, part.mark, stretch.rightToLeft});
    }
}

std::pair<std::size_t, std::size_t> ReadingLayout::linesIn(double top, double bottom) const {
    const auto first = std::partition_point(m_lines.begin(), m_lines.end(),
                                            [&](const ReadingLine& line) { return line.bottom < top; });
    const auto last = std::partition_point(first, m_lines.end(),
                                           [&](const ReadingLine& line) { return line.top < bottom; });
    return {static_cast<std::size_t>(first - m_lines.begin()),
            static_cast<std::size_t>(last - m_lines.begin())};
}

std::vector<TokenRect> ReadingLayout::rectsOf(std::int64_t token) const {
    std::vector<TokenRect> found;
    for (auto at = std::lower_bound(m_byToken.begin(), m_byToken.end(), std::pair(token, std::size_t{0}));
         at != m_byToken.end() && at->first == token; ++at)
        found.push_back(m_rects[at->second]);
    return found;
}

std::optional<std::int64_t> ReadingLayout::tokenAt(const QPointF& point) const {
    const double reach = 0.5 * kLeading;
    const auto [first, last] = linesIn(point.y() - reach, point.y() + reach);
    for (std::size_t line = first; line < last; ++line)
        for (std::size_t i = m_lines[line].first; i < m_lines[line].last; ++i)
            if (m_rects[i].rect.adjusted(0.0, -reach, 0.0, reach).contains(point)) return m_rects[i].token;
    return std::nullopt;
}

std::optional<std::int64_t> ReadingLayout::tokenBeside(std::int64_t token, int direction) const {
    const auto own = rectsOf(token);
    if (own.empty()) return std::nullopt;
    const QPointF from = own.front().rect.center();
    const auto [at, end] = linesIn(from.y(), from.y());
    if (at >= end) return std::nullopt;
    // Lines without a token (empty ones) are passed over.
    for (auto line = static_cast<std::ptrdiff_t>(at) + direction;
         line >= 0 && line < static_cast<std::ptrdiff_t>(m_lines.size()); line += direction) {
        std::optional<std::int64_t> nearest;
        double distance = std::numeric_limits<double>::infinity();
        const ReadingLine& there = m_lines[static_cast<std::size_t>(line)];
        for (std::size_t i = there.first; i < there.last; ++i) {
            const double far = std::abs(m_rects[i].rect.center().x() - from.x());
            if (far < distance) {
                distance = far;
                nearest = m_rects[i].token;
            }
        }
        if (nearest) return nearest;
    }
    return std::nullopt;
}

QString ReadingLayout::plainText() const {
    QStringList paragraphs;
    for (const ReadingParagraph& paragraph : m_text.paragraphs) paragraphs << paragraph.text;
    QString text = paragraphs.join(QLatin1Char('\n'));
    text.remove(QChar(u'\u2068'));
    text.remove(QChar(u'\u2069'));
    return text;
}

} // namespace headscope::ui
