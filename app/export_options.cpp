// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_values.h"
#include "app/picture_options.h"
#include "app/shared_options.h"
#include "app/view_options.h"
#include "core/base/error.h"

#include <fmt/format.h>
#include <limits>
#include <string>
#include <vector>

namespace headscope::app {

namespace {

void checkExportOptions(const Words& words, const ExportCommand& command) {
    const bool grid = std::holds_alternative<ExportCommand::Grid>(command.what);
    const std::string extension = extensionOf(command.out);
    const bool picture =
        command.out.empty() || extension == "png" || extension == "svg" || extension == "pdf";
    if (!picture) {
        refusePictureOptions(words, command.out);
    } else if (grid) {
        if (const auto name = words.firstOf({"--rows", "--columns", "--combine", "--words",
                                             "--value-weighted", "--hide-special", "--hide-first", "--values",
                                             "--margins", "--x-label", "--y-label", "--height-mm"}))
            failUsage(*name, "given for a picture of the grid",
                      "the grid shows whole maps without labels of tokens");
    }
}

std::filesystem::path folderOf(const Words& words) {
    if (words.has("--out"))
        failUsage("--out", "given together with --all", "expected --out-dir with a folder");
    const std::string folder = words.required("--out-dir", "expected a folder");
    if (folder.starts_with("--")) // a forgotten name; a folder of the next option's name would be made
        failUsage("--out-dir", fmt::format("found \"{}\"", escapeForMessage(folder, 60)), "expected a folder",
                  fmt::format("write \"./{}\" if that is its name", escapeForMessage(folder, 60)));
    for (const char* name : {"--combine", "--caption"})
        if (words.has(name)) failUsage(name, "given together with --all", "expected --head or --layer");
    return folder;
}

/// The file or the folder, and what of the model goes there.
void readSubject(const Words& words, const std::optional<SavedView>& saved, ExportCommand& command) {
    const std::vector<std::string> subjects = {"--head", "--layer", "--grid", "--all"};
    if (!saved || words.firstOf(subjects)) requireOne(words, subjects, "what to export");
    if (words.has("--all")) {
        command.what = ExportCommand::All{folderOf(words)};
        return;
    }
    if (words.has("--out-dir"))
        failUsage("--out-dir", "given without --all", "expected --out with a file name");
    command.out = outputOf(words, {"png", "svg", "pdf", "csv", "npy", "json"});
    if (const auto heads = words.value("--head"))
        command.what = ExportCommand::Heads{parseHeads("--head", *heads)};
    else if (const auto layer = words.value("--layer"))
        command.what = ExportCommand::Layer{LayerIndex(parseWhole("--layer", *layer, 0, 999'999))};
    else if (words.has("--grid"))
        command.what = ExportCommand::Grid{};
    else if (command.view.heads == HeadsShown::One)
        command.what =
            ExportCommand::Heads{{{saved->content.shown.head.layer, saved->content.shown.head.head}}};
    else
        command.what = ExportCommand::Layer{saved->content.shown.head.layer};
}

constexpr auto kMostTokens = std::numeric_limits<std::int64_t>::max();

/// The token that is followed: given, or chosen in the session.
std::optional<ui::FollowedToken> followedOf(const Words& words, const std::optional<SavedView>& saved) {
    if (words.has("--query") && words.has("--key"))
        failUsage("--key", "given together with --query", "only one of them can be");
    if (const auto given = words.value("--query"))
        return ui::FollowedToken{false, parseWhole("--query", *given, 0, kMostTokens)};
    if (const auto given = words.value("--key"))
        return ui::FollowedToken{true, parseWhole("--key", *given, 0, kMostTokens)};
    if (!saved) return std::nullopt;
    const auto& token = saved->content.readBy ? saved->content.key : saved->content.query;
    if (!token) return std::nullopt;
    return ui::FollowedToken{saved->content.readBy, *token};
}

/// "map", "text" or "lines": given, or as the session shows its head where that is what is exported.
std::string formOf(const Words& words, const std::optional<SavedView>& saved, bool oneMap, bool picture) {
    if (const auto given = oneOf(words, "--as", {"map", "text", "lines"})) return *given;
    if (!saved || !oneMap || !picture || words.firstOf({"--head", "--layer"})) return "map";
    switch (saved->content.form) {
    case ui::ShownForm::Text:
        return "text";
    case ui::ShownForm::Lines:
        return "lines";
    case ui::ShownForm::Map:
        break;
    }
    return "map";
}

void readText(const Words& words, const std::optional<SavedView>& saved, ExportCommand& command) {
    if (const auto name = words.firstOf(
            {"--rows", "--columns", "--values", "--margins", "--x-label", "--y-label", "--height-mm"}))
        failUsage(*name, "given for a text", "only maps have it");
    command.text = followedOf(words, saved);
    if (!command.text)
        failUsage("--as text", "no token is given", "expected --query or --key with one, counted from 0");
}

/// The heads that the session draws, each in the colour it has there; named ones are asked for otherwise.
void readSavedHeads(const Words& words, const SavedView& saved, ExportCommand& command) {
    const auto& heads = saved.content.lines.heads;
    if (!heads || command.view.heads != HeadsShown::One || words.firstOf({"--head", "--layer"})) return;
    ExportCommand::Heads drawn;
    for (std::size_t color = 0; color < heads->size(); ++color) {
        if ((*heads)[color] == ui::LinesShown::kNoHead) continue;
        drawn.list.emplace_back(saved.content.shown.head.layer, HeadIndex((*heads)[color]));
        command.lines->colors.push_back(color);
    }
    if (drawn.list.empty())
        fail(escapeForMessage(saved.file.filename().string()), "no head is drawn as lines in it", {},
             "name heads with --head");
    command.what = drawn;
}

void readLines(const Words& words, const std::optional<SavedView>& saved, ExportCommand& command) {
    if (const auto name = words.firstOf({"--values", "--margins", "--height-mm", "--colormap", "--pooling"}))
        failUsage(*name, "given for lines", "only maps have it");
    if (words.has("--strongest") && words.has("--from"))
        failUsage("--from", "given together with --strongest", "only one of them can be");
    ui::DrawnLines lines;
    if (saved) lines.rule = saved->content.lines.rule;
    lines.followed = followedOf(words, saved);
    if (const auto given = words.value("--strongest"))
        lines.rule = {parseWhole("--strongest", *given, 1, ui::LinePicks::kMost), 0.0F};
    if (const auto given = words.value("--from"))
        lines.rule = {0, static_cast<float>(parseReal("--from", *given, {0, ui::LineRule::kLargestFrom}))};
    command.lines = lines;
    if (saved) readSavedHeads(words, *saved, command);
}

void readForm(const Words& words, const std::optional<SavedView>& saved, ExportCommand& command) {
    const bool heads = std::holds_alternative<ExportCommand::Heads>(command.what);
    const bool oneMap = heads || command.view.heads != HeadsShown::One;
    const std::string extension = extensionOf(command.out);
    const bool picture = extension == "png" || extension == "svg" || extension == "pdf";
    const std::string form = formOf(words, saved, oneMap, picture);
    if (form != "lines")
        if (const auto name = words.firstOf({"--strongest", "--from"}))
            failUsage(*name, "given without lines", "expected --as lines beside it");
    if (form == "map") {
        if (const auto name = words.firstOf({"--query", "--key"}))
            failUsage(*name, "given for a map", "expected --as text or --as lines beside it");
        return;
    }
    if (!picture)
        failUsage("--as", fmt::format("given for a .{} file", extension),
                  "only pictures (.png, .svg, .pdf) have it");
    if (form == "text") {
        if (!oneMap) failUsage("--as text", "given without one head", "expected --head, or --combine");
        readText(words, saved, command);
        return;
    }
    if (!oneMap && !std::holds_alternative<ExportCommand::Layer>(command.what))
        failUsage("--as lines", "given without heads", "expected --head or --layer");
    readLines(words, saved, command);
}

/// How the session shows its head. Heads that are named here are each shown by themselves.
MapView mapViewOf(const Words& words, const std::optional<SavedView>& saved) {
    MapView view = saved ? saved->content.shown.view : MapView();
    if (words.firstOf({"--head", "--layer", "--grid", "--all"})) view.heads = HeadsShown::One;
    return mapViewOf(words, view);
}

} // namespace

Command parseExport(const std::vector<std::string>& arguments) {
    Words words("export",
                "Writes heads as a picture (.png, .svg, .pdf) or as numbers (.csv, .npy, .json). What the "
                "window keeps as defaults of its export dialog is not read.");
    addModel(words);
    addInput(words);
    addView(words);
    words.option("--head", "L.H[,L.H]", "these heads, layer.head, both counted from 0");
    words.option("--layer", "L", "all heads of a layer, counted from 0");
    words.flag("--grid", "the overview of all heads");
    words.flag("--all", "every head and the grid as PNG files, with an index.html");
    addKind(words);
    words.option("--out", "FILE", "where to");
    words.option("--out-dir", "DIR", "where to, for --all; made if it is missing");
    words.option("--rows", "a:b", "only queries a to b - 1");
    words.option("--columns", "a:b", "only keys a to b - 1");
    words.option(
        "--as", "map|text|lines",
        "the head as a map, the text in the colours of one token's weights, or up to six heads as lines "
        "between the tokens");
    words.option("--query", "N", "with --as text: what token N reads; with --as lines: its lines alone");
    words.option("--key", "N", "with --as text: who reads token N; with --as lines: its lines alone");
    words.option("--strongest", "N", "with --as lines: how many weights are drawn (100)");
    words.option("--from", "W", "with --as lines: all weights from W up instead");
    addMapView(words);
    addPicture(words);
    addAdapter(words);
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};

    ExportCommand command;
    const std::optional<SavedView> saved = savedViewOf(words);
    if (saved) command.viewFile = saved->file;
    command.model = modelOf(words, saved);
    command.input = inputOf(words, saved);
    command.common = commonOf(words, saved);
    command.kind = kindOf(words);
    if (!command.kind && saved) command.kind = saved->content.shown.head.kind;
    command.view = mapViewOf(words, saved);
    readSubject(words, saved, command);
    if (const auto rows = words.value("--rows")) command.rows = parseSpan("--rows", *rows);
    if (const auto columns = words.value("--columns")) command.columns = parseSpan("--columns", *columns);
    command.picture = pictureOf(words, saved ? pictureOf(*saved) : ui::PictureSettings());
    command.caption = words.has("--caption");
    requirePossibleWidth(command.picture, command.out);
    readForm(words, saved, command);
    const bool grid = std::holds_alternative<ExportCommand::Grid>(command.what);
    if (command.text || command.lines || grid) command.picture.margins = false; // of the session
    checkExportOptions(words, command);
    return command;
}

} // namespace headscope::app
