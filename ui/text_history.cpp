// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/text_history.h"

#include "core/base/error.h"
#include "ui/session_json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QStandardPaths>

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope::ui {
namespace {

const char* const kVersionField = "headscope_texts";
constexpr int kVersion = 1;
constexpr int kLockMs = 2000; ///< another window holds it for a few milliseconds

std::vector<PastText> readTexts(const QString& path) {
    std::vector<PastText> texts;
    if (path.isEmpty() || !QFile::exists(path)) return texts;
    const std::string name = QFileInfo(path).fileName().toStdString();
    const QByteArray json = readSessionBytes(path);
    const Json value = parseJson({json.constData(), static_cast<std::size_t>(json.size())}, name);
    requireVersion(value, kVersionField, kVersion, name);
    const JsonFields fields(value, name);
    const Json* list = fields.find("texts");
    if (list == nullptr || !list->isArray()) fields.wrong("texts", "a list");
    for (std::size_t i = 0; i < list->items().size(); ++i) {
        const JsonFields one(list->items()[i], name, fmt::format("texts[{}].", i));
        PastText text;
        one.read("text", text.text);
        one.read("pair", text.pair);
        one.read("is_pair", text.isPair);
        one.read("target", text.target);
        texts.push_back(std::move(text));
    }
    return texts;
}

void writeTexts(const QString& path, const std::vector<PastText>& texts) {
    QJsonArray list;
    for (const PastText& one : texts) {
        QJsonObject object;
        object[QStringLiteral("text")] = wellFormed(one.text);
        if (one.isPair) {
            object[QStringLiteral("pair")] = wellFormed(one.pair);
            object[QStringLiteral("is_pair")] = true;
        }
        if (!one.target.isEmpty()) object[QStringLiteral("target")] = wellFormed(one.target);
        list.append(object);
    }
    QJsonObject document;
    document[QLatin1String(kVersionField)] = kVersion;
    document[QStringLiteral("texts")] = list;
    writeSessionBytes(path, QJsonDocument(document).toJson(QJsonDocument::Indented));
}

/// `after` is `before` with more behind it.
bool grewFrom(const PastText& before, const PastText& after) {
    return after.text.startsWith(before.text) && after.isPair == before.isPair &&
           after.pair.startsWith(before.pair) && after.target.startsWith(before.target);
}

} // namespace

PastText pastTextOf(const ViewState& state) {
    return {state.text, state.showPair ? state.pair : QString(), state.showPair, state.target};
}

QString textHistoryFile() {
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/texts.json");
}

TextHistory::TextHistory(QString file, QObject* parent) : QObject(parent), m_file(std::move(file)) {}

std::vector<PastText> TextHistory::texts() const {
    std::vector<PastText> all = m_inMemory;
    try {
        if (!m_file.isEmpty()) all = readTexts(m_file);
    } catch (const Error&) {
        return {}; // the next change says it
    }
    if (all.size() > static_cast<std::size_t>(m_most)) all.resize(static_cast<std::size_t>(m_most));
    return all;
}

template <typename Edit>
void TextHistory::edit(const Edit& change) {
    try {
        if (m_file.isEmpty()) {
            change(m_inMemory);
        } else {
            QDir().mkpath(QFileInfo(m_file).absolutePath());
            QLockFile lock(m_file + QStringLiteral(".lock"));
            if (!lock.tryLock(kLockMs))
                fail(QFileInfo(m_file).fileName().toStdString(), "another window is writing to it");
            std::vector<PastText> texts;
            try {
                texts = readTexts(m_file);
            } catch (const Error&) {
                // Kept beside, so that what it holds is not overwritten.
                QFile::remove(m_file + QStringLiteral(".old"));
                QFile::rename(m_file, m_file + QStringLiteral(".old"));
            }
            change(texts);
            writeTexts(m_file, texts);
        }
    } catch (const Error& error) {
        Q_EMIT failed(QString::fromStdString(error.sentence()));
    }
    Q_EMIT changed();
}

void TextHistory::add(const PastText& text, bool grown) {
    if (text.text.trimmed().isEmpty() || m_most == 0) return;
    if (text.text.size() + text.pair.size() + text.target.size() > kLongest) return;
    edit([&](std::vector<PastText>& texts) {
        const bool onTheWay = grown && m_onTheWay && !texts.empty() && texts.front() == *m_onTheWay;
        if (onTheWay && grewFrom(texts.front(), text)) texts.erase(texts.begin());
        std::erase(texts, text);
        texts.insert(texts.begin(), text);
        if (texts.size() > static_cast<std::size_t>(m_most)) texts.resize(static_cast<std::size_t>(m_most));
    });
    m_onTheWay = grown ? std::optional(text) : std::nullopt;
}

void TextHistory::remove(const PastText& text) {
    edit([&](std::vector<PastText>& texts) { std::erase(texts, text); });
}

void TextHistory::clear() {
    edit([](std::vector<PastText>& texts) { texts.clear(); });
}

void TextHistory::putBack(const std::vector<PastText>& before) {
    edit([&](std::vector<PastText>& texts) {
        std::erase_if(texts, [&before](const PastText& text) {
            return std::find(before.begin(), before.end(), text) != before.end();
        });
        texts.insert(texts.end(), before.begin(), before.end());
        if (texts.size() > static_cast<std::size_t>(m_most)) texts.resize(static_cast<std::size_t>(m_most));
    });
}

void TextHistory::setMost(int most) {
    m_most = std::clamp(most, 0, kMost);
    Q_EMIT changed();
}

} // namespace headscope::ui
