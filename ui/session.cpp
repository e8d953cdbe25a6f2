// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session.h"

#include "core/base/error.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <utility>

namespace headscope::ui {
namespace {

constexpr qint64 kLargest = 64 * 1024 * 1024;

QString dataFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
}

} // namespace

QString sessionFile() {
    return dataFolder() + QStringLiteral("/session.json");
}

std::filesystem::path diagnosesFolder() {
    return QFile::encodeName(dataFolder() + QStringLiteral("/diagnoses")).toStdString();
}

std::optional<ViewState> loadSession(const QString& path) {
    QFile file(path);
    if (!file.exists()) return std::nullopt;
    const std::string subject = QFileInfo(path).fileName().toStdString();
    if (!file.open(QIODevice::ReadOnly))
        fail(subject, "the saved view cannot be read", "", file.errorString().toStdString());
    if (file.size() > kLargest)
        fail(subject, "the saved view is larger than 64 MB", "", "delete the file to start afresh");
    try {
        return viewStateFromJson(file.readAll(), QFileInfo(path).fileName());
    } catch (const Error& error) {
        // What another version wrote stays readable to it; this start is a fresh one.
        file.close();
        const QString aside = path + QStringLiteral(".old");
        QFile::remove(aside);
        if (!QFile::rename(path, aside)) throw;
        ErrorParts parts = error.parts();
        parts.hint = "it was put aside as " + QFileInfo(aside).fileName().toStdString() +
                     ", and the view starts afresh";
        throw Error(std::move(parts));
    }
}

void saveSession(const QString& path, const ViewState& state) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QSaveFile file(path);
    const QByteArray json = toJson(state);
    if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.commit()) {
        fail(QFileInfo(path).fileName().toStdString(), "the view cannot be saved", "",
             file.errorString().toStdString());
    }
}

} // namespace headscope::ui
