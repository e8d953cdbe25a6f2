// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diagnosis/labels.h"
#include "core/maps/axis.h"
#include "ui/heatmap/heatmap_theme.h"

#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace headscope::ui {

/// One flag of a head as it is shown: its form (uniform = dash, sink = down triangle, stuck = square) and its
/// words.
struct HeadBadge {
    Label label = Label::Sink;
    QString text;         ///< "sink on [CLS], alpha 0.77"
    bool ofModel = false; ///< over several texts, not on the one that is shown

    friend bool operator==(const HeadBadge&, const HeadBadge&) = default;
};

/// The flags that fire, the gravest first: stuck, uniform, sink (a stuck head is a sink too and shows stuck
/// alone).
std::vector<HeadBadge> badgesOf(const Verdict& verdict, const Axis& keyAxis);

/// Colours of a flag: foreground on `back`.
struct BadgeColors {
    QColor fore;
    QColor back;
};
BadgeColors badgeColors(Label label, const HeatmapTheme& theme);

/// The flag's form alone, filling `box`, in `color`. InsufficientEvidence draws nothing.
void paintBadgeShape(QPainter& painter, Label label, const QRectF& box, const QColor& color);

/// The mark in the top right corner of a thumbnail: a triangle in the flag's colour with its form in it, half
/// as wide as the cell and at most `largest`.
void paintCornerBadge(QPainter& painter, Label label, const QRectF& cell, const HeatmapTheme& theme,
                      double largest);
/// The same; what holds for the model is solid: the form cut out of the flag's colour.
void paintCornerBadge(QPainter& painter, const HeadBadge& badge, const QRectF& cell,
                      const HeatmapTheme& theme, double largest);

} // namespace headscope::ui
