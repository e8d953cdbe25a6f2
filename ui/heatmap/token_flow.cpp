// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/token_flow.h"

#include "ui/heatmap/axis_labels.h"

#include <QList>

#include <algorithm>
#include <cmath>

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

} // namespace

std::vector<FlowToken> makeFlowTokens(const Axis& axis, const QFontMetricsF& metrics) {
    std::vector<Text> texts;
    for (const std::string& text : axis.texts) texts.emplace_back(text);
    std::vector<FlowToken> tokens;
    tokens.reserve(axis.entries.size());
    int lastText = -1;
    std::int64_t lastEnd = 0;
    for (const AxisEntry& entry : axis.entries) {
        FlowToken token;
        const bool known =
            entry.text >= 0 && static_cast<std::size_t>(entry.text) < texts.size() && !entry.special;
        const bool follows = known && lastText == entry.text && entry.start >= lastEnd;
        if (known && entry.end > entry.start && (follows || lastText != entry.text)) {
            const Text& text = texts[static_cast<std::size_t>(entry.text)];
            token.text = text.slice(entry.start, entry.end).simplified();
            if (follows) {
                const QString between = text.slice(lastEnd, entry.start);
                const QString own = text.slice(entry.start, entry.end);
                token.newLine = between.contains(QLatin1Char('\n'));
                token.joined = between.isEmpty() && !own.isEmpty() && !own.front().isSpace();
            }
        } else if (known && lastText == entry.text) {
            token.joined = true; // several pieces of one character
        }
        if (token.text.isEmpty()) token.text = labelWithoutMark(entry);
        token.width = metrics.horizontalAdvance(token.text);
        lastText = known ? entry.text : -1;
        if (known) lastEnd = entry.end;
        tokens.push_back(std::move(token));
    }
    return tokens;
}

double flow(std::vector<FlowToken>& tokens, double width, const QFontMetricsF& metrics, bool rightToLeft) {
    const double height = std::ceil(metrics.height() + 4.0);
    const double line = height + kLeading - 4.0;
    double x = kMargin;
    double y = kMargin;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        FlowToken& token = tokens[i];
        const bool goesOn = i + 1 < tokens.size() && tokens[i + 1].joined;
        token.inset = token.joined ? kPiecePadding : kPadding;
        const double own = std::ceil(token.inset + token.width + (goesOn ? kPiecePadding : kPadding));
        if (i > 0) x += token.joined ? kPieceGap : kWordGap;
        if (i > 0 && (token.newLine || x + own > width - kMargin) && x > kMargin) {
            x = kMargin;
            y += line;
        }
        token.rect = QRectF(x, y, std::min(own, std::max(width - 2.0 * kMargin, height)), height);
        x += own;
    }
    if (rightToLeft)
        for (FlowToken& token : tokens) token.rect.moveRight(width - token.rect.left());
    return tokens.empty() ? 0.0 : y + height + kMargin;
}

bool isRightToLeft(const Axis& axis) {
    return !axis.texts.empty() && QString::fromStdString(axis.texts.front()).isRightToLeft();
}

} // namespace headscope::ui
