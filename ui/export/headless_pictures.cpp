// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/headless_pictures.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "ui/export/picture_writer.h"

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

QString textOf(const std::optional<std::string>& text) {
    // Null and empty differ: null is the default, empty is none.
    if (!text) return {};
    return text->empty() ? QString(QLatin1String("")) : QString::fromStdString(*text);
}

FigureOptions optionsOf(const PictureSettings& settings, const QString& fontFamily) {
    FigureOptions options;
    if (settings.widthMm) options.widthMm = *settings.widthMm;
    if (settings.dpi) options.dpi = *settings.dpi;
    if (settings.fontSizePt) options.fontSizePt = *settings.fontSizePt;
    options.fontFamily = fontFamily;
    options.title = textOf(settings.title);
    options.xLabel = textOf(settings.xLabel);
    options.yLabel = textOf(settings.yLabel);
    options.values = settings.values;
    options.theme = settings.dark ? HeatmapTheme::darkTheme() : HeatmapTheme::lightTheme();
    options.colormap = settings.colormap;
    options.range = settings.range;
    return options;
}

} // namespace

struct HeadlessPictures::Private {
    NoteSink notes;
    std::unique_ptr<QGuiApplication> application;
    QString fontFamily;
};

HeadlessPictures::HeadlessPictures(int& argc, char** argv, NoteSink notes)
    : m_private(std::make_unique<Private>()) {
    m_private->notes = std::move(notes);
    qtNotes = &m_private->notes;
    qInstallMessageHandler(passOn);
    qputenv("QT_QPA_PLATFORM", "offscreen"); // before the application looks for a display
    m_private->application = std::make_unique<QGuiApplication>(argc, argv);
    const int font = QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/IBMPlexSans-Regular.ttf"));
    QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/IBMPlexSans-SemiBold.ttf"));
    m_private->fontFamily = QFontDatabase::applicationFontFamilies(font).value(0);
}

HeadlessPictures::~HeadlessPictures() {
    m_private->application.reset();
    qInstallMessageHandler(nullptr);
    qtNotes = nullptr;
}

void HeadlessPictures::writeHeads(const ExportPart& part, const PictureSettings& settings,
                                  const std::filesystem::path& target) const {
    FigureOptions options = optionsOf(settings, m_private->fontFamily);
    if (part.size() > 1 && !settings.widthMm) options.widthMm = sheetWidthMm(part.size());
    writePicture(headsPicture(part, options), formatOf(target), options.dpi, target);
}

void HeadlessPictures::writeGrid(const Analysis& analysis, AttentionKind kind,
                                 const PictureSettings& settings, const std::filesystem::path& target) const {
    const FigureOptions options = optionsOf(settings, m_private->fontFamily);
    writePicture(gridPicture(analysis, kind, options), formatOf(target), options.dpi, target);
}

void HeadlessPictures::writeComparison(const HeadComparison& comparison, const PictureSettings& settings,
                                       const std::filesystem::path& target) const {
    FigureOptions options = optionsOf(settings, m_private->fontFamily);
    if (!settings.widthMm) options.widthMm = comparisonWidthMm(comparison);
    writePicture(comparisonPicture(comparison, options), formatOf(target), options.dpi, target);
}

} // namespace headscope::ui
