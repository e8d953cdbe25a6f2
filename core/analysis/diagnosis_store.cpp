// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagnosis_store.h"

#include "core/analysis/export_json.h"
#include "core/analysis/probe_battery.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <stdexcept>
#include <utility>

namespace headscope {

namespace {

/// Counts up when the members below change.
constexpr std::int64_t kFormat = 1;

// ---- names of enumerations, which are stored as their names

template <typename Value, std::size_t kCount>
std::optional<Value> valueOf(std::string_view name) {
    for (std::size_t i = 0; i < kCount; ++i)
        if (nameOf(static_cast<Value>(i)) == name) return static_cast<Value>(i);
    return std::nullopt;
}

constexpr std::size_t kLabels = static_cast<std::size_t>(Label::Mixed) + 1;
constexpr std::size_t kConfidences = static_cast<std::size_t>(Confidence::Confirmed) + 1;

/// Thrown for whatever is not as it was written; ends in "nothing kept".
struct Damaged : std::runtime_error {
    Damaged() : std::runtime_error("damaged") {}
};

// ---- writing

class Writer {
  public:
    explicit Writer(JsonWriter& json) : m_json(json) {}

    void optional(const char* name, const std::optional<double>& value) {
        m_json.key(name);
        if (value)
            m_json.value(*value);
        else
            m_json.null();
    }
    void optional(const char* name, const std::optional<std::int64_t>& value) {
        m_json.key(name);
        if (value)
            m_json.value(*value);
        else
            m_json.null();
    }
    template <typename List, typename Write>
    void list(const char* name, const List& items, const Write& write) {
        m_json.key(name);
        m_json.beginArray();
        for (const auto& item : items) write(item);
        m_json.endArray();
    }
    template <typename List, typename Write>
    void objects(const char* name, const List& items, const Write& write) {
        list(name, items, [&](const auto& item) {
            m_json.beginObject();
            write(item);
            m_json.endObject();
        });
    }

    void head(const HeadRef& ref) {
        m_json.member("kind", nameOf(ref.kind));
        m_json.member("layer", static_cast<std::int64_t>(ref.layer.value));
        m_json.member("head", static_cast<std::int64_t>(ref.head.value));
    }
    void count(const TextCount& texts) {
        m_json.member("fired", texts.fired);
        m_json.member("tested", texts.tested);
    }
    void label(const HeadLabel& label) {
        m_json.member("label", nameOf(label.label));
        m_json.member("score", label.score);
        optional("kappa", label.kappa);
        count(label.texts);
        m_json.member("confidence", nameOf(label.confidence));
        m_json.member("detail", label.detail);
        optional("column", label.column);
        optional("worst",
                 label.worst ? std::optional(static_cast<std::int64_t>(*label.worst)) : std::nullopt);
        objects("measures", label.measures, [&](const Measure& measure) {
            m_json.member("name", measure.name);
            m_json.member("value", measure.value);
            m_json.member("threshold", measure.threshold);
            m_json.member("at_most", measure.atMost);
            m_json.member("unit", measure.unit);
            m_json.member("source", measure.source);
        });
        objects("on_texts", label.onTexts, [&](const HeadLabel::OnText& one) {
            m_json.member("text", static_cast<std::int64_t>(one.text));
            m_json.member("fires", one.fires);
            m_json.member("score", one.score);
            optional("column", one.column);
        });
    }
    void diagnosedHead(const DiagnosedHead& head) {
        this->head(head.ref);
        m_json.member("primary", nameOf(head.diagnosis.primary));
        objects("labels", head.diagnosis.labels, [&](const HeadLabel& one) { label(one); });
        objects("unlisted", head.diagnosis.unlisted, [&](const HeadLabel& one) { label(one); });
        objects("not_tested", head.diagnosis.notTested, [&](const NotTested& one) {
            m_json.member("label", nameOf(one.label));
            m_json.member("reason", one.reason);
        });
        objects("metrics", head.metrics, [&](const MetricNumber& one) { optional("value", one.value); });
        objects("causes", head.causes, [&](const Cause& cause) {
            m_json.member("name", cause.name);
            m_json.member("sentence", cause.sentence);
        });
    }
    void axis(const char* name, const Axis* axis) {
        if (axis == nullptr) {
            m_json.key(name);
            m_json.null();
            return;
        }
        list(name, axis->entries, [&](const AxisEntry& entry) { m_json.value(entry.label); });
    }

  private:
    JsonWriter& m_json;
};

// ---- reading; everything may be missing or of another type

const Json& member(const Json& object, const char* name) {
    const Json* found = object.find(name);
    if (found == nullptr) throw Damaged();
    return *found;
}

const std::string& textOf(const Json& object, const char* name) {
    const Json& found = member(object, name);
    if (!found.isString()) throw Damaged();
    return found.asString();
}

double realOf(const Json& object, const char* name) {
    const Json& found = member(object, name);
    if (!found.isNumber()) throw Damaged();
    return found.asReal();
}

std::int64_t integerOf(const Json& object, const char* name, std::int64_t limit) {
    const Json& found = member(object, name);
    if (!found.isInteger() || found.asInteger() < 0 || found.asInteger() > limit) throw Damaged();
    return found.asInteger();
}

bool truthOf(const Json& object, const char* name) {
    const Json& found = member(object, name);
    if (!found.isBool()) throw Damaged();
    return found.asBool();
}

const std::vector<Json>& listOf(const Json& object, const char* name) {
    const Json& found = member(object, name);
    if (!found.isArray()) throw Damaged();
    return found.items();
}

std::optional<double> optionalReal(const Json& object, const char* name) {
    return member(object, name).isNull() ? std::nullopt : std::optional(realOf(object, name));
}

constexpr std::int64_t kMost = std::int64_t{1} << 40U;

std::optional<std::int64_t> optionalInteger(const Json& object, const char* name,
                                            std::int64_t limit = kMost) {
    return member(object, name).isNull() ? std::nullopt : std::optional(integerOf(object, name, limit));
}

template <typename Value, std::size_t kCount>
Value enumOf(const Json& object, const char* name) {
    const auto value = valueOf<Value, kCount>(textOf(object, name));
    if (!value) throw Damaged();
    return *value;
}

HeadRef readHead(const Json& object) {
    const auto kind = attentionKindOf(textOf(object, "kind"));
    if (!kind) throw Damaged();
    return {*kind, LayerIndex(integerOf(object, "layer", 1'000'000)),
            HeadIndex(integerOf(object, "head", 1'000'000))};
}

TextCount readCount(const Json& object) {
    return {.fired = static_cast<int>(integerOf(object, "fired", 1'000'000)),
            .tested = static_cast<int>(integerOf(object, "tested", 1'000'000))};
}

HeadLabel readLabel(const Json& object, std::size_t texts) {
    const auto last = static_cast<std::int64_t>(texts) - 1;
    HeadLabel label;
    label.label = enumOf<Label, kLabels>(object, "label");
    label.score = realOf(object, "score");
    label.kappa = optionalReal(object, "kappa");
    label.texts = readCount(object);
    label.confidence = enumOf<Confidence, kConfidences>(object, "confidence");
    label.detail = textOf(object, "detail");
    label.column = optionalInteger(object, "column");
    if (const auto worst = optionalInteger(object, "worst", last))
        label.worst = static_cast<std::size_t>(*worst);
    for (const Json& one : listOf(object, "measures"))
        label.measures.push_back({.name = textOf(one, "name"),
                                  .value = realOf(one, "value"),
                                  .threshold = realOf(one, "threshold"),
                                  .atMost = truthOf(one, "at_most"),
                                  .unit = textOf(one, "unit"),
                                  .source = textOf(one, "source")});
    if (label.measures.empty()) throw Damaged();
    for (const Json& one : listOf(object, "on_texts"))
        label.onTexts.push_back({.text = static_cast<std::size_t>(integerOf(one, "text", last)),
                                 .fires = truthOf(one, "fires"),
                                 .score = realOf(one, "score"),
                                 .column = optionalInteger(one, "column")});
    return label;
}

DiagnosedHead readDiagnosedHead(const Json& object, std::size_t texts) {
    DiagnosedHead head;
    head.ref = readHead(object);
    head.diagnosis.primary = enumOf<Label, kLabels>(object, "primary");
    for (const Json& one : listOf(object, "labels")) head.diagnosis.labels.push_back(readLabel(one, texts));
    for (const Json& one : listOf(object, "unlisted"))
        head.diagnosis.unlisted.push_back(readLabel(one, texts));
    for (const Json& one : listOf(object, "not_tested"))
        head.diagnosis.notTested.push_back({enumOf<Label, kLabels>(one, "label"), textOf(one, "reason")});
    head.metrics = metricNumbers(HeadMetrics()); // for the names
    const std::vector<Json>& numbers = listOf(object, "metrics");
    if (numbers.size() != head.metrics.size()) throw Damaged();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        head.metrics[i].value = optionalReal(numbers[i], "value");
    for (const Json& one : listOf(object, "causes"))
        head.causes.push_back({textOf(one, "name"), textOf(one, "sentence")});
    return head;
}

std::shared_ptr<const Axis> readAxis(const Json& object, const char* name) {
    if (member(object, name).isNull()) return nullptr;
    auto axis = std::make_shared<Axis>();
    for (const Json& label : listOf(object, name)) {
        if (!label.isString()) throw Damaged();
        axis->entries.push_back({.label = label.asString(), .piece = {}});
    }
    return axis;
}

Diagnosis readDiagnosis(const Json& document) {
    Diagnosis diagnosis;
    diagnosis.model = textOf(document, "model");
    diagnosis.seconds = realOf(document, "seconds");
    for (const Json& one : listOf(document, "texts")) {
        DiagnosedText text{.name = textOf(one, "name"),
                           .tokens = integerOf(one, "tokens", kMost),
                           .sourceAxis = readAxis(one, "source"),
                           .targetAxis = readAxis(one, "target"),
                           .notes = {}};
        for (const Json& note : listOf(one, "notes")) {
            if (!note.isString()) throw Damaged();
            text.notes.push_back(note.asString());
        }
        diagnosis.texts.push_back(std::move(text));
    }
    for (const Json& one : listOf(document, "heads"))
        diagnosis.heads.push_back(readDiagnosedHead(one, diagnosis.texts.size()));
    for (const Json& one : listOf(document, "pairs"))
        diagnosis.pairs.push_back({.first = readHead(member(one, "first")),
                                   .second = readHead(member(one, "second")),
                                   .divergence = realOf(one, "divergence"),
                                   .texts = readCount(one)});
    for (const Json& one : listOf(document, "layers")) {
        const HeadRef place = readHead(one);
        diagnosis.layers.push_back({place.kind, place.layer, optionalReal(one, "state_cosine")});
    }
    return diagnosis;
}

} // namespace

std::string diagnosisKey(const OpenModel& model) {
    std::string key = fmt::format("{} {} {}", kFormat, versionText(), probeBatteryVersion());
    key += fmt::format("\n{}", model.checkpoint.folder.string());
    for (const CheckpointFile& file : model.checkpoint.files)
        key += fmt::format("\n{} {}", file.name, fileIdentity(file.path));
    return key;
}

std::string storedDiagnosis(const Diagnosis& diagnosis, std::string_view key) {
    JsonWriter json;
    Writer write(json);
    json.beginObject();
    json.member("key", key);
    json.member("model", diagnosis.model);
    json.member("seconds", diagnosis.seconds);
    write.objects("texts", diagnosis.texts, [&](const DiagnosedText& text) {
        json.member("name", text.name);
        json.member("tokens", text.tokens);
        write.axis("source", text.sourceAxis.get());
        write.axis("target", text.targetAxis.get());
        write.list("notes", text.notes, [&](const std::string& note) { json.value(note); });
    });
    write.objects("heads", diagnosis.heads, [&](const DiagnosedHead& head) { write.diagnosedHead(head); });
    write.objects("pairs", diagnosis.pairs, [&](const DiagnosedPair& pair) {
        for (const auto& [name, head] : {std::pair("first", pair.first), std::pair("second", pair.second)}) {
            json.key(name);
            json.beginObject();
            write.head(head);
            json.endObject();
        }
        json.member("divergence", pair.divergence);
        write.count(pair.texts);
    });
    write.objects("layers", diagnosis.layers, [&](const DiagnosedLayer& layer) {
        write.head({layer.kind, layer.layer, HeadIndex(0)});
        write.optional("state_cosine", layer.stateCosine);
    });
    json.endObject();
    return compactJson(json.finish());
}

std::shared_ptr<const Diagnosis> restoredDiagnosis(std::string_view text, std::string_view key) {
    try {
        const Json document = parseJson(text, "stored diagnosis");
        if (textOf(document, "key") != key) return nullptr;
        return std::make_shared<const Diagnosis>(readDiagnosis(document));
    } catch (const Error&) {
        return nullptr;
    } catch (const Damaged&) {
        return nullptr;
    }
}

} // namespace headscope
