// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"

#include <QString>

namespace headscope::ui {

/// How a token stands in a sentence: “said” for a piece of text, [CLS] bare for a special token.
QString tokenInSentence(const AxisEntry& entry);

/// “said” reads [CLS]
QString readsSentence(const AxisEntry& query, const AxisEntry& key);
/// “said” cannot see “bag”
QString maskedSentence(const AxisEntry& query, const AxisEntry& key);

/// A weight as a person compares it: four decimals, and never 0.0000 for one that is not 0.
QString weightText(float weight);
/// The same, short enough for a cell of a map.
QString weightInCell(float weight);

/// The words of a tooltip as rich text, which wraps; plain ones make one line of any length.
QString tipText(const QString& plain);

} // namespace headscope::ui
