// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/export_part.h"
#include "ui/export/picture.h"
#include "ui/export/picture_settings.h"

namespace headscope::ui {

/// The text as it was written, each token with the colour of the weight that one token gives it or gets from
/// it: what the window shows as Text. `part` is of one map; it goes token by token, whatever its view puts
/// together or leaves out. Throws Error: several maps, no such token (with the count), cancelled.
Picture textPicture(const ExportPart& part, const FollowedToken& followed, const FigureOptions& options);

} // namespace headscope::ui
