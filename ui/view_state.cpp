// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view_state.h"

#include "core/base/error.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace headscope::ui {
namespace {

template <typename Enum, std::size_t N>
using Words = std::array<std::pair<Enum, const char*>, N>;

constexpr Words<DeviceChoice, 3> kDevices{
    {{DeviceChoice::Auto, "auto"}, {DeviceChoice::Cpu, "cpu"}, {DeviceChoice::Cuda, "cuda"}}};
constexpr Words<LengthPolicy, 3> kLengths{
    {{LengthPolicy::Refuse, "refuse"}, {LengthPolicy::Truncate, "truncate"}, {LengthPolicy::Piece, "piece"}}};
constexpr Words<Pooling, 3> kPoolings{
    {{Pooling::Max, "max"}, {Pooling::Mean, "mean"}, {Pooling::MaxAbs, "max_abs"}}};

constexpr Words<CentrePage, 3> kPages{
    {{CentrePage::Explore, "explore"}, {CentrePage::Diagnose, "diagnose"}, {CentrePage::Compare, "compare"}}};

constexpr Words<HeadForm, 3> kForms{
    {{HeadForm::Map, "map"}, {HeadForm::Text, "text"}, {HeadForm::Lines, "lines"}}};

template <typename Enum, std::size_t N>
QString wordOf(const Words<Enum, N>& words, Enum value) {
    for (const auto& [entry, word] : words) {
        if (entry == value) return QString::fromLatin1(word);
    }
    return {};
}

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Reads the fields of one object and says which one is wrong.
class Fields {
  public:
    Fields(QJsonObject object, std::string subject)
        : m_object(std::move(object)), m_subject(std::move(subject)) {}

    bool has(const char* key) const {
        const QJsonValue value = m_object.value(QLatin1String(key));
        return !value.isUndefined() && !value.isNull();
    }

    void read(const char* key, QString& out) const {
        if (!has(key)) return;
        const QJsonValue value = m_object.value(QLatin1String(key));
        if (!value.isString()) wrong(key, "a string");
        out = value.toString();
    }

    void read(const char* key, bool& out) const {
        if (!has(key)) return;
        const QJsonValue value = m_object.value(QLatin1String(key));
        if (!value.isBool()) wrong(key, "true or false");
        out = value.toBool();
    }

    void read(const char* key, double& out) const {
        if (!has(key)) return;
        const QJsonValue value = m_object.value(QLatin1String(key));
        if (!value.isDouble() || !std::isfinite(value.toDouble())) wrong(key, "a number");
        out = value.toDouble();
    }

    void read(const char* key, std::int64_t& out) const {
        if (!has(key)) return;
        double number = -1.0;
        read(key, number);
        if (number < 0.0 || number > std::numeric_limits<std::int32_t>::max() ||
            number != std::floor(number)) {
            wrong(key, "a whole number from 0");
        }
        out = static_cast<std::int64_t>(number);
    }

    void read(const char* key, int& out) const {
        std::int64_t number = out;
        read(key, number);
        out = static_cast<int>(number);
    }

    void read(const char* key, std::optional<std::int64_t>& out) const {
        if (!has(key)) return;
        std::int64_t number = 0;
        read(key, number);
        out = number;
    }

    template <typename Enum, std::size_t N>
    void read(const char* key, const Words<Enum, N>& words, Enum& out) const {
        QString word = wordOf(words, out);
        read(key, word);
        for (const auto& [entry, name] : words) {
            if (word == QLatin1String(name)) {
                out = entry;
                return;
            }
        }
        wrong(key, "one of its known words");
    }

    [[noreturn]] void wrong(const char* key, const char* expected) const {
        fail(m_subject, std::string("the field \"") + key + "\" cannot be used",
             std::string("expected ") + expected, "delete the file to start afresh");
    }

  private:
    QJsonObject m_object;
    std::string m_subject;
};

} // namespace

std::optional<CentrePage> centrePageOf(const QString& word) {
    for (const auto& [page, name] : kPages) {
        if (word == QLatin1String(name)) return page;
    }
    return std::nullopt;
}

std::optional<HeadForm> headFormOf(const QString& word) {
    for (const auto& [form, name] : kForms) {
        if (word == QLatin1String(name)) return form;
    }
    return std::nullopt;
}

TextInput ViewState::textInput() const {
    TextInput input;
    input.text = text.toStdString();
    if (showPair && !pair.isEmpty()) input.pair = pair.toStdString();
    if (!target.isEmpty()) input.target = target.toStdString();
    input.length = length;
    input.piece = piece;
    return input;
}

bool ViewState::sameInput(const ViewState& other) const {
    const auto effectivePair = [](const ViewState& s) { return s.showPair ? s.pair : QString(); };
    return modelPath == other.modelPath && device == other.device && text == other.text &&
           effectivePair(*this) == effectivePair(other) && target == other.target && length == other.length &&
           piece == other.piece;
}

QJsonObject toJson(const MapView& view) {
    QJsonObject o;
    o[QStringLiteral("combine")] = fromView(nameOf(view.heads));
    o[QStringLiteral("value_weighted")] = view.valueWeighted;
    o[QStringLiteral("words")] = view.words;
    o[QStringLiteral("hide_special")] = view.hideSpecial;
    o[QStringLiteral("hide_first")] = view.hideFirst;
    return o;
}

MapView mapViewFrom(const Fields& fields) {
    MapView view;
    QString word = fromView(nameOf(view.heads));
    fields.read("combine", word);
    const auto heads = headsShownOf(word.toStdString());
    if (!heads) fields.wrong("combine", "one, mean, max or rollout");
    view.heads = *heads;
    fields.read("value_weighted", view.valueWeighted);
    fields.read("words", view.words);
    fields.read("hide_special", view.hideSpecial);
    fields.read("hide_first", view.hideFirst);
    if (view.heads == HeadsShown::Rollout && view.valueWeighted)
        fields.wrong("value_weighted", "false with a rollout");
    return view;
}

QString rangeText(const DisplayRange& range) {
    switch (range.mode) {
    case RangeMode::Auto:
        return QStringLiteral("auto");
    case RangeMode::PerRow:
        return QStringLiteral("row");
    case RangeMode::Log:
        return QStringLiteral("log");
    case RangeMode::Fixed:
        break;
    }
    // Nine digits bring a float back to the bit.
    return QString::number(range.low, 'g', 9) + QLatin1Char(':') + QString::number(range.high, 'g', 9);
}

QByteArray toJson(const ViewState& s) {
    QJsonObject o;
    o[QStringLiteral("headscope_view")] = kViewStateVersion;
    o[QStringLiteral("model")] = s.modelPath;
    o[QStringLiteral("device")] = wordOf(kDevices, s.device);
    o[QStringLiteral("text")] = s.text;
    o[QStringLiteral("pair")] = s.pair;
    o[QStringLiteral("show_pair")] = s.showPair;
    o[QStringLiteral("target")] = s.target;
    o[QStringLiteral("length")] = wordOf(kLengths, s.length);
    o[QStringLiteral("piece")] = static_cast<qint64>(s.piece);
    o[QStringLiteral("kind")] = fromView(nameOf(s.kind));
    o[QStringLiteral("layer")] = s.layer;
    o[QStringLiteral("head")] = s.head;
    if (s.query) o[QStringLiteral("query")] = static_cast<qint64>(*s.query);
    if (s.key) o[QStringLiteral("key")] = static_cast<qint64>(*s.key);
    o[QStringLiteral("view")] = toJson(s.view);
    o[QStringLiteral("range")] = rangeText(s.range);
    o[QStringLiteral("colormap")] = fromView(nameOf(s.colormap));
    o[QStringLiteral("pooling")] = wordOf(kPoolings, s.pooling);
    o[QStringLiteral("read_by")] = s.readBy;
    o[QStringLiteral("page")] = wordOf(kPages, s.page);
    o[QStringLiteral("form")] = wordOf(kForms, s.form);
    o[QStringLiteral("own_scales")] = s.ownScales;
    if (!s.viewport.isFit()) {
        QJsonObject v;
        v[QStringLiteral("left")] = s.viewport.left;
        v[QStringLiteral("top")] = s.viewport.top;
        v[QStringLiteral("width")] = s.viewport.width;
        v[QStringLiteral("height")] = s.viewport.height;
        o[QStringLiteral("viewport")] = v;
    }
    return QJsonDocument(o).toJson(QJsonDocument::Indented);
}

ViewState viewStateFromJson(const QByteArray& json, const QString& subject) {
    const std::string name = subject.toStdString();
    QJsonParseError parseError;
    const QJsonDocument document = QJsonDocument::fromJson(json, &parseError);
    if (!document.isObject()) {
        fail(name, "the saved view is no JSON object", "", "delete the file to start afresh");
    }
    const QJsonObject object = document.object();
    const int version = object.value(QStringLiteral("headscope_view")).toInt(-1);
    if (version != kViewStateVersion) {
        fail(name,
             version < 0 ? std::string("the file has no version of a saved view")
                         : "the saved view has version " + std::to_string(version),
             "expected version " + std::to_string(kViewStateVersion), "it was written by another HeadScope");
    }
    const Fields fields(object, name);
    ViewState s;
    fields.read("model", s.modelPath);
    fields.read("device", kDevices, s.device);
    fields.read("text", s.text);
    fields.read("pair", s.pair);
    fields.read("show_pair", s.showPair);
    fields.read("target", s.target);
    fields.read("length", kLengths, s.length);
    fields.read("piece", s.piece);
    QString word = fromView(nameOf(s.kind));
    fields.read("kind", word);
    const auto kind = attentionKindOf(word.toStdString());
    if (!kind) fields.wrong("kind", "a kind of attention");
    s.kind = *kind;
    fields.read("layer", s.layer);
    fields.read("head", s.head);
    fields.read("query", s.query);
    fields.read("key", s.key);
    if (fields.has("view")) {
        const QJsonValue value = object.value(QStringLiteral("view"));
        if (!value.isObject()) fields.wrong("view", "an object");
        s.view = mapViewFrom(Fields(value.toObject(), name));
    }
    word = rangeText(s.range);
    fields.read("range", word);
    const auto range = parseRange(word.toStdString());
    if (!range) fields.wrong("range", "auto, row, log or A:B");
    s.range = *range;
    word = fromView(nameOf(s.colormap));
    fields.read("colormap", word);
    const auto colormap = colormapOf(word.toStdString());
    if (!colormap) fields.wrong("colormap", "a colour map");
    s.colormap = *colormap;
    fields.read("pooling", kPoolings, s.pooling);
    fields.read("read_by", s.readBy);
    fields.read("page", kPages, s.page);
    fields.read("form", kForms, s.form);
    fields.read("own_scales", s.ownScales);
    if (fields.has("viewport")) {
        const QJsonValue value = object.value(QStringLiteral("viewport"));
        if (!value.isObject()) fields.wrong("viewport", "an object");
        const Fields view(value.toObject(), name);
        view.read("left", s.viewport.left);
        view.read("top", s.viewport.top);
        view.read("width", s.viewport.width);
        view.read("height", s.viewport.height);
    }
    return s;
}

} // namespace headscope::ui
