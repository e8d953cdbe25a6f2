// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/confidence.h"
#include "ui/charts/chart.h"

#include <optional>
#include <vector>

namespace headscope::ui {

/// One label of one head on one text.
struct TextDot {
    QString name;
    std::optional<double> score; ///< none: the text could not test it
    bool fires = false;
    bool isWorst = false; ///< speaks most against the label
};

/// One label of one head over all texts.
struct TextDots {
    Label label = Label::InsufficientEvidence;
    QString measure;                 ///< words for the score: "Weight on the top key"
    std::optional<double> threshold; ///< of the score
    bool atMost = false;             ///< fires at or below it
    double mean = 0.0;               ///< over the texts that tested it
    TextCount texts;
    std::vector<TextDot> dots; ///< all texts, in their order
};

/// The score of one label on every text: did it fire, how often, how sure is that. A click chooses the text.
class TextsChart final : public Chart {
    Q_OBJECT

  public:
    explicit TextsChart(QWidget* parent = nullptr);
    /// No dots: `why` is said instead; empty too: choose a head.
    void setDots(const TextDots& dots, const QString& why = {});
};

} // namespace headscope::ui
