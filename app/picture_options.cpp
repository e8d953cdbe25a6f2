// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/picture_options.h"

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

} // namespace

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

void refusePictureOptions(const Words& words, const std::filesystem::path& out) {
    if (const auto name = words.firstOf({std::begin(kPictureOptions), std::end(kPictureOptions)}))
        failUsage(*name, fmt::format("given for a .{} file", extensionOf(out)),
                  "only pictures (.png, .svg, .pdf) have it");
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
    words.option("--combine", "mean|max|rollout", "one map of all heads that are asked for");
    words.flag("--words", "tokens put together by words");
    words.flag("--value-weighted", "each weight times the norm of what its key gives");
    words.flag("--hide-special", "leave out special tokens");
    words.flag("--hide-first", "mask the first key");
}

MapView mapViewOf(const Words& words) {
    MapView view;
    if (const auto heads = oneOf(words, "--combine", {"mean", "max", "rollout"}))
        view.heads = headsShownOf(*heads).value();
    view.words = words.has("--words");
    view.valueWeighted = words.has("--value-weighted");
    view.hideSpecial = words.has("--hide-special");
    view.hideFirst = words.has("--hide-first");
    return view;
}

} // namespace headscope::app
