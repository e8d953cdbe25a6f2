// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/picture_facts.h"

#include "core/analysis/export_json.h"
#include "core/base/json.h"

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string>

namespace headscope::ui {

namespace {

constexpr std::size_t kLongestText = 65'536; ///< bytes of a text that are kept

constexpr std::array<const char*, 3> kPoolings = {"max", "mean", "max_abs"};

/// Not in the middle of a character.
std::string_view beginningOf(std::string_view text) {
    if (text.size() <= kLongestText) return text;
    std::size_t end = kLongestText;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return text.substr(0, end);
}

void writeText(JsonWriter& json, const char* name, const std::optional<std::string>& text) {
    json.key(name);
    if (text)
        json.value(beginningOf(*text));
    else
        json.null();
}

/// Members of the object that is open.
void writeInput(JsonWriter& json, const Analysis& analysis) {
    const TextInput& input = analysis.input;
    json.member("model", analysis.model->name);
    json.member("family", analysis.model->spec().family);
    writeText(json, "text", input.ids ? std::nullopt : std::optional(input.text));
    writeText(json, "pair", input.ids ? std::nullopt : input.pair);
    writeText(json, "target", input.targetIds ? std::nullopt : input.target);
    json.member("text_complete", input.ids || input.text.size() <= kLongestText);
    json.member("tokens", analysis.text.axis->size());
}

void writeLength(JsonWriter& json, const char* name, const std::optional<double>& length) {
    json.key(name);
    if (length)
        json.value(*length);
    else
        json.null();
}

void writeWords(JsonWriter& json, const char* name, const QString& words) {
    json.key(name);
    if (words.isNull())
        json.null();
    else
        json.value(std::string_view(words.toStdString()));
}

void writePicture(JsonWriter& json, const FigureOptions& options) {
    json.key("picture");
    json.beginObject();
    json.member("range", textOf(options.range));
    json.member("colormap", nameOf(options.colormap));
    json.member("pooling", kPoolings.at(static_cast<std::size_t>(options.pooling)));
    json.member("theme", options.theme.dark ? "dark" : "light");
    json.member("transparent", options.transparent);
    json.member("width_mm", options.widthMm);
    writeLength(json, "height_mm", options.heightMm);
    json.member("dpi", options.dpi);
    json.member("font_size_pt", options.fontSizePt);
    writeWords(json, "title", options.title);
    writeWords(json, "x_label", options.xLabel);
    writeWords(json, "y_label", options.yLabel);
    json.member("values", options.values);
    json.member("margins", options.margins);
    json.endObject();
}

void writePositions(JsonWriter& json, const char* name, const ViewedAxis& axis) {
    json.key(name);
    json.beginArray();
    json.value(axis.positions.front());
    json.value(axis.positions.back() + 1);
    json.endArray();
}

/// [begin, end) of the rows and columns that are shown.
void writeHeads(JsonWriter& json, std::span<const HeadRef> heads) {
    json.member("kind", nameOf(heads.front().kind));
    json.key("heads");
    json.beginArray();
    for (const HeadRef& head : heads) json.value(std::string_view(headText(head)));
    json.endArray();
}

void writePart(JsonWriter& json, const ExportPart& part) {
    writeInput(json, *part.analysis);
    writeHeads(json, part.heads);
    writeView(json, part.view);
    writePositions(json, "rows", part.axes.queries);
    writePositions(json, "columns", part.axes.keys);
}

void beginFacts(JsonWriter& json, const char* subject) {
    json.beginObject();
    json.member("headscope", versionText());
    json.member("subject", subject);
}

std::string finished(JsonWriter& json, const FigureOptions& options) {
    writePicture(json, options);
    json.endObject();
    return compactJson(json.finish());
}

} // namespace

std::string textFacts(const ExportPart& part, const FollowedToken& followed, const FigureOptions& options) {
    JsonWriter json;
    beginFacts(json, "text");
    writeInput(json, *part.analysis);
    writeHeads(json, part.heads);
    writeView(json, part.view);
    json.member(followed.isKey ? "key" : "query", followed.index);
    return finished(json, options);
}

std::string linesFacts(const ExportPart& part, const DrawnLines& lines, const LinePicks& picks,
                       const FigureOptions& options) {
    JsonWriter json;
    beginFacts(json, "lines");
    writePart(json, part);
    if (lines.followed) json.member(lines.followed->isKey ? "key" : "query", lines.followed->index);
    json.key("lines");
    json.beginObject();
    if (lines.rule.strongest > 0)
        json.member("strongest", lines.rule.strongest);
    else
        json.member("from", std::stod(fmt::format("{}", lines.rule.from))); // as it was written
    json.member("drawn", static_cast<std::int64_t>(picks.lines.size()));
    json.member("left_out", picks.leftOut());
    json.endObject();
    // What a picture of lines has no use for is as it is where nothing was chosen.
    const FigureOptions usual;
    FigureOptions own = options;
    own.colormap = usual.colormap;
    own.pooling = usual.pooling;
    own.values = usual.values;
    own.margins = usual.margins;
    own.heightMm = usual.heightMm;
    return finished(json, own);
}

std::string headsFacts(const ExportPart& part, const FigureOptions& options) {
    JsonWriter json;
    beginFacts(json, "heads");
    writePart(json, part);
    return finished(json, options);
}

std::string comparisonFacts(const HeadComparison& comparison, const FigureOptions& options) {
    JsonWriter json;
    beginFacts(json, "comparison");
    json.key("sides");
    json.beginArray();
    for (std::size_t i = 0; i < 2; ++i) {
        const ComparedSide& side = comparison.sides[i];
        json.beginObject();
        writeInput(json, *side.analysis);
        writeHeads(json, shownHeads(side.analysis->model->spec(), side.head, side.view));
        writeView(json, comparison.viewOf(i));
        json.endObject();
    }
    json.endArray();
    json.member("alignment", nameOf(comparison.alignment));
    return finished(json, options);
}

std::string gridFacts(const Analysis& analysis, AttentionKind kind, const FigureOptions& options) {
    JsonWriter json;
    beginFacts(json, "grid");
    writeInput(json, analysis);
    json.member("kind", nameOf(kind));
    return finished(json, options);
}

} // namespace headscope::ui
