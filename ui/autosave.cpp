// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/autosave.h"

#include "core/base/error.h"
#include "ui/session_json.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QStandardPaths>

#include <utility>

namespace headscope::ui {
namespace {

QString dataFolder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
}

/// "session.json.old", "session.json.old2", ...: never one that is there.
QString nameAside(const QString& path) {
    QString aside = path + QStringLiteral(".old");
    for (int i = 2; QFile::exists(aside); ++i) aside = path + QStringLiteral(".old%1").arg(i);
    return aside;
}

std::unique_ptr<QLockFile> lockOf(const QString& file) {
    auto lock = std::make_unique<QLockFile>(file + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // a lock ends with its process, not with time
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

QString fileOf(const QString& folder, int number) {
    return QStringLiteral("%1/window-%2.json").arg(folder).arg(number);
}

Autosave autosaveFromJson(const QByteArray& json, const QString& subject) {
    const std::string name = subject.toStdString();
    const Json value = parseJson({json.constData(), static_cast<std::size_t>(json.size())}, name);
    Autosave autosave;
    if (value.find("headscope_session") == nullptr) {
        autosave.content = sessionFromJson(json, subject); // of former times, or no session at all
        return autosave;
    }
    requireVersion(value, "headscope_session", kSessionVersion, name);
    const JsonFields fields(value, name);
    autosave.content = readSession(fields);
    fields.read("file", autosave.file);
    fields.read("closed", autosave.closed);
    fields.refuseOthers();
    return autosave;
}

/// What cannot be read was not: it is then looked at and said.
bool wasClosed(const QString& file) {
    try {
        return autosaveFromJson(readSessionBytes(file), file).closed;
    } catch (const Error&) {
        return false;
    }
}

} // namespace

QString autosaveFolder() {
    return dataFolder() + QStringLiteral("/windows");
}

std::filesystem::path diagnosesFolder() {
    return QFile::encodeName(dataFolder() + QStringLiteral("/diagnoses")).toStdString();
}

std::optional<Autosave> loadAutosave(const QString& path) {
    if (!QFile::exists(path)) return std::nullopt;
    const QByteArray json = readSessionBytes(path);
    try {
        return autosaveFromJson(json, QFileInfo(path).fileName());
    } catch (const Error& error) {
        // What another version wrote stays readable to it; this start is a fresh one.
        const QString aside = nameAside(path);
        if (!QFile::rename(path, aside)) throw;
        ErrorParts parts = error.parts();
        parts.hint = "it was put aside as " + QFileInfo(aside).fileName().toStdString() +
                     ", and the view starts afresh";
        throw Error(std::move(parts));
    }
}

void saveAutosave(const QString& path, const Autosave& autosave) {
    QDir().mkpath(QFileInfo(path).absolutePath());
    QJsonObject object = sessionObject(autosave.content);
    if (!autosave.file.isEmpty()) object[QStringLiteral("file")] = autosave.file;
    object[QStringLiteral("closed")] = autosave.closed;
    writeSessionBytes(path, QJsonDocument(object).toJson(QJsonDocument::Indented));
}

AutosaveSlot::AutosaveSlot(QString file, std::unique_ptr<QLockFile> lock)
    : m_file(std::move(file)), m_lock(std::move(lock)) {}

AutosaveSlot::~AutosaveSlot() = default;

std::unique_ptr<AutosaveSlot> AutosaveSlot::claim(const QString& folder, Take take) {
    QDir().mkpath(folder);
    const QString former = QFileInfo(folder).absolutePath() + QStringLiteral("/session.json");
    if (QFile::exists(former) && !QFile::exists(fileOf(folder, 0))) QFile::rename(former, fileOf(folder, 0));
    const auto slot = [](const QString& file) -> std::unique_ptr<AutosaveSlot> {
        auto lock = lockOf(file);
        if (!lock) return nullptr;
        return std::unique_ptr<AutosaveSlot>(new AutosaveSlot(file, std::move(lock)));
    };
    // Those that are there, the last written first.
    const QFileInfoList left =
        QDir(folder).entryInfoList({QStringLiteral("window-*.json")}, QDir::Files, QDir::Time);
    // What a crash left comes before what was closed.
    for (const bool closed : {false, true}) {
        if (take == Take::Fresh || (closed && take == Take::Crashed)) break;
        for (const QFileInfo& one : left) {
            auto claimed = slot(one.absoluteFilePath());
            if (claimed && wasClosed(claimed->file()) == closed) return claimed;
        }
    }
    for (int number = 0; number < kMost; ++number) {
        const QString file = fileOf(folder, number);
        if (QFile::exists(file)) continue;
        if (auto claimed = slot(file)) return claimed;
    }
    for (auto one = left.rbegin(); one != left.rend(); ++one) {
        auto claimed = slot(one->absoluteFilePath());
        if (claimed && QFile::rename(claimed->file(), nameAside(claimed->file()))) return claimed;
    }
    return nullptr;
}

} // namespace headscope::ui
