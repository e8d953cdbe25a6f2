// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/picture_options.h"

#include "app/option_values.h"
#include "app/shared_options.h"
#include "core/base/error.h"

#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace headscope::app {

namespace {

const char* const kPictureOptions[] = {"--preset",    "--range",    "--colormap",    "--pooling",
                                       "--theme",     "--width-mm", "--height-mm",   "--dpi",
                                       "--font-size", "--title",    "--x-label",     "--y-label",
                                       "--values",    "--margins",  "--transparent", "--caption"};

std::vector<std::string> colormapNames() {
    std::vector<std::string> names;
    for (const Colormap map : allColormaps()) names.emplace_back(nameOf(map));
    return names;
}

std::vector<std::string> presetNames() {
    std::vector<std::string> names;
    for (const ui::FigurePreset& preset : ui::kFigurePresets) names.emplace_back(preset.name);
    return names;
}

/// "size and letters for: single (one column of a paper, 85 mm), ..."
std::string presetHelp() {
    std::string help = "size and letters that suit: ";
    for (const ui::FigurePreset& preset : ui::kFigurePresets)
        help += fmt::format("{}{} ({})", &preset == ui::kFigurePresets.data() ? "" : ", ", preset.name,
                            preset.meaning);
    return help + "; options given beside it win";
}

void readColors(const Words& words, ui::PictureSettings& picture) {
    if (const auto text = words.value("--range")) {
        const auto range = parseRange(*text);
        if (!range)
            failUsage("--range", fmt::format("found \"{}\"", escapeForMessage(*text, 60)),
                      "expected auto, row, log or low:high with low < high, such as 0:1");
        picture.range = *range;
    }
    if (const auto text = oneOf(words, "--colormap", colormapNames()))
        picture.colormap = colormapOf(*text).value();
    if (const auto text = oneOf(words, "--pooling", {"max", "mean"}))
        picture.pooling = text == "mean" ? Pooling::Mean : Pooling::Max;
    if (const auto text = oneOf(words, "--theme", {"light", "dark"})) picture.dark = text == "dark";
    if (words.has("--transparent")) picture.transparent = true;
}

} // namespace

void addPicture(Words& words) {
    words.option("--preset", "single|double|slide|article", presetHelp());
    words.option("--range", "auto|0:1|row|log|A:B", "how weights become colours");
    words.option("--colormap", "NAME", listText(colormapNames()));
    words.option("--pooling", "max|mean", "of a map with more cells than the picture has dots");
    words.option("--theme", "light|dark", "what the map stands on");
    words.option("--width-mm", "MM", "width of the picture");
    words.option("--height-mm", "MM", "height of the picture of one head (what the map needs)");
    words.option("--dpi", "N", "dots per inch of a PNG");
    words.option("--font-size", "PT", "size of the labels in points");
    words.option("--title", "TEXT", "above the map; empty for none");
    words.option("--x-label", "TEXT", "of the keys; empty for none");
    words.option("--y-label", "TEXT", "of the queries; empty for none");
    words.flag("--values", "print the weights into cells that have room");
    words.flag("--margins", "strips beside the map: how widely rows read, how much columns get");
    words.flag("--transparent", "no background");
    words.flag("--caption", "print what the picture shows, in sentences, once it is written");
}

ui::PictureSettings pictureOf(const Words& words, ui::PictureSettings settings) {
    ui::PictureSettings picture = std::move(settings);
    if (const auto name = oneOf(words, "--preset", presetNames()))
        picture = withPreset(picture, *ui::figurePresetOf(*name));
    readColors(words, picture);
    if (const auto text = words.value("--width-mm"))
        picture.widthMm = parseReal("--width-mm", *text, {20, 5000});
    if (const auto text = words.value("--height-mm"))
        picture.heightMm = parseReal("--height-mm", *text, {20, 5000});
    if (const auto text = words.value("--dpi"))
        picture.dpi = static_cast<int>(parseWhole("--dpi", *text, 36, 2400));
    if (const auto text = words.value("--font-size"))
        picture.fontSizePt = parseReal("--font-size", *text, {2, 72});
    if (words.has("--title")) picture.title = words.value("--title");
    if (words.has("--x-label")) picture.xLabel = words.value("--x-label");
    if (words.has("--y-label")) picture.yLabel = words.value("--y-label");
    if (words.has("--values")) picture.values = true;
    if (words.has("--margins")) picture.margins = true;
    return picture;
}

void refusePictureOptions(const Words& words, const std::filesystem::path& out) {
    if (const auto name = words.firstOf({std::begin(kPictureOptions), std::end(kPictureOptions)}))
        failUsage(*name, fmt::format("given for a .{} file", extensionOf(out)),
                  "only pictures (.png, .svg, .pdf) have it");
}

void requirePossibleWidth(const ui::PictureSettings& settings, const std::filesystem::path& out) {
    if (extensionOf(out) != "png" || !settings.widthMm) return;
    constexpr double kMmPerInch = 25.4;
    constexpr int kUsualDpi = 300;
    const double pixels = *settings.widthMm / kMmPerInch * settings.dpi.value_or(kUsualDpi);
    if (pixels <= ui::kLongestSide) return;
    fail(escapeForMessage(out.string()), fmt::format("the picture would be {:.0f} pixels wide", pixels),
         fmt::format("at most {} are possible on a side", ui::kLongestSide),
         "lower the dots per inch or the width, or choose .svg or .pdf");
}

void addKind(Words& words) {
    words.option("--kind", "K", "kind of attention, for models that have several");
}

std::optional<AttentionKind> kindOf(const Words& words) {
    const auto text = oneOf(words, "--kind",
                            {"attentions", "encoder_attentions", "decoder_attentions", "cross_attentions"});
    return text ? attentionKindOf(*text) : std::nullopt;
}

void addMapView(Words& words) {
    words.option(
        "--combine", "one|mean|max|rollout",
        "one map of the heads that are asked for, and of a single one of all heads of its layer (one: each "
        "by itself)");
    addMapFlags(words);
}

void addMapFlags(Words& words) {
    words.flag("--words", "tokens put together by words");
    words.flag("--value-weighted", "each weight times the norm of what its key gives");
    words.flag("--hide-special", "leave out special tokens");
    words.flag("--hide-first", "mask the first key");
}

MapView mapViewOf(const Words& words, MapView view) {
    if (const auto heads = oneOf(words, "--combine", {"one", "mean", "max", "rollout"}))
        view.heads = headsShownOf(*heads).value();
    return flaggedView(words, view);
}

MapView flaggedView(const Words& words, MapView view) {
    if (words.has("--words")) view.words = true;
    if (words.has("--value-weighted")) view.valueWeighted = true;
    if (words.has("--hide-special")) view.hideSpecial = true;
    if (words.has("--hide-first")) view.hideFirst = true;
    return view;
}

} // namespace headscope::app
