// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/token_flow.h"

#include "ui/heatmap/axis_labels.h"

#include <QList>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace headscope::ui {

namespace {

constexpr double kPadding = 3.0;      ///< left and right of a word
constexpr double kPiecePadding = 0.5; ///< where a word is cut: it reads as one, its pieces are seen to be two
constexpr double kWordGap = 5.0;      ///< between words
constexpr double kPieceGap = 1.0;     ///< between pieces
constexpr double kLeading = 10.0;     ///< between lines of text
constexpr double kMargin = 3.0;

/// Code points [start, end) of a text; spans count code points, QString counts UTF-16 units.
class Text {
  public:
    explicit Text(const std::string& utf8) : m_points(QString::fromStdString(utf8).toUcs4()) {}

    QString slice(std::int64_t start, std::int64_t end) const {
        start = std::clamp<std::int64_t>(start, 0, m_points.size());
        end = std::clamp<std::int64_t>(end, start, m_points.size());
        return QString::fromUcs4(reinterpret_cast<const char32_t*>(m_points.constData() + start),
                                 end - start);
    }

  private:
    QList<uint> m_points;
};

QString labelWithoutMark(const AxisEntry& entry) {
    QString label = axisLabelText(entry);
    if (!entry.special && label.size() > 2 && label.startsWith(QLatin1String("##"))) label.remove(0, 2);
    return label;
}

/// Whether a piece of the text shows as it stands: not where it is nothing to see, or an accent alone.
bool showsItself(const QString& own) {
    const QList<uint> points = own.toUcs4();
    const auto isHidden = [](uint c) {
        return !QChar::isPrint(c) || QChar::category(c) == QChar::Other_Format || QChar::isMark(c);
    };
    return !points.isEmpty() && !QChar::isMark(points.front()) &&
           !std::all_of(points.begin(), points.end(), isHidden);
}

ReadingDirection directionOf(const QString& text) {
    bool hasDigit = false;
    for (const uint c : text.toUcs4()) {
        switch (QChar::direction(c)) {
        case QChar::DirL:
            return ReadingDirection::LeftToRight;
        case QChar::DirR:
        case QChar::DirAL:
            return ReadingDirection::RightToLeft;
        case QChar::DirEN:
        case QChar::DirAN:
            hasDigit = true;
            break;
        default:
            break;
        }
    }
    return hasDigit ? ReadingDirection::Number : ReadingDirection::Neutral;
}

/// Accents and joiners alone are read as what stands before them.
bool followsItsBase(const QString& own) {
    const QList<uint> points = own.toUcs4();
    return !points.isEmpty() && std::all_of(points.begin(), points.end(), [](uint c) {
        return QChar::direction(c) == QChar::DirNSM || QChar::direction(c) == QChar::DirBN;
    });
}

bool isStrong(const FlowToken& token) {
    return token.direction == ReadingDirection::LeftToRight ||
           token.direction == ReadingDirection::RightToLeft;
}

/// Embedding levels of one paragraph as in the Unicode bidirectional algorithm (UAX #9), with tokens in the
/// place of characters: the paragraph's own from its first strong token (`fallback` without one), neutral
/// tokens as what stands on both sides of them, else as the paragraph.
void addLevels(std::span<const FlowToken> paragraph, bool& fallback, std::vector<int>& levels) {
    const auto strong = std::find_if(paragraph.begin(), paragraph.end(), isStrong);
    const bool base =
        strong == paragraph.end() ? fallback : strong->direction == ReadingDirection::RightToLeft;
    fallback = base;
    const int left = base ? 2 : 0;
    std::vector<std::uint8_t> next(paragraph.size() + 1, base ? 1 : 0); // the strong direction that follows
    for (std::size_t i = paragraph.size(); i-- > 0;)
        next[i] =
            isStrong(paragraph[i]) ? paragraph[i].direction == ReadingDirection::RightToLeft : next[i + 1];
    bool before = base;
    for (std::size_t i = 0; i < paragraph.size(); ++i) {
        bool rightToLeft = base;
        if (isStrong(paragraph[i]))
            rightToLeft = before = next[i] != 0;
        else if (paragraph[i].direction == ReadingDirection::Number)
            rightToLeft = false;
        else if (before == (next[i] != 0))
            rightToLeft = before;
        levels.push_back(rightToLeft ? 1 : left);
    }
}

std::vector<int> levelsOf(std::span<const FlowToken> tokens) {
    std::vector<int> levels;
    levels.reserve(tokens.size());
    bool rightToLeft = false;
    for (std::size_t begin = 0; begin < tokens.size();) {
        std::size_t end = begin + 1;
        while (end < tokens.size() && !tokens[end].newLine) ++end;
        addLevels(tokens.subspan(begin, end - begin), rightToLeft, levels);
        begin = end;
    }
    return levels;
}

/// Turns [begin, end) of a line round: the gaps between its tokens stay between the same ones.
void mirror(std::span<FlowToken> tokens) {
    if (tokens.empty()) return;
    double left = tokens.front().rect.left();
    double right = left;
    for (const FlowToken& token : tokens) {
        left = std::min(left, token.rect.left());
        right = std::max(right, token.rect.right());
    }
    for (FlowToken& token : tokens) token.rect.moveLeft(left + right - token.rect.right());
}

/// A line that was laid from left to right: runs are turned from the highest level down.
void reorder(std::span<FlowToken> line, std::span<const int> levels, double width) {
    if (line.empty()) return;
    const int highest = *std::max_element(levels.begin(), levels.end());
    for (int level = highest; level > 0; --level)
        for (std::size_t begin = 0; begin < line.size();) {
            std::size_t end = begin;
            while (end < line.size() && levels[end] >= level) ++end;
            mirror(line.subspan(begin, end - begin));
            begin = std::max(end, begin + 1);
        }
    for (std::size_t i = 0; i < line.size(); ++i)
        if (levels[i] % 2 != 0) line[i].inset = line[i].rect.width() - line[i].inset - line[i].width;
    if (*std::min_element(levels.begin(), levels.end()) == 0) return;
    // The paragraph runs from the right edge.
    double right = 0.0;
    for (const FlowToken& token : line) right = std::max(right, token.rect.right());
    for (FlowToken& token : line) token.rect.translate(width - kMargin - right, 0.0);
}

} // namespace

std::vector<FlowToken> makeFlowTokens(const Axis& axis, const QFontMetricsF& metrics) {
    std::vector<Text> texts;
    for (const std::string& text : axis.texts) texts.emplace_back(text);
    const auto textOf = [&](const AxisEntry& entry) -> const Text* {
        const bool known =
            entry.text >= 0 && static_cast<std::size_t>(entry.text) < texts.size() && !entry.special;
        return known ? &texts[static_cast<std::size_t>(entry.text)] : nullptr;
    };
    std::vector<FlowToken> tokens;
    tokens.reserve(axis.entries.size());
    const Text* last = nullptr;
    std::int64_t lastEnd = 0;
    bool brokeLine = false; // the token before holds a line break
    for (std::size_t i = 0; i < axis.entries.size(); ++i) {
        const AxisEntry& entry = axis.entries[i];
        const AxisEntry* next = i + 1 < axis.entries.size() ? &axis.entries[i + 1] : nullptr;
        const Text* text = textOf(entry);
        const QString own = text != nullptr ? text->slice(entry.start, entry.end) : QString();
        const bool sharesWithLast = text != nullptr && text == last && entry.start < lastEnd;
        const bool sharesWithNext = text != nullptr && next != nullptr && textOf(*next) == text &&
                                    next->start < entry.end && entry.start < next->end;
        FlowToken token;
        // Pieces of one character all show their labels, which say which part they are.
        if (!sharesWithLast && !sharesWithNext && showsItself(own.trimmed())) token.text = own.simplified();
        if (sharesWithLast) {
            token.joined = true;
        } else if (text != nullptr && text == last) {
            const QString between = text->slice(lastEnd, entry.start);
            token.newLine = brokeLine || between.contains(QLatin1Char('\n'));
            token.joined = between.isEmpty() && !own.isEmpty() && !own.front().isSpace();
        }
        if (token.text.isEmpty()) token.text = labelWithoutMark(entry);
        if (text != nullptr)
            token.direction = text == last && followsItsBase(own)
                                  ? tokens.back().direction
                                  : directionOf(own.isEmpty() ? token.text : own);
        token.width = metrics.horizontalAdvance(token.text);
        brokeLine = own.contains(QLatin1Char('\n'));
        last = text;
        if (text != nullptr) lastEnd = entry.end;
        tokens.push_back(std::move(token));
    }
    return tokens;
}

double flow(std::vector<FlowToken>& tokens, double width, const QFontMetricsF& metrics) {
    const double height = std::ceil(metrics.height() + 4.0);
    const double line = height + kLeading - 4.0;
    const std::vector<int> levels = levelsOf(tokens);
    std::size_t lineBegin = 0;
    double x = kMargin;
    double y = kMargin;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        FlowToken& token = tokens[i];
        const bool goesOn = i + 1 < tokens.size() && tokens[i + 1].joined;
        token.inset = token.joined ? kPiecePadding : kPadding;
        const double own = std::ceil(token.inset + token.width + (goesOn ? kPiecePadding : kPadding));
        if (i > 0) x += token.joined ? kPieceGap : kWordGap;
        if (i > 0 && (token.newLine || x + own > width - kMargin) && x > kMargin) {
            reorder({tokens.data() + lineBegin, i - lineBegin}, {levels.data() + lineBegin, i - lineBegin},
                    width);
            lineBegin = i;
            x = kMargin;
            y += line;
        }
        token.rect = QRectF(x, y, std::min(own, std::max(width - 2.0 * kMargin, height)), height);
        x += own;
    }
    reorder({tokens.data() + lineBegin, tokens.size() - lineBegin},
            {levels.data() + lineBegin, tokens.size() - lineBegin}, width);
    return tokens.empty() ? 0.0 : y + height + kMargin;
}

} // namespace headscope::ui
