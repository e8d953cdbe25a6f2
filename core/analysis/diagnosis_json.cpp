// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagnosis_json.h"

#include "core/analysis/export_json.h"
#include "core/base/json.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headscope {

namespace {

void writeNumber(JsonWriter& json, const std::optional<double>& value) {
    if (!value)
        json.null();
    else if (std::floor(*value) == *value && std::abs(*value) < 1e15)
        json.value(static_cast<std::int64_t>(*value)); // counts and keys
    else
        json.value(*value);
}

void writeHead(JsonWriter& json, const char* name, const HeadRef& head) {
    json.key(name);
    json.beginObject();
    json.member("kind", nameOf(head.kind));
    json.member("layer", static_cast<std::int64_t>(head.layer.value));
    json.member("head", static_cast<std::int64_t>(head.head.value));
    json.endObject();
}

void writeMeasures(JsonWriter& json, const std::vector<Measure>& measures) {
    json.key("measures");
    json.beginArray();
    for (const Measure& measure : measures) {
        json.beginObject();
        json.member("name", measure.name);
        json.member("value", measure.value);
        json.member("threshold", measure.threshold);
        json.member("needed", measure.atMost ? "at most" : "at least");
        json.member("source", measure.source);
        json.endObject();
    }
    json.endArray();
}

void writeLabel(JsonWriter& json, const Diagnosis& diagnosis, const HeadRef& head, const HeadLabel& label) {
    json.beginObject();
    json.member("name", nameOf(label.label));
    json.member("score", label.score);
    json.key("kappa");
    if (label.kappa)
        json.value(*label.kappa);
    else
        json.null();
    json.member("threshold", label.measures.front().threshold);
    json.member("source", label.measures.front().source);
    json.member("confidence", nameOf(label.confidence));
    json.member("texts_fired", label.texts.fired);
    json.member("texts_tested", label.texts.tested);
    json.member("lower_bound", label.texts.lowerBound());
    json.key("about");
    if (label.detail.empty())
        json.null();
    else
        json.value(label.detail);
    json.key("column");
    if (label.column)
        json.value(*label.column);
    else
        json.null();
    json.key("token");
    const std::string token = tokenOf(diagnosis, head, label);
    if (token.empty())
        json.null();
    else
        json.value(token);
    json.key("worst_text");
    if (label.worst)
        json.value(diagnosis.texts[*label.worst].name);
    else
        json.null();
    writeMeasures(json, label.measures);
    json.endObject();
}

void writeMetrics(JsonWriter& json, const std::vector<MetricNumber>& metrics) {
    json.key("metrics");
    json.beginObject();
    std::string_view group;
    for (const MetricNumber& one : metrics) {
        if (one.group != group) {
            if (!group.empty()) json.endObject();
            group = one.group;
            if (!group.empty()) {
                json.key(group);
                json.beginObject();
            }
        }
        json.key(one.name);
        writeNumber(json, one.value);
    }
    if (!group.empty()) json.endObject();
    json.endObject();
}

void writeTexts(JsonWriter& json, const Diagnosis& diagnosis) {
    json.key("texts");
    json.beginArray();
    for (const DiagnosedText& text : diagnosis.texts) {
        json.beginObject();
        json.member("name", text.name);
        json.member("tokens", text.tokens);
        json.key("notes");
        json.beginArray();
        for (const std::string& note : text.notes) json.value(note);
        json.endArray();
        json.endObject();
    }
    json.endArray();
}

} // namespace

std::vector<UntestedHeads> untestedHeads(const Diagnosis& diagnosis) {
    std::vector<UntestedHeads> groups;
    for (const DiagnosedHead& head : diagnosis.heads)
        for (const NotTested& one : head.diagnosis.notTested) {
            const auto same = std::find_if(groups.begin(), groups.end(), [&](const UntestedHeads& group) {
                return group.label == one.label && group.reason == one.reason &&
                       group.heads.front().kind == head.ref.kind;
            });
            if (same != groups.end())
                same->heads.push_back(head.ref);
            else
                groups.push_back({one.label, one.reason, {head.ref}});
        }
    return groups;
}

std::string tokenOf(const Diagnosis& diagnosis, const HeadRef& head, const HeadLabel& label) {
    const HeadLabel::OnText* best = nullptr;
    for (const HeadLabel::OnText& one : label.onTexts)
        if (one.column &&
            (best == nullptr || std::pair(one.fires, one.score) > std::pair(best->fires, best->score)))
            best = &one;
    if (best == nullptr) return {};
    const Axis* axis = diagnosis.texts[best->text].keyAxis(head.kind);
    if (axis == nullptr || *best->column >= axis->size()) return {};
    return axis->entries[static_cast<std::size_t>(*best->column)].label;
}

std::string diagnosisJson(const Diagnosis& diagnosis) {
    JsonWriter json;
    json.beginObject();
    json.member("headscope", versionText());
    json.member("model", diagnosis.model);
    writeTexts(json, diagnosis);
    json.key("heads");
    json.beginArray();
    for (const DiagnosedHead& head : diagnosis.heads) {
        json.beginObject();
        json.member("kind", nameOf(head.ref.kind));
        json.member("layer", static_cast<std::int64_t>(head.ref.layer.value));
        json.member("head", static_cast<std::int64_t>(head.ref.head.value));
        json.member("primary", nameOf(head.diagnosis.primary));
        json.key("labels");
        json.beginArray();
        for (const HeadLabel& label : head.diagnosis.labels) writeLabel(json, diagnosis, head.ref, label);
        json.endArray();
        writeMetrics(json, head.metrics);
        json.key("causes");
        json.beginArray();
        for (const Cause& cause : head.causes) {
            json.beginObject();
            json.member("name", cause.name);
            json.member("sentence", cause.sentence);
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.key("pairs");
    json.beginArray();
    for (const DiagnosedPair& pair : diagnosis.pairs) {
        json.beginObject();
        writeHead(json, "first", pair.first);
        writeHead(json, "second", pair.second);
        json.member("sink_excluded_jsd", pair.divergence);
        json.member("texts_fired", pair.texts.fired);
        json.member("texts_tested", pair.texts.tested);
        json.endObject();
    }
    json.endArray();
    json.key("layers");
    json.beginArray();
    for (const DiagnosedLayer& layer : diagnosis.layers) {
        json.beginObject();
        json.member("kind", nameOf(layer.kind));
        json.member("layer", static_cast<std::int64_t>(layer.layer.value));
        json.key("state_cosine");
        if (layer.stateCosine)
            json.value(*layer.stateCosine);
        else
            json.null();
        json.endObject();
    }
    json.endArray();
    json.key("not_tested");
    json.beginArray();
    for (const UntestedHeads& one : untestedHeads(diagnosis)) {
        json.beginObject();
        json.member("label", nameOf(one.label));
        json.member("kind", nameOf(one.heads.front().kind));
        json.member("reason", one.reason);
        json.key("heads");
        json.beginArray();
        for (const HeadRef& head : one.heads) json.value(headText(head));
        json.endArray();
        json.endObject();
    }
    json.endArray();
    json.endObject();
    return json.finish();
}

} // namespace headscope
