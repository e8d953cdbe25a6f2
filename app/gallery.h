// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands.h"
#include "core/analysis/export_part.h"
#include "ui/export/picture_settings.h"

#include <filesystem>
#include <string>

namespace headscope::ui {
class HeadlessPictures;
}

namespace headscope::app {

struct GalleryPlace {
    std::filesystem::path folder; ///< made if it is missing
    Session& session;
};

/// Writes head-L.H.png for every head of `part`, grid.png and, last, index.html, which shows them all and
/// needs no network. They appear together when all are made; when it fails or is cancelled, what stood there
/// before is untouched and nothing is added.
void writeGallery(const ExportPart& part, const ui::PictureSettings& settings,
                  const ui::HeadlessPictures& pictures, const GalleryPlace& place);

/// "head-1.11.png"
std::string pictureName(const HeadRef& head);

/// The page. Text from files is escaped; styles are inline.
std::string galleryPage(const ExportPart& part, const std::string& title);

} // namespace headscope::app
