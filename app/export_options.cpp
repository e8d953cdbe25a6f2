// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_values.h"
#include "app/picture_options.h"
#include "app/shared_options.h"
#include "core/base/error.h"

#include <fmt/format.h>
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
        if (const auto name =
                words.firstOf({"--rows", "--columns", "--combine", "--words", "--value-weighted",
                               "--hide-special", "--hide-first", "--values", "--x-label", "--y-label"}))
            failUsage(*name, "given for a picture of the grid",
                      "the grid shows whole maps without labels of tokens");
    }
}

} // namespace

Command parseExport(const std::vector<std::string>& arguments) {
    Words words("export", "Writes heads as a picture (.png, .svg, .pdf) or as numbers (.csv, .npy, .json).");
    addModel(words);
    addInput(words);
    words.option("--head", "L.H[,L.H]", "these heads, layer.head, both counted from 0");
    words.option("--layer", "L", "all heads of a layer, counted from 0");
    words.flag("--grid", "the overview of all heads");
    words.flag("--all", "every head and the grid as PNG files, with an index.html");
    addKind(words);
    words.option("--out", "FILE", "where to");
    words.option("--out-dir", "DIR", "where to, for --all; made if it is missing");
    words.option("--rows", "a:b", "only queries a to b - 1");
    words.option("--columns", "a:b", "only keys a to b - 1");
    addMapView(words);
    addPicture(words);
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};

    ExportCommand command;
    command.model = modelOf(words);
    command.input = inputOf(words);
    command.common = commonOf(words);
    command.kind = kindOf(words);
    requireOne(words, {"--head", "--layer", "--grid", "--all"}, "what to export");
    if (words.has("--all")) {
        if (words.has("--out"))
            failUsage("--out", "given together with --all", "expected --out-dir with a folder");
        const std::string folder = words.required("--out-dir", "expected a folder");
        if (folder.starts_with("--")) // a forgotten name; a folder of the next option's name would be made
            failUsage("--out-dir", fmt::format("found \"{}\"", escapeForMessage(folder, 60)),
                      "expected a folder",
                      fmt::format("write \"./{}\" if that is its name", escapeForMessage(folder, 60)));
        if (words.has("--combine"))
            failUsage("--combine", "given together with --all", "expected --head or --layer");
        command.what = ExportCommand::All{folder};
    } else {
        if (words.has("--out-dir"))
            failUsage("--out-dir", "given without --all", "expected --out with a file name");
        command.out = outputOf(words, {"png", "svg", "pdf", "csv", "npy", "json"});
        if (const auto heads = words.value("--head"))
            command.what = ExportCommand::Heads{parseHeads("--head", *heads)};
        else if (const auto layer = words.value("--layer"))
            command.what = ExportCommand::Layer{LayerIndex(parseWhole("--layer", *layer, 0, 999'999))};
        else
            command.what = ExportCommand::Grid{};
    }
    if (const auto rows = words.value("--rows")) command.rows = parseSpan("--rows", *rows);
    if (const auto columns = words.value("--columns")) command.columns = parseSpan("--columns", *columns);
    command.view = mapViewOf(words);
    command.picture = pictureOf(words);
    checkExportOptions(words, command);
    return command;
}

} // namespace headscope::app
