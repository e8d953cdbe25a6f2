// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/export_part.h"
#include "ui/export/picture_settings.h"

#include <filesystem>
#include <memory>

namespace headscope::ui {

/// Pictures without a window or a display: starts Qt on its offscreen platform, once for a process, and only
/// when a picture is wanted. No Qt type crosses this border. Qt's own warnings go to `notes`. Use on the main
/// thread.
class HeadlessPictures {
  public:
    HeadlessPictures(int& argc, char** argv, NoteSink notes);
    ~HeadlessPictures();

    /// Throws Error (too large, unwritable, disk full).
    void writeHeads(const ExportPart& part, const PictureSettings& settings,
                    const std::filesystem::path& target) const;
    void writeGrid(const Analysis& analysis, AttentionKind kind, const PictureSettings& settings,
                   const std::filesystem::path& target) const;
    void writeComparison(const HeadComparison& comparison, const PictureSettings& settings,
                         const std::filesystem::path& target) const;

  private:
    struct Private;
    std::unique_ptr<Private> m_private;
};

} // namespace headscope::ui
