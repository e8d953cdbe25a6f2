// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/picture.h"
#include "ui/export/picture_settings.h"

#include <QImage>

#include <filesystem>

namespace headscope::ui {

/// Pixels of a picture at `dpi`.
QSize pixelSize(const Picture& picture, int dpi);

/// Throws Error, naming `subject`, when a side would be above kLongestSide.
void requirePossible(const QSize& pixels, const QString& subject);

/// Opaque unless the picture has no background; every pixel painted. Throws Error above kLongestSide or when
/// it would not fit into memory, naming `subject`.
QImage renderPicture(const Picture& picture, int dpi, const QString& subject);

/// Writes the file; it appears only when complete. `dpi` counts for PNG alone: SVG and PDF hold text as
/// outlines or embedded fonts and maps without loss. Title, caption and facts go into the file: PNG text
/// chunks, SVG title, desc and metadata, PDF XMP. Throws Error.
void writePicture(const Picture& picture, PictureFormat format, int dpi, const std::filesystem::path& target);

} // namespace headscope::ui
