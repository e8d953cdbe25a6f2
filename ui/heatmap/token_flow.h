// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"

#include <QFontMetricsF>
#include <QRectF>
#include <QString>

#include <vector>

namespace headscope::ui {

/// Which way a token is read. Numbers run left to right within text of either direction.
enum class ReadingDirection { Neutral, Number, LeftToRight, RightToLeft };

/// One token as it stands in the flowing text.
struct FlowToken {
    QString text;         ///< what the original text says there; the label where no text stands behind it
    double width = 0.0;   ///< of the text
    bool joined = false;  ///< nothing stands between it and the token before: a word piece, punctuation, CJK
    bool newLine = false; ///< the original text breaks the line before it
    ReadingDirection direction = ReadingDirection::Neutral;
    double inset = 0.0; ///< of the text from the left edge of `rect`
    QRectF rect;        ///< filled by flow()
};

/// Texts and widths; independent of the width of the view.
std::vector<FlowToken> makeFlowTokens(const Axis& axis, const QFontMetricsF& metrics);

/// Places the tokens in lines of `width` and returns the height. A paragraph whose first word is written from
/// right to left flows from the right; words of the other direction keep their own order within it.
double flow(std::vector<FlowToken>& tokens, double width, const QFontMetricsF& metrics);

} // namespace headscope::ui
