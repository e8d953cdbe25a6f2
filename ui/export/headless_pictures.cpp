// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/headless_pictures.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "ui/export/figure_settings.h"
#include "ui/export/lines_picture.h"
#include "ui/export/picture_writer.h"
#include "ui/export/text_picture.h"

#include <QFontDatabase>
#include <QGuiApplication>

#include <string>
#include <utility>

namespace headscope::ui {

namespace {

NoteSink* qtNotes = nullptr; // a message handler carries no data of ours

void passOn(QtMsgType type, const QMessageLogContext& /*context*/, const QString& message) {
    if (type == QtDebugMsg || type == QtInfoMsg || qtNotes == nullptr || !*qtNotes) return;
    // A server's account often has no such folder, and nothing here needs one.
    if (message.contains(QStringLiteral("XDG_RUNTIME_DIR"))) return;
    (*qtNotes)("Qt says: " + escapeForMessage(message.toStdString()));
}

PictureFormat formatOf(const std::filesystem::path& target) {
    const std::string extension = target.extension().string();
    const auto format = pictureFormatOf(extension.empty() ? extension : extension.substr(1));
    HS_CHECK(format.has_value()); // the command line has looked
    return *format;
}

} // namespace

struct HeadlessPictures::Private {
    NoteSink notes;
    std::unique_ptr<QGuiApplication> application;
};

HeadlessPictures::HeadlessPictures(int& argc, char** argv, NoteSink notes)
    : m_private(std::make_unique<Private>()) {
    m_private->notes = std::move(notes);
    qtNotes = &m_private->notes;
    qInstallMessageHandler(passOn);
    qputenv("QT_QPA_PLATFORM", "offscreen"); // before the application looks for a display
    m_private->application = std::make_unique<QGuiApplication>(argc, argv);
    QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/IBMPlexSans-Regular.ttf"));
    QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/IBMPlexSans-SemiBold.ttf"));
}

HeadlessPictures::~HeadlessPictures() {
    m_private->application.reset();
    qInstallMessageHandler(nullptr);
    qtNotes = nullptr;
}

std::string HeadlessPictures::write(const Picture& picture, int dpi, const std::filesystem::path& target) {
    writePicture(picture, formatOf(target), dpi, target);
    return picture.caption.toStdString();
}

std::string HeadlessPictures::writeHeads(const ExportPart& part, const PictureSettings& settings,
                                         const std::filesystem::path& target) const {
    FigureOptions options = figureOptionsOf(settings);
    if (part.size() > 1 && !settings.widthMm) options.widthMm = sheetWidthMm(part.size());
    return write(headsPicture(part, options), options.dpi, target);
}

std::string HeadlessPictures::writeText(const ExportPart& part, const FollowedToken& followed,
                                        const PictureSettings& settings,
                                        const std::filesystem::path& target) const {
    const FigureOptions options = figureOptionsOf(settings);
    return write(textPicture(part, followed, options), options.dpi, target);
}

std::string HeadlessPictures::writeLines(const ExportPart& part, const DrawnLines& lines,
                                         const PictureSettings& settings,
                                         const std::filesystem::path& target) const {
    const FigureOptions options = figureOptionsOf(settings);
    return write(linesPicture(part, lines, options), options.dpi, target);
}

std::string HeadlessPictures::writeGrid(const Analysis& analysis, AttentionKind kind,
                                        const PictureSettings& settings,
                                        const std::filesystem::path& target) const {
    const FigureOptions options = figureOptionsOf(settings);
    return write(gridPicture(analysis, kind, options), options.dpi, target);
}

std::string HeadlessPictures::writeComparison(const HeadComparison& comparison,
                                              const PictureSettings& settings,
                                              const std::filesystem::path& target) const {
    FigureOptions options = figureOptionsOf(settings);
    if (!settings.widthMm) options.widthMm = comparisonWidthMm(comparison);
    return write(comparisonPicture(comparison, options), options.dpi, target);
}

} // namespace headscope::ui
