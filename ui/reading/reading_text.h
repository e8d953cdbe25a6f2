// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace headscope::ui {

/// A part of a token in a paragraph: UTF-16 [from, to). Tokens that cut one character between them (bytes of
/// it) stand in the same place and share it: each takes one of `slices` upright slices.
struct TokenPart {
    std::int64_t token = 0;
    int paragraph = 0;
    int from = 0;
    int to = 0;
    int slice = 0;
    int slices = 1;
    bool mark = false; ///< no text stands behind it: a small mark with its label
};

struct ReadingParagraph {
    QString text;
    int block = 0; ///< which of the texts it belongs to, from 0
};

/// The text as it was written, in paragraphs, with the places of all tokens.
struct ReadingText {
    std::vector<ReadingParagraph> paragraphs;
    std::vector<TokenPart> parts; ///< in the order of the paragraphs, then of the places
    int blocks = 0;
};

/// Special tokens, and tokens of which nothing would be seen, become marks at their place; text that no token
/// covers stays as it is, and a part of the text that was cut off becomes "…". Without a text behind them the
/// tokens are their labels, side by side.
ReadingText makeReadingText(const Axis& axis);

} // namespace headscope::ui
