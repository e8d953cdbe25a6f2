// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/export_data.h"
#include "ui/export/picture.h"
#include "ui/export/picture_settings.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <vector>

namespace headscope::ui {

enum class ExportSubject { Head, Layer, Grid, Comparison, Text, Lines };

/// The lines that are on screen: which, of which heads (of one by itself, empty where its view is of several)
/// and the tokens in sight.
struct ShownLines {
    DrawnLines drawn;
    std::vector<HeadRef> heads;
    ShownPart part;
};

/// What the export dialog asks for, as one plain value; safe to hand to another thread.
struct ExportJob {
    std::shared_ptr<const Analysis> analysis;
    HeadRef head; ///< the head, and with Layer its layer, and with Grid its kind
    std::shared_ptr<const HeadComparison> comparison; ///< with Comparison
    ExportSubject subject = ExportSubject::Head;
    std::optional<FollowedToken> followed; ///< with Text
    std::optional<ShownLines> lines;       ///< with Lines; its part is that of `figure`
    MapView view;                          ///< of the maps; the grid shows heads as they are
    FigureOptions figure;
    bool described = true; ///< a picture has its caption and facts inside
    QString extension;     ///< "png", "svg", "pdf", "csv", "npy", "json"
    std::filesystem::path target;
};

bool isPicture(const QString& extension);
/// Whether what is asked for can be written so: a comparison is a picture or JSON, a text and
/// lines are pictures.
bool isWritable(ExportSubject subject, const QString& extension);

/// The part of the maps the job is about. Throws Error as resolvePart() does.
ExportPart partOf(const ExportJob& job);
/// The job's picture; for data formats the one that shows what will be written.
Picture pictureOf(const ExportJob& job);

/// Writes the file. Throws Error: below the model folder, unwritable, too large, cancelled.
void runExportJob(const ExportJob& job, const CancelToken& cancel);

/// Width of the job's picture when none is asked for, as of the command line.
double usualWidthMm(const ExportJob& job);

/// "minilm-head-1.11.png"
QString suggestedFileName(const ExportJob& job);

} // namespace headscope::ui
