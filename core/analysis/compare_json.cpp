// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/compare_json.h"

#include "core/analysis/export_json.h"

#include <string>

namespace headscope {

namespace {

void writeOptional(JsonWriter& json, std::string_view name, const std::optional<double>& value) {
    json.key(name);
    if (value)
        json.value(*value);
    else
        json.null();
}

void writeSide(JsonWriter& json, const HeadComparison& comparison, std::size_t index) {
    const ComparedSide& side = comparison.sides[index];
    const AlignedMap& map = comparison.maps[index];
    const OpenModel& model = *side.analysis->model;
    json.beginObject();
    json.member("model", model.name);
    json.member("family", model.spec().family);
    json.member("kind", nameOf(side.head.kind));
    json.member("layer", side.head.layer.value);
    json.member("head", side.head.head.value);
    writeView(json, comparison.viewOf(index));
    json.key("queries");
    writeAxis(json, *map.queries(), map.axes.queries.positions);
    json.key("keys");
    writeAxis(json, *map.keys(), map.axes.keys.positions);
    json.endObject();
}

void writeNumbers(JsonWriter& json, const HeadComparison& comparison) {
    const MapComparison& numbers = comparison.numbers;
    const bool measured = comparison.alignment != Alignment::None && numbers.rows > 0;
    const auto mean = [&](std::string_view name, double value) {
        writeOptional(json, name, measured ? std::optional(value) : std::nullopt);
    };
    json.beginObject();
    json.member("rows", numbers.rows);
    json.member("fewest_keys", numbers.fewestKeys);
    mean("divergence", numbers.divergence);
    writeOptional(json, "divergence_without_sinks", numbers.restDivergence);
    json.member("rows_without_sinks", numbers.restRows);
    json.member("rows_divided", comparison.divided);
    json.key("sinks");
    json.beginArray();
    for (const std::int64_t key : comparison.sinks) json.value(key);
    json.endArray();
    mean("total_variation", numbers.totalVariation);
    writeOptional(json, "correlation", numbers.correlation);
    mean("largest_difference", numbers.largest);
    json.key("farthest_rows");
    json.beginArray();
    for (const MapComparison::Row& row : numbers.farthest) {
        json.beginObject();
        json.member("row", row.row);
        json.member("total_variation", row.totalVariation);
        json.member("divergence", row.divergence);
        json.member("key", row.key);
        json.member("first", row.first);
        json.member("second", row.second);
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

std::string openingOf(const HeadComparison& comparison) {
    JsonWriter json;
    json.beginObject();
    json.member("headscope", versionText());
    json.member("alignment", nameOf(comparison.alignment));
    json.member("note", comparison.note);
    json.key("first");
    writeSide(json, comparison, 0);
    json.key("second");
    writeSide(json, comparison, 1);
    json.key("numbers");
    writeNumbers(json, comparison);
    json.endObject();
    return withoutClosing(json.finish());
}

} // namespace

void writeComparisonJson(const HeadComparison& comparison, const std::filesystem::path& target,
                         const ExportEvents& events) {
    AtomicFile file(target);
    file.write(openingOf(comparison));
    for (const std::size_t side : {0U, 1U}) {
        file.write(side == 0 ? ",\n  \"first_weights\": [" : "\n  ],\n  \"second_weights\": [");
        writeRows(file, *comparison.maps[side].map, 4, events.cancel);
        if (events.progress) events.progress({"head", static_cast<std::int64_t>(side) + 1, 2});
    }
    file.write("\n  ]\n}\n");
    file.commit();
}

} // namespace headscope
