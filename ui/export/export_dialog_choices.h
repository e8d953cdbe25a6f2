// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/export_defaults.h"
#include "ui/export/picture_settings.h"

#include <QComboBox>
#include <QString>

#include <array>

/// What the boxes of the export dialog offer, and those of the settings with its defaults.
namespace headscope::ui {

enum class ThemeOfPicture { Light, Dark };

inline constexpr std::array kRangeChoices{RangeChoice::AsShown, RangeChoice::Auto, RangeChoice::ZeroToOne,
                                          RangeChoice::PerRow, RangeChoice::Log};

/// The words of a range, and of a preset, whose numbers stand in kFigurePresets.
QString choiceText(RangeChoice choice);
QString choiceText(const FigurePreset& preset);

/// Of a box that was filled by addChoice().
template <typename Choice>
Choice chosen(const QComboBox& box) {
    return static_cast<Choice>(box.currentData().toInt());
}

template <typename Choice>
void addChoice(QComboBox& box, const QString& text, Choice choice) {
    box.addItem(text, static_cast<int>(choice));
}

} // namespace headscope::ui
