// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QString>

/// What the boxes of the export dialog offer.
namespace headscope::ui {

enum class RangeChoice { AsShown, Auto, ZeroToOne, PerRow, Log };
enum class ThemeOfPicture { Light, Dark };

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
