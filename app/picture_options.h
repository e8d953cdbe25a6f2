// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/words.h"
#include "core/analysis/map_view.h"
#include "core/maps/attention_kind.h"
#include "ui/export/picture_settings.h" // plain types, no Qt

#include <filesystem>
#include <optional>

/// How a picture is to look, and of which kind of attention: shared by the commands that make pictures.
namespace headscope::app {

void addPicture(Words& words);
ui::PictureSettings pictureOf(const Words& words);
/// Throws Error{Usage} when an option of pictures was given for a file of numbers.
void refusePictureOptions(const Words& words, const std::filesystem::path& out);

/// How the maps are shown.
void addMapView(Words& words);
MapView mapViewOf(const Words& words);

void addKind(Words& words);
std::optional<AttentionKind> kindOf(const Words& words);

} // namespace headscope::app
