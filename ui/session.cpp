// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "ui/session_json.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <fmt/format.h>

namespace headscope::ui {
namespace {

const char* const kVersionField = "headscope_session";

/// What of a view is a pin.
const char* const kPinFields[] = {"model", "device",    "adapter", "axes",         "sample", "text",
                                  "pair",  "show_pair", "target",  "write_target", "length", "piece",
                                  "kind",  "layer",     "head",    "view"};

QJsonObject pinObject(const ViewState& pin) {
    const QJsonObject whole = toJsonObject(pin);
    QJsonObject object;
    for (const char* field : kPinFields) object[QLatin1String(field)] = whole.value(QLatin1String(field));
    return object;
}

QJsonObject noteObject(const HeadNotes::Note& note) {
    const std::string_view kind = nameOf(note.head.kind);
    QJsonObject object;
    object[QStringLiteral("model")] = note.model;
    object[QStringLiteral("kind")] = QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size()));
    object[QStringLiteral("layer")] = static_cast<qint64>(note.head.layer.value);
    object[QStringLiteral("head")] = static_cast<qint64>(note.head.head.value);
    object[QStringLiteral("text")] = wellFormed(note.text);
    return object;
}

std::string placeIn(const char* list, std::size_t index) {
    return fmt::format("{}[{}].", list, index);
}

std::vector<ViewState> readPins(const JsonFields& fields) {
    std::vector<ViewState> pins;
    const Json* list = fields.find("pins");
    if (list == nullptr) return pins;
    if (!list->isArray()) fields.wrong("pins", "a list");
    if (list->items().size() > kMostSessionPins)
        fail(fields.subject(), fmt::format("the field \"pins\" has {} entries", list->items().size()),
             fmt::format("expected at most {}", kMostSessionPins));
    for (std::size_t i = 0; i < list->items().size(); ++i) {
        const std::string place = placeIn("pins", i);
        const ViewState pin = viewStateFromJson(list->items()[i], fields.subject(), place);
        if (pin.model.path.isEmpty())
            fail(fields.subject(), fmt::format("the field \"{}model\" is empty", place),
                 "expected the model of the pinned head");
        pins.push_back(pinOf(pin, pin.headRef(), pin.view));
    }
    return pins;
}

void readNote(const JsonFields& fields, HeadNotes& notes) {
    HeadNotes::Note note;
    fields.read("model", note.model);
    if (note.model.isEmpty()) fields.wrong("model", "the model of the head");
    QString word = QStringLiteral("attentions");
    fields.read("kind", word);
    const auto kind = attentionKindOf(word.toStdString());
    if (!kind) fields.wrong("kind", "a kind of attention");
    int layer = 0;
    int head = 0;
    fields.read("layer", layer);
    fields.read("head", head);
    note.head = {*kind, LayerIndex(layer), HeadIndex(head)};
    fields.read("text", note.text);
    if (note.text.size() > HeadNotes::kLongest)
        fail(fields.subject(),
             fmt::format("the field \"{}\" has {} characters", fields.placeOf("text"), note.text.size()),
             fmt::format("expected at most {}", HeadNotes::kLongest));
    fields.refuseOthers();
    if (!notes.of(note.model, note.head).isEmpty())
        fail(fields.subject(),
             fmt::format("the field \"{}\" is of head {} again", fields.placeOf("head"), headText(note.head)),
             "expected one note a head");
    notes.set(note.model, note.head, note.text);
}

HeadNotes readNotes(const JsonFields& fields) {
    HeadNotes notes;
    const Json* list = fields.find("notes");
    if (list == nullptr) return notes;
    if (!list->isArray()) fields.wrong("notes", "a list");
    for (std::size_t i = 0; i < list->items().size(); ++i)
        readNote(JsonFields(list->items()[i], fields.subject(), placeIn("notes", i)), notes);
    return notes;
}

} // namespace

ViewState pinOf(const ViewInput& input, const HeadRef& head, const MapView& view) {
    ViewState pin;
    static_cast<ViewInput&>(pin) = input;
    pin.kind = head.kind;
    pin.layer = head.layer.value;
    pin.head = head.head.value;
    pin.view = view;
    return pin;
}

QJsonObject sessionObject(const SessionContent& content) {
    QJsonObject object;
    object[QLatin1String(kVersionField)] = kSessionVersion;
    object[QStringLiteral("view")] = toJsonObject(content.view);
    QJsonArray pins;
    for (const ViewState& pin : content.pins) pins.append(pinObject(pin));
    object[QStringLiteral("pins")] = pins;
    object[QStringLiteral("chosen_pin")] = static_cast<qint64>(content.chosenPin);
    QJsonArray notes;
    for (const HeadNotes::Note& note : content.notes.all()) notes.append(noteObject(note));
    object[QStringLiteral("notes")] = notes;
    return object;
}

QByteArray sessionJson(const SessionContent& content) {
    return QJsonDocument(sessionObject(content)).toJson(QJsonDocument::Indented);
}

SessionContent readSession(const JsonFields& fields) {
    fields.has(kVersionField);
    SessionContent content;
    if (const Json* view = fields.find("view"))
        content.view = viewStateFromJson(*view, fields.subject(), "view.");
    content.pins = readPins(fields);
    int chosen = 0;
    fields.read("chosen_pin", chosen);
    content.chosenPin = static_cast<std::size_t>(chosen);
    if (content.chosenPin > 0 && content.chosenPin >= content.pins.size())
        fields.wrong("chosen_pin", "one of the pins, counted from 0");
    content.notes = readNotes(fields);
    return content;
}

SessionContent sessionFromJson(const QByteArray& json, const QString& subject) {
    const std::string name = subject.toStdString();
    const Json value = parseJson({json.constData(), static_cast<std::size_t>(json.size())}, name);
    if (value.find("headscope_view") != nullptr && value.find(kVersionField) == nullptr) {
        SessionContent content;
        content.view = viewStateFromJson(json, subject);
        return content;
    }
    requireVersion(value, kVersionField, kSessionVersion, name);
    const JsonFields fields(value, name);
    SessionContent content = readSession(fields);
    fields.refuseOthers();
    return content;
}

bool isSessionName(const QString& path) {
    return path.endsWith(QLatin1String(".headscope"), Qt::CaseInsensitive);
}

QByteArray readSessionBytes(const QString& path) {
    const QFileInfo info(path);
    if (info.isDir())
        fail(escapeForMessage(info.fileName().toStdString()), "this is a folder", "expected a session file");
    return QByteArray::fromStdString(
        readWholeFile(QFile::encodeName(path).toStdString(), static_cast<std::uint64_t>(kLargestSession)));
}

void writeSessionBytes(const QString& path, const QByteArray& json) {
    if (json.size() > kLargestSession)
        fail(QFileInfo(path).fileName().toStdString(), fmt::format("the session has {} bytes", json.size()),
             fmt::format("at most {} are written", kLargestSession), "shorten the text");
    AtomicFile file(QFile::encodeName(path).toStdString());
    file.write(std::string_view(json.constData(), static_cast<std::size_t>(json.size())));
    file.commit();
}

SessionContent loadSessionFile(const QString& path) {
    return sessionFromJson(readSessionBytes(path), QString::fromStdString(escapeForMessage(
                                                       QFileInfo(path).fileName().toStdString())));
}

void saveSessionFile(const QString& path, const SessionContent& content) {
    writeSessionBytes(path, sessionJson(content));
}

} // namespace headscope::ui
