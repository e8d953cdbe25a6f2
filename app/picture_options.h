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
/// `settings`: what holds where nothing is given; a preset comes over it, and the other options over that.
ui::PictureSettings pictureOf(const Words& words, ui::PictureSettings settings = {});
/// Throws Error for a .png `out` whose width is above what is possible on a side, whatever the height.
void requirePossibleWidth(const ui::PictureSettings& settings, const std::filesystem::path& out);
/// Throws Error{Usage} when an option of pictures was given for a file of numbers.
void refusePictureOptions(const Words& words, const std::filesystem::path& out);

/// How the maps are shown.
void addMapView(Words& words);
/// Flags are added to those of `view`.
MapView mapViewOf(const Words& words, MapView view = {});
/// The flags alone.
void addMapFlags(Words& words);
MapView flaggedView(const Words& words, MapView view);

void addKind(Words& words);
std::optional<AttentionKind> kindOf(const Words& words);

} // namespace headscope::app
