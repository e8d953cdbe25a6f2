// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_job.h"

#include "core/analysis/output_path.h"
#include "core/base/check.h"
#include "ui/export/picture_writer.h"

namespace headscope::ui {

bool isPicture(const QString& extension) {
    return pictureFormatOf(extension.toStdString()).has_value();
}

ExportPart partOf(const ExportJob& job) {
    const ModelSpec& spec = job.analysis->model->spec();
    PartRequest request;
    request.rows = job.figure.rows;
    request.columns = job.figure.columns;
    request.hideSpecial = job.hideSpecial;
    switch (job.subject) {
    case ExportSubject::Head:
        request.heads = {job.head};
        break;
    case ExportSubject::Layer:
        request.heads = headsOfLayer(spec, job.head.kind, job.head.layer);
        break;
    case ExportSubject::Grid:
        request.heads = allHeads(spec, job.head.kind);
        break;
    }
    return resolvePart(job.analysis, request);
}

Picture pictureOf(const ExportJob& job) {
    if (job.subject == ExportSubject::Grid) return gridPicture(*job.analysis, job.head.kind, job.figure);
    return headsPicture(partOf(job), job.figure);
}

void runExportJob(const ExportJob& job, const CancelToken& cancel) {
    checkOutputFile(job.target, {.modelFolder = job.analysis->model->folder, .inputs = {}});
    const std::string extension = job.extension.toStdString();
    if (const auto data = dataFormatOf(extension)) {
        writeData(partOf(job), *data, job.target, {.cancel = cancel, .progress = {}});
        return;
    }
    const auto format = pictureFormatOf(extension);
    HS_CHECK(format.has_value());
    writePicture(pictureOf(job), *format, job.figure.dpi, job.target);
}

QString suggestedFileName(const ExportJob& job) {
    QString name = QString::fromStdString(job.analysis->model->name);
    // A folder's name may hold what a file name should not.
    for (QChar& c : name)
        if (!c.isLetterOrNumber() && c != u'-' && c != u'_' && c != u'.') c = u'-';
    switch (job.subject) {
    case ExportSubject::Head:
        name += QStringLiteral("-head-") + QString::fromStdString(headText(job.head));
        break;
    case ExportSubject::Layer:
        name += QStringLiteral("-layer-%1").arg(job.head.layer.value);
        break;
    case ExportSubject::Grid:
        name += QStringLiteral("-grid");
        break;
    }
    return name + u'.' + job.extension;
}

} // namespace headscope::ui
