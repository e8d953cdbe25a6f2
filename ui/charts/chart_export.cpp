// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include "core/analysis/output_path.h"
#include "core/base/error.h"
#include "ui/export/picture_writer.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>

namespace headscope::ui {

namespace {

struct ChartExport {
    Q_DECLARE_TR_FUNCTIONS(ChartExport)
};

const QString kFolderKey = QStringLiteral("export/folder");

std::string endingOf(const std::filesystem::path& target) {
    std::string ending = target.extension().string();
    if (!ending.empty()) ending.erase(0, 1);
    return QString::fromStdString(ending).toLower().toStdString();
}

} // namespace

void writeChart(const Chart& chart, const std::filesystem::path& target,
                const ChartPictureSettings& settings) {
    const auto format = pictureFormatOf(endingOf(target));
    if (!format)
        fail(escapeForMessage(target.string()), "the ending names no picture", ".png, .svg or .pdf",
             "choose one of them");
    checkOutputFile(target, {.modelFolder = chart.modelFolder(), .inputs = {}});
    writePicture(chart.picture(settings), *format, settings.dpi, target);
}

bool exportChart(const Chart& chart, const std::filesystem::path& target,
                 const ChartPictureSettings& settings, QString* error) {
    try {
        writeChart(chart, target, settings);
        return true;
    } catch (const Error& failure) {
        if (error != nullptr) *error = QString::fromUtf8(failure.what());
    }
    return false;
}

QString askForChartFile(QWidget* parent, const QString& suggestedName) {
    QSettings settings;
    const QDir folder(settings.value(kFolderKey, QDir::homePath()).toString());
    const QString filters = ChartExport::tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)");
    QString filter;
    QString file = QFileDialog::getSaveFileName(parent, ChartExport::tr("Save chart"),
                                                folder.filePath(suggestedName), filters, &filter);
    if (file.isEmpty()) return {};
    if (QFileInfo(file).suffix().isEmpty())
        file += filter.contains(u"svg")   ? QStringLiteral(".svg")
                : filter.contains(u"pdf") ? QStringLiteral(".pdf")
                                          : QStringLiteral(".png");
    settings.setValue(kFolderKey, QFileInfo(file).absolutePath());
    return file;
}

} // namespace headscope::ui
