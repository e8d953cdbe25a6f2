// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/export_part.h"
#include "ui/export/picture.h"
#include "ui/export/picture_settings.h"

namespace headscope::ui {

/// The tokens that read at the left, those that are read at the right, and a line for each weight that is
/// picked: what the window shows as Lines. `part` is of at most kLineColors maps, each in a colour of its
/// own; its rows and columns are the tokens that stand there, and only weights between them are lines. Throws
/// Error: more maps (with the number), a followed token that there is not or that the view leaves out.
Picture linesPicture(const ExportPart& part, const DrawnLines& lines, const FigureOptions& options);

} // namespace headscope::ui
