// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/export_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>

namespace headscope {

const char* versionText() {
    return HEADSCOPE_VERSION;
}

std::string compactJson(std::string_view indented) {
    std::string line;
    for (std::size_t i = 0; i < indented.size(); ++i) {
        if (indented[i] != '\n') {
            line += indented[i];
            continue;
        }
        // Strings hold no raw newline, so every one of them is layout, and so is the indentation behind it.
        while (i + 1 < indented.size() && indented[i + 1] == ' ') ++i;
        if (line.ends_with(',')) line += ' ';
    }
    return line;
}

std::string withoutClosing(std::string document) {
    document.resize(document.rfind('}'));
    while (document.back() == '\n') document.pop_back();
    return document;
}

void writeRows(AtomicFile& file, const HeadMap& map, int indent, const CancelToken& cancel) {
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    forEachStrip(map, cancel, [&](Span rows, MatrixView<const float> weights) {
        std::string line;
        for (std::int64_t i = 0; i < weights.rows; ++i) {
            line = fmt::format("{}\n{}[", rows.begin + i == 0 ? "" : ",", margin);
            for (std::int64_t j = 0; j < weights.columns; ++j)
                fmt::format_to(std::back_inserter(line), "{}{}", j == 0 ? "" : ", ", weights.at(i, j));
            line.push_back(']');
            file.write(line);
        }
    });
}

void writeAxis(JsonWriter& json, const Axis& axis, const std::vector<std::int64_t>& indices) {
    json.beginArray();
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const AxisEntry& entry = axis.entries[i];
        json.beginObject();
        json.member("index", indices[i]);
        json.member("id", entry.id);
        json.member("piece", entry.piece);
        json.member("start", entry.start);
        json.member("end", entry.end);
        json.member("special", entry.special);
        json.endObject();
    }
    json.endArray();
}

namespace {

void writeView(JsonWriter& json, const ExportPart& part) {
    json.key("view");
    json.beginObject();
    json.member("combine", nameOf(part.view.heads));
    json.key("heads");
    json.beginArray();
    for (const HeadRef& head : part.heads) json.value(headText(head));
    json.endArray();
    json.member("value_weighted", part.view.valueWeighted);
    json.member("words", part.view.words);
    json.member("hide_special", part.view.hideSpecial);
    json.member("hide_first", part.view.hideFirst);
    json.endObject();
}

void writeText(JsonWriter& json, std::string_view name, const std::optional<std::string>& text) {
    json.key(name);
    if (text)
        json.value(*text);
    else
        json.null();
}

/// Null where ids were given.
void writeInput(JsonWriter& json, const TextInput& input) {
    writeText(json, "text", input.ids ? std::nullopt : std::optional(input.text));
    writeText(json, "pair", input.ids ? std::nullopt : input.pair);
    writeText(json, "target", input.targetIds ? std::nullopt : input.target);
}

/// Everything before the heads, without the closing brace: the heads are streamed behind it.
std::string openingOf(const ExportPart& part) {
    const OpenModel& model = *part.analysis->model;
    JsonWriter json;
    json.beginObject();
    json.member("headscope", versionText());
    json.member("model", model.name);
    json.member("family", model.spec().family);
    json.member("kind", nameOf(part.heads.front().kind));
    writeInput(json, part.analysis->input);
    writeView(json, part);
    json.key("queries");
    writeAxis(json, *part.axes.queries.axis, part.axes.queries.positions);
    json.key("keys");
    writeAxis(json, *part.axes.keys.axis, part.axes.keys.positions);
    json.endObject();
    return withoutClosing(json.finish()) + ",\n  \"heads\": [";
}

std::int64_t hiddenCells(const HeadMap& map) {
    std::vector<Span> spans;
    std::int64_t seen = 0;
    for (std::int64_t i = 0; i < map.extent().rows; ++i) {
        map.visibleSpans(i, spans);
        for (const Span& span : spans) seen += span.size();
    }
    return map.extent().rows * map.extent().columns - seen;
}

std::string openingOfHead(const ExportPart& part, std::size_t index, const HeadMap& map) {
    JsonWriter json;
    json.beginObject();
    const std::span<const HeadRef> heads = part.headsOf(index);
    const bool combined = part.view.heads != HeadsShown::One;
    const bool oneLayer = std::ranges::all_of(
        heads, [&heads](const HeadRef& head) { return head.layer == heads.front().layer; });
    json.key("layer");
    if (oneLayer)
        json.value(heads.front().layer.value);
    else
        json.null();
    json.key("head");
    if (combined)
        json.null();
    else
        json.value(heads.front().head.value);
    json.member("hidden_cells", hiddenCells(map));
    if (combined) {
        json.key("labels");
        json.beginArray();
        json.endArray();
        json.key("metrics");
        json.null();
    } else {
        writeHeadNumbers(json, part.result(index));
    }
    json.endObject();
    return withoutClosing(json.finish()) + ",\n  \"weights\": [";
}

/// Null where no row of the text tests it.
void writeMass(JsonWriter& json, std::string_view name, const SetMass& mass) {
    json.key(name);
    if (mass.rows > 0)
        json.value(mass.mass);
    else
        json.null();
}

void writeOffsets(JsonWriter& json, const OffsetMetrics& offsets, bool hasRows) {
    writeMass(json, "previous_mass", offsets.previous);
    writeMass(json, "next_mass", offsets.next);
    writeMass(json, "self_mass", offsets.self);
    writeMass(json, "local8_mass", offsets.local);
    json.key("mean_distance");
    if (hasRows)
        json.value(offsets.meanDistance);
    else
        json.null();
    json.key("offset_mode");
    if (offsets.mode)
        json.value(offsets.mode->offset);
    else
        json.null();
    json.key("offset_mode_share");
    if (offsets.mode)
        json.value(offsets.mode->share);
    else
        json.null();
}

/// What depends on the places and kinds of tokens; all null in cross-attention but the classes.
void writePatterns(JsonWriter& json, const HeadMetrics& metrics) {
    writeOffsets(json, metrics.offsets.value_or(OffsetMetrics()), metrics.offsets && metrics.rows > 0);
    const TokenMetrics tokens = metrics.tokens.value_or(TokenMetrics());
    json.key("class_mass");
    json.beginObject();
    for (const TokenClass tokenClass : {TokenClass::Start, TokenClass::Separator, TokenClass::Punctuation,
                                        TokenClass::Newline, TokenClass::Content})
        writeMass(json, nameOf(tokenClass), tokens.of(tokenClass));
    json.endObject();
    writeMass(json, "duplicate_score", tokens.duplicate);
    writeMass(json, "induction_score", tokens.induction);
    writeMass(json, "segment_mass", tokens.segment);
}

} // namespace

void writeView(JsonWriter& json, const MapView& view) {
    json.key("view");
    json.beginObject();
    json.member("combine", nameOf(view.heads));
    json.member("value_weighted", view.valueWeighted);
    json.member("words", view.words);
    json.member("hide_special", view.hideSpecial);
    json.member("hide_first", view.hideFirst);
    json.endObject();
}

void writeHeadNumbers(JsonWriter& json, const HeadResult& head) {
    const HeadMetrics& metrics = head.metrics;
    json.key("labels");
    json.beginArray();
    for (const Label label : head.verdict.labels()) json.value(nameOf(label));
    json.endArray();
    json.key("metrics");
    json.beginObject();
    json.member("rows", metrics.rows);
    json.member("keys", metrics.keys);
    const auto mean = [&](const char* name, double value) {
        json.key(name);
        // Without a row that counts there is no mean.
        if (metrics.rows > 0)
            json.value(value);
        else
            json.null();
    };
    mean("entropy", metrics.entropy);
    mean("normalized_entropy", metrics.normalizedEntropy);
    mean("kl_to_uniform", metrics.klToUniform);
    mean("tv_to_uniform", metrics.tvToUniform);
    mean("confidence", metrics.confidence);
    mean("learned_sink", metrics.sinkWeight);
    mean("score_max", metrics.scoreMaximum.value_or(0.0));
    mean("score_std", metrics.scoreDeviation.value_or(0.0));
    mean("saturated_rows", metrics.saturatedRows);
    writePatterns(json, metrics);
    json.key("top_column");
    if (metrics.column) {
        json.beginObject();
        json.member("key", metrics.column->column);
        json.member("rows", metrics.column->rows);
        json.member("mass", metrics.column->mass);
        json.member("chance", metrics.column->chance);
        json.member("kappa", metrics.column->kappa);
        json.member("modal_share", metrics.column->modalShare);
        json.endObject();
    } else {
        json.null();
    }
    json.endObject();
}

void writeJson(const ExportPart& part, const std::filesystem::path& target, const ExportEvents& events) {
    AtomicFile file(target);
    file.write(openingOf(part));
    for (std::size_t h = 0; h < part.size(); ++h) {
        const std::shared_ptr<const HeadMap> map = part.map(h, events.cancel);
        file.write(h == 0 ? "\n" : ",\n");
        file.write(openingOfHead(part, h, *map));
        writeRows(file, *map, 4, events.cancel);
        file.write("\n  ]\n}");
        if (events.progress)
            events.progress(
                {"head", static_cast<std::int64_t>(h) + 1, static_cast<std::int64_t>(part.size())});
    }
    file.write("\n  ]\n}\n");
    file.commit();
}

} // namespace headscope
