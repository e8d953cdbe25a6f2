// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_job.h"

#include "core/analysis/compare_json.h"
#include "core/analysis/output_path.h"
#include "core/base/check.h"
#include "ui/export/lines_picture.h"
#include "ui/export/picture_writer.h"
#include "ui/export/text_picture.h"

namespace headscope::ui {

bool isPicture(const QString& extension) {
    return pictureFormatOf(extension.toStdString()).has_value();
}

bool isWritable(ExportSubject subject, const QString& extension) {
    if (isPicture(extension) || subject == ExportSubject::Comparison)
        return isPicture(extension) || extension == QStringLiteral("json");
    return subject != ExportSubject::Text && subject != ExportSubject::Lines;
}

ExportPart partOf(const ExportJob& job) {
    HS_CHECK(job.subject != ExportSubject::Comparison);
    const ModelSpec& spec = job.analysis->model->spec();
    PartRequest request;
    if (job.subject != ExportSubject::Text) request.part = {job.figure.rows, job.figure.columns};
    request.view = job.view;
    switch (job.subject) {
    case ExportSubject::Head:
    case ExportSubject::Text:
        request.heads = shownHeads(spec, job.head, job.view);
        break;
    case ExportSubject::Lines:
        request.heads =
            job.view.heads == HeadsShown::One ? job.lines->heads : shownHeads(spec, job.head, job.view);
        break;
    case ExportSubject::Layer:
        request.heads = headsOfLayer(spec, job.head.kind, job.head.layer);
        break;
    case ExportSubject::Grid:
        request.heads = allHeads(spec, job.head.kind);
        break;
    case ExportSubject::Comparison:
        break;
    }
    return resolvePart(job.analysis, request);
}

Picture pictureOf(const ExportJob& job) {
    if (job.subject == ExportSubject::Comparison) return comparisonPicture(*job.comparison, job.figure);
    if (job.subject == ExportSubject::Grid) return gridPicture(*job.analysis, job.head.kind, job.figure);
    if (job.subject == ExportSubject::Text) {
        HS_CHECK(job.followed.has_value());
        return textPicture(partOf(job), *job.followed, job.figure);
    }
    if (job.subject == ExportSubject::Lines) {
        HS_CHECK(job.lines.has_value());
        return linesPicture(partOf(job), job.lines->drawn, job.figure);
    }
    return headsPicture(partOf(job), job.figure);
}

void runExportJob(const ExportJob& job, const CancelToken& cancel) {
    checkOutputFile(job.target, {.modelFolder = job.analysis->model->folder, .inputs = {}});
    if (job.subject == ExportSubject::Comparison) {
        for (const ComparedSide& side : job.comparison->sides)
            checkOutputFile(job.target, {.modelFolder = side.analysis->model->folder, .inputs = {}});
        if (job.extension == QStringLiteral("json")) {
            writeComparisonJson(*job.comparison, job.target, {.cancel = cancel, .progress = {}});
            return;
        }
    }
    const std::string extension = job.extension.toStdString();
    if (const auto data = dataFormatOf(extension)) {
        writeData(partOf(job), *data, job.target, {.cancel = cancel, .progress = {}});
        return;
    }
    const auto format = pictureFormatOf(extension);
    HS_CHECK(format.has_value());
    Picture picture = pictureOf(job);
    if (!job.described) {
        picture.title.clear();
        picture.caption.clear();
        picture.facts.clear();
    }
    writePicture(picture, *format, job.figure.dpi, job.target);
}

double usualWidthMm(const ExportJob& job) {
    switch (job.subject) {
    case ExportSubject::Layer:
        if (job.view.heads == HeadsShown::One)
            return sheetWidthMm(
                headsOfLayer(job.analysis->model->spec(), job.head.kind, job.head.layer).size());
        break;
    case ExportSubject::Comparison:
        return comparisonWidthMm(*job.comparison);
    case ExportSubject::Head:
    case ExportSubject::Grid:
    case ExportSubject::Text:
    case ExportSubject::Lines:
        break;
    }
    return FigureOptions().widthMm;
}

/// "-heads-1.11-and-3.0", "-head-1.11-and-layer-1-mean"
static QString comparedName(const HeadComparison& comparison) {
    const auto isHead = [](const ComparedSide& side) { return side.view.heads == HeadsShown::One; };
    const auto name = [&isHead](const ComparedSide& side, const char* head) -> QString {
        if (isHead(side)) return QLatin1String(head) + QString::fromStdString(headText(side.head));
        return QStringLiteral("layer-%1-%2")
            .arg(side.head.layer.value)
            .arg(QString::fromStdString(std::string(nameOf(side.view.heads))));
    };
    const auto& [first, second] = comparison.sides;
    if (isHead(first) && isHead(second))
        return QStringLiteral("-heads-%1-and-%2").arg(name(first, ""), name(second, ""));
    return QStringLiteral("-%1-and-%2").arg(name(first, "head-"), name(second, "head-"));
}

QString suggestedFileName(const ExportJob& job) {
    QString name = QString::fromStdString(job.analysis->model->plainName());
    // A folder's name may hold what a file name should not.
    for (QChar& c : name)
        if (!c.isLetterOrNumber() && c != u'-' && c != u'_' && c != u'.') c = u'-';
    switch (job.subject) {
    case ExportSubject::Head:
        if (job.view.heads == HeadsShown::One)
            name += QStringLiteral("-head-") + QString::fromStdString(headText(job.head));
        else
            name += QStringLiteral("-layer-%1-%2")
                        .arg(job.head.layer.value)
                        .arg(QString::fromStdString(std::string(nameOf(job.view.heads))));
        break;
    case ExportSubject::Text:
        name += QStringLiteral("-text-") + QString::fromStdString(headText(job.head));
        break;
    case ExportSubject::Lines:
        name += QStringLiteral("-lines");
        if (job.view.heads == HeadsShown::One)
            for (const HeadRef& head : job.lines->heads)
                name += u'-' + QString::fromStdString(headText(head));
        else
            name += QStringLiteral("-layer-%1-%2")
                        .arg(job.head.layer.value)
                        .arg(QString::fromStdString(std::string(nameOf(job.view.heads))));
        break;
    case ExportSubject::Layer:
        name += QStringLiteral("-layer-%1").arg(job.head.layer.value);
        break;
    case ExportSubject::Grid:
        name += QStringLiteral("-grid");
        break;
    case ExportSubject::Comparison:
        name += comparedName(*job.comparison);
        break;
    }
    return name + u'.' + job.extension;
}

} // namespace headscope::ui
