// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/picture.h"
#include "ui/export/picture_settings.h"

#include <QImage>

#include <filesystem>

namespace headscope::ui {

/// Longest side of a raster picture: Qt paints with 16-bit device coordinates.
inline constexpr int kLongestSide = 32767;

/// Pixels of a picture at `dpi`.
QSize pixelSize(const Picture& picture, int dpi);

/// Opaque, every pixel painted. Throws Error above kLongestSide or when it would not fit into memory, naming
/// `subject`.
QImage renderPicture(const Picture& picture, int dpi, const QString& subject);

/// Writes the file; it appears only when complete. `dpi` counts for PNG alone: SVG and PDF hold text as
/// outlines or embedded fonts and maps without loss. Throws Error.
void writePicture(const Picture& picture, PictureFormat format, int dpi, const std::filesystem::path& target);

} // namespace headscope::ui
