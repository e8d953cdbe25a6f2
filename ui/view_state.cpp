// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/view_state.h"

#include "core/base/error.h"
#include "ui/json_fields.h"
#include "ui/reading/line_colors.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
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

QJsonObject toJson(const MapView& view) {
    QJsonObject o;
    o[QStringLiteral("combine")] = fromView(nameOf(view.heads));
    o[QStringLiteral("value_weighted")] = view.valueWeighted;
    o[QStringLiteral("words")] = view.words;
    o[QStringLiteral("hide_special")] = view.hideSpecial;
    o[QStringLiteral("hide_first")] = view.hideFirst;
    return o;
}

MapView mapViewFrom(const JsonFields& fields) {
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
    fields.refuseOthers();
    if (view.heads == HeadsShown::Rollout && view.valueWeighted)
        fields.wrong("value_weighted", "false with a rollout");
    return view;
}

/// {"strongest": 100} or {"from": 0.05}, and "heads" unless it is the chosen one alone: null is a colour that
/// no head has.
QJsonObject toJson(const LinesShown& lines) {
    QJsonObject o;
    if (lines.rule.strongest > 0)
        o[QStringLiteral("strongest")] = static_cast<qint64>(lines.rule.strongest);
    else // the shortest decimal that gives the same float
        o[QStringLiteral("from")] = std::stod(fmt::format("{}", lines.rule.from));
    if (!lines.heads) return o;
    QJsonArray heads;
    for (const int head : *lines.heads)
        heads.append(head == LinesShown::kNoHead ? QJsonValue(QJsonValue::Null) : QJsonValue(head));
    o[QStringLiteral("heads")] = heads;
    return o;
}

std::vector<int> lineHeadsFrom(const Json& value, const JsonFields& fields) {
    constexpr std::int64_t kMostHeads = std::numeric_limits<int>::max();
    const auto wrong = [&fields] { fields.wrong("heads", "up to 6 heads of the layer, each once"); };
    if (!value.isArray() || value.items().size() > kLineColors) wrong();
    std::vector<int> heads;
    for (const Json& one : value.items()) {
        int head = LinesShown::kNoHead;
        if (!one.isNull()) {
            if (!one.isInteger() || one.asInteger() < 0 || one.asInteger() > kMostHeads) wrong();
            head = static_cast<int>(one.asInteger());
            if (std::find(heads.begin(), heads.end(), head) != heads.end()) wrong();
        }
        heads.push_back(head);
    }
    if (!heads.empty() && heads.back() == LinesShown::kNoHead) wrong();
    return heads;
}

LinesShown linesFrom(const JsonFields& fields) {
    LinesShown lines;
    fields.read("strongest", lines.rule.strongest);
    if (fields.has("strongest") && (lines.rule.strongest < 1 || lines.rule.strongest > LinePicks::kMost))
        fields.wrong("strongest", "1 to 3000");
    if (fields.has("from")) {
        double from = 0.0;
        fields.read("from", from);
        if (fields.has("strongest")) fields.wrong("from", "either \"strongest\" or \"from\"");
        if (from < 0.0 || from > LineRule::kLargestFrom) fields.wrong("from", "0 to 1000000");
        lines.rule = {0, static_cast<float>(from)};
    }
    if (const Json* heads = fields.find("heads")) lines.heads = lineHeadsFrom(*heads, fields);
    fields.refuseOthers();
    return lines;
}

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

TextInput ViewInput::textInput() const {
    TextInput input;
    input.text = text.toStdString();
    if (showPair && !pair.isEmpty()) input.pair = pair.toStdString();
    if (!target.isEmpty() && !writeTarget) input.target = target.toStdString();
    input.writeTarget = writeTarget;
    input.length = length;
    input.piece = piece;
    return input;
}

bool ViewInput::sameInput(const ViewInput& other) const {
    const auto effectivePair = [](const ViewInput& s) { return s.showPair ? s.pair : QString(); };
    return model == other.model && text == other.text && effectivePair(*this) == effectivePair(other) &&
           target == other.target && writeTarget == other.writeTarget && length == other.length &&
           piece == other.piece;
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

QJsonObject toJsonObject(const ViewState& s) {
    QJsonObject o;
    o[QStringLiteral("headscope_view")] = kViewStateVersion;
    o[QStringLiteral("model")] = s.model.path;
    o[QStringLiteral("device")] = wordOf(kDevices, s.model.device);
    if (!s.model.adapter.isEmpty()) o[QStringLiteral("adapter")] = s.model.adapter;
    if (s.model.reading.axes)
        o[QStringLiteral("axes")] = QString::fromStdString(textOf(*s.model.reading.axes));
    if (s.model.reading.sample) o[QStringLiteral("sample")] = static_cast<qint64>(*s.model.reading.sample);
    o[QStringLiteral("text")] = wellFormed(s.text);
    o[QStringLiteral("pair")] = wellFormed(s.pair);
    o[QStringLiteral("show_pair")] = s.showPair;
    o[QStringLiteral("target")] = wellFormed(s.target);
    o[QStringLiteral("write_target")] = s.writeTarget;
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
    o[QStringLiteral("lines")] = toJson(s.lines);
    o[QStringLiteral("margins")] = s.margins;
    o[QStringLiteral("own_scales")] = s.ownScales;
    if (!s.viewport.isFit()) {
        QJsonObject v;
        v[QStringLiteral("left")] = s.viewport.left;
        v[QStringLiteral("top")] = s.viewport.top;
        v[QStringLiteral("width")] = s.viewport.width;
        v[QStringLiteral("height")] = s.viewport.height;
        o[QStringLiteral("viewport")] = v;
    }
    return o;
}

QByteArray toJson(const ViewState& state) {
    return QJsonDocument(toJsonObject(state)).toJson(QJsonDocument::Indented);
}

void requireVersion(const Json& value, const char* field, int version, const std::string& subject) {
    const Json* found = value.find(field);
    if (found == nullptr || !found->isInteger())
        fail(subject,
             value.isObject() ? fmt::format("there is no version number (\"{}\")", field)
                              : fmt::format("the file is {}", value.typeName()),
             "expected a JSON object that HeadScope has written");
    if (found->asInteger() != version)
        fail(subject, fmt::format("\"{}\" is {}", field, found->asInteger()),
             fmt::format("expected version {}", version), "it was written by another HeadScope");
}

namespace {

ModelChoice modelChoiceFrom(const JsonFields& fields) {
    ModelChoice model;
    fields.read("model", model.path);
    fields.read("device", kDevices, model.device);
    fields.read("adapter", model.adapter);
    if (fields.has("axes")) {
        QString axes;
        fields.read("axes", axes);
        model.reading.axes =
            parseArrayAxes(axes.toStdString(), fields.subject() + ": " + fields.placeOf("axes"));
    }
    fields.read("sample", model.reading.sample);
    return model;
}

} // namespace

ViewState viewStateFromJson(const QByteArray& json, const QString& subject) {
    const std::string name = subject.toStdString();
    const Json value = parseJson({json.constData(), static_cast<std::size_t>(json.size())}, name);
    requireVersion(value, "headscope_view", kViewStateVersion, name);
    return viewStateFromJson(value, name, {});
}

ViewState viewStateFromJson(const Json& value, const std::string& subject, const std::string& place) {
    const JsonFields fields(value, subject, place);
    if (fields.has("headscope_view")) requireVersion(value, "headscope_view", kViewStateVersion, subject);
    ViewState s;
    s.model = modelChoiceFrom(fields);
    fields.read("text", s.text);
    fields.read("pair", s.pair);
    fields.read("show_pair", s.showPair);
    fields.read("target", s.target);
    fields.read("write_target", s.writeTarget);
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
    if (const Json* view = fields.find("view"))
        s.view = mapViewFrom(JsonFields(*view, subject, fields.placeOf("view.")));
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
    if (const Json* lines = fields.find("lines"))
        s.lines = linesFrom(JsonFields(*lines, subject, fields.placeOf("lines.")));
    fields.read("margins", s.margins);
    fields.read("own_scales", s.ownScales);
    if (const Json* viewport = fields.find("viewport")) {
        const JsonFields view(*viewport, subject, fields.placeOf("viewport."));
        view.read("left", s.viewport.left);
        view.read("top", s.viewport.top);
        view.read("width", s.viewport.width);
        view.read("height", s.viewport.height);
        view.refuseOthers();
        constexpr double kFar = 1e9; // more tokens than there can be
        if (std::max(std::abs(s.viewport.left), std::abs(s.viewport.top)) > kFar)
            fields.wrong("viewport", "a part of the map");
        if (std::min(s.viewport.width, s.viewport.height) <= 0.0 ||
            std::max(s.viewport.width, s.viewport.height) > kFar)
            fields.wrong("viewport", "a width and a height above 0");
    }
    fields.refuseOthers();
    return s;
}

} // namespace headscope::ui
