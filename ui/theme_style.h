// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

namespace headscope::ui {

/// The application's stylesheet: one template, its colour names filled in from the table.
QString styleSheetFor(const ThemeColors& colors);

} // namespace headscope::ui
