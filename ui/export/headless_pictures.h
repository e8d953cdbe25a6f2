// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/export_part.h"
#include "ui/export/picture_settings.h"

#include <filesystem>
#include <memory>
#include <string>

namespace headscope::ui {

struct Picture;

/// Pictures without a window or a display: starts Qt on its offscreen platform, once for a process, and only
/// when a picture is wanted. No Qt type crosses this border. Qt's own warnings go to `notes`. Use on the main
/// thread.
class HeadlessPictures {
  public:
    HeadlessPictures(int& argc, char** argv, NoteSink notes);
    ~HeadlessPictures();

    /// They return the caption, UTF-8. Throw Error (too large, unwritable, disk full).
    std::string writeHeads(const ExportPart& part, const PictureSettings& settings,
                           const std::filesystem::path& target) const;
    std::string writeText(const ExportPart& part, const FollowedToken& followed,
                          const PictureSettings& settings, const std::filesystem::path& target) const;
    std::string writeLines(const ExportPart& part, const DrawnLines& lines, const PictureSettings& settings,
                           const std::filesystem::path& target) const;
    std::string writeGrid(const Analysis& analysis, AttentionKind kind, const PictureSettings& settings,
                          const std::filesystem::path& target) const;
    std::string writeComparison(const HeadComparison& comparison, const PictureSettings& settings,
                                const std::filesystem::path& target) const;

  private:
    static std::string write(const Picture& picture, int dpi, const std::filesystem::path& target);

    struct Private;
    std::unique_ptr<Private> m_private;
};

} // namespace headscope::ui
