// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/kept_diagnoses.h"

#include "core/analysis/diagnosis_store.h"
#include "core/base/error.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QSaveFile>

#include <string>
#include <utility>

namespace headscope::ui {
namespace {

constexpr qint64 kLargest = 64 * 1024 * 1024;
const QString kEnding = QStringLiteral(".json");

QString pathText(const std::filesystem::path& path) {
    return QFile::decodeName(QByteArray::fromStdString(path.string()));
}

/// The key of a model whose files are gone has no value: nothing is kept then.
std::string keyOf(const OpenModel& model) {
    try {
        return diagnosisKey(model);
    } catch (const Error&) {
        return {};
    }
}

} // namespace

KeptDiagnoses::KeptDiagnoses(std::filesystem::path folder) : m_folder(std::move(folder)) {}

std::filesystem::path KeptDiagnoses::fileOf(const std::string& key) const {
    const QByteArray hash =
        QCryptographicHash::hash(QByteArray::fromStdString(key), QCryptographicHash::Sha256).toHex();
    return m_folder / (hash.toStdString() + kEnding.toStdString());
}

std::shared_ptr<const Diagnosis> KeptDiagnoses::find(const OpenModel& model) const {
    const std::string key = keyOf(model);
    if (key.empty()) return nullptr;
    QFile file(pathText(fileOf(key)));
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargest) return nullptr;
    return restoredDiagnosis(file.readAll().toStdString(), key);
}

void KeptDiagnoses::keep(const OpenModel& model, const Diagnosis& diagnosis) const {
    const std::string key = keyOf(model);
    if (key.empty() || !QDir().mkpath(pathText(m_folder))) return;
    QSaveFile file(pathText(fileOf(key)));
    const QByteArray text = QByteArray::fromStdString(storedDiagnosis(diagnosis, key));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) return;
    forgetOldest();
}

void KeptDiagnoses::forgetOldest() const {
    const QDir folder(pathText(m_folder));
    const QStringList newestFirst =
        folder.entryList({QLatin1Char('*') + kEnding}, QDir::Files | QDir::NoSymLinks, QDir::Time);
    for (qsizetype i = static_cast<qsizetype>(kMost); i < newestFirst.size(); ++i)
        QFile::remove(folder.filePath(newestFirst[i]));
}

} // namespace headscope::ui
