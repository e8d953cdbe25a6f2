// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_values.h"
#include "app/shared_options.h"
#include "core/base/error.h"

#include <fmt/format.h>
#include <iterator>
#include <string>
#include <vector>

namespace headscope::app {

namespace {

const char* const kPictureOptions[] = {"--range",     "--colormap", "--theme",   "--width-mm", "--dpi",
                                       "--font-size", "--title",    "--x-label", "--y-label",  "--values"};

std::vector<std::string> colormapNames() {
    std::vector<std::string> names;
    for (const Colormap map : allColormaps()) names.emplace_back(nameOf(map));
    return names;
}

void addPicture(Words& words) {
    words.option("--range", "auto|0:1|row|log|A:B", "how weights become colours");
    words.option("--colormap", "NAME", listText(colormapNames()));
    words.option("--theme", "light|dark", "what the map stands on");
    words.option("--width-mm", "MM", "width of the picture");
    words.option("--dpi", "N", "dots per inch of a PNG");
    words.option("--font-size", "PT", "size of the labels in points");
    words.option("--title", "TEXT", "above the map; empty for none");
    words.option("--x-label", "TEXT", "of the keys; empty for none");
    words.option("--y-label", "TEXT", "of the queries; empty for none");
    words.flag("--values", "print the weights into cells that have room");
}

ui::PictureSettings pictureOf(const Words& words) {
    ui::PictureSettings picture;
    if (const auto text = words.value("--range")) {
        const auto range = parseRange(*text);
        if (!range)
            failUsage("--range", fmt::format("found \"{}\"", escapeForMessage(*text, 60)),
                      "expected auto, row, log or low:high with low < high, such as 0:1");
        picture.range = *range;
    }
    if (const auto text = oneOf(words, "--colormap", colormapNames()))
        picture.colormap = colormapOf(*text).value();
    picture.dark = oneOf(words, "--theme", {"light", "dark"}) == "dark";
    if (const auto text = words.value("--width-mm"))
        picture.widthMm = parseReal("--width-mm", *text, {20, 5000});
    if (const auto text = words.value("--dpi"))
        picture.dpi = static_cast<int>(parseWhole("--dpi", *text, 36, 2400));
    if (const auto text = words.value("--font-size"))
        picture.fontSizePt = parseReal("--font-size", *text, {2, 72});
    picture.title = words.value("--title");
    picture.xLabel = words.value("--x-label");
    picture.yLabel = words.value("--y-label");
    picture.values = words.has("--values");
    return picture;
}

std::optional<AttentionKind> kindOf(const Words& words) {
    const auto text = oneOf(words, "--kind",
                            {"attentions", "encoder_attentions", "decoder_attentions", "cross_attentions"});
    return text ? attentionKindOf(*text) : std::nullopt;
}

void checkExportOptions(const Words& words, const ExportCommand& command) {
    const bool grid = std::holds_alternative<ExportCommand::Grid>(command.what);
    const std::string extension = extensionOf(command.out);
    const bool picture =
        command.out.empty() || extension == "png" || extension == "svg" || extension == "pdf";
    if (!picture) {
        if (const auto name = words.firstOf({std::begin(kPictureOptions), std::end(kPictureOptions)}))
            failUsage(*name, fmt::format("given for a .{} file", extension),
                      "only pictures (.png, .svg, .pdf) have it");
    } else if (grid) {
        if (const auto name = words.firstOf(
                {"--rows", "--columns", "--hide-special", "--values", "--x-label", "--y-label"}))
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
    words.option("--kind", "K", "kind of attention, for models that have several");
    words.option("--out", "FILE", "where to");
    words.option("--out-dir", "DIR", "where to, for --all; made if it is missing");
    words.option("--rows", "a:b", "only queries a to b - 1");
    words.option("--columns", "a:b", "only keys a to b - 1");
    words.flag("--hide-special", "leave out special tokens");
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
    command.hideSpecial = words.has("--hide-special");
    command.picture = pictureOf(words);
    checkExportOptions(words, command);
    return command;
}

} // namespace headscope::app
