// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_values.h"
#include "app/picture_options.h"
#include "app/shared_options.h"
#include "app/view_options.h"
#include "core/base/error.h"

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope::app {

namespace {

/// "mean" of both sides, "one,mean" of the first and of the second.
void readCombined(const Words& words, CompareCommand& command) {
    const auto text = words.value("--combine");
    if (!text) return;
    const char* const expected =
        "expected one, mean, max or rollout, or two of them with a comma for the first and the second side";
    const std::vector<std::string_view> parts = split(*text, ',');
    const auto first = headsShownOf(parts.front());
    const auto second = headsShownOf(parts.back());
    if (parts.size() > 2 || !first || !second)
        failUsage("--combine", fmt::format("found \"{}\"", escapeForMessage(*text, 60)), expected);
    command.firstView.heads = *first;
    command.secondView.heads = *second;
}

/// --only-a and --only-b: what is done to the map of one side alone.
void readOnly(const Words& words, const char* name, MapView& view) {
    const auto text = words.value(name);
    if (!text) return;
    for (const std::string_view part : split(*text, ',')) {
        if (part == "words")
            view.words = true;
        else if (part == "value-weighted")
            view.valueWeighted = true;
        else if (part == "hide-special")
            view.hideSpecial = true;
        else if (part == "hide-first")
            view.hideFirst = true;
        else
            failUsage(
                name, fmt::format("found \"{}\"", escapeForMessage(part, 60)),
                "expected words, value-weighted, hide-special or hide-first, with commas between several");
    }
}

void readViews(const Words& words, CompareCommand& command) {
    readCombined(words, command);
    command.firstView = flaggedView(words, command.firstView);
    command.secondView = flaggedView(words, command.secondView);
    readOnly(words, "--only-a", command.firstView);
    readOnly(words, "--only-b", command.secondView);
}

/// Something beside the head differs between the sides.
bool differs(const CompareCommand& command) {
    return command.secondModel || command.secondText || command.firstView != command.secondView;
}

void readLayers(const std::string& list, CompareCommand& command) {
    for (const MapView& view : {command.firstView, command.secondView})
        if (view.heads == HeadsShown::One)
            failUsage("--layer", "given for a head by itself", "expected --combine mean, max or rollout");
    const std::vector<std::int64_t> layers = parseWholeList("--layer", list, 0);
    if (layers.size() > 2) failUsage("--layer", "more than two are given", "expected one or two");
    if (layers.size() == 1 && !differs(command))
        failUsage("--layer", "one layer is given",
                  "expected two of them, or --text-b, --model-b or two words of --combine with one");
    constexpr std::int64_t kMost = 999'999;
    command.first = {LayerIndex(parseWhole("--layer", std::to_string(layers.front()), 0, kMost)),
                     HeadIndex(0)};
    command.second = {LayerIndex(parseWhole("--layer", std::to_string(layers.back()), 0, kMost)),
                      HeadIndex(0)};
}

void readHeads(const Words& words, CompareCommand& command) {
    if (const auto layers = words.value("--layer")) {
        if (words.has("--head"))
            failUsage("--layer", "given together with --head", "only one of them can be");
        readLayers(*layers, command);
        return;
    }
    const std::string list = words.required("--head", "expected one head or two, such as 1.11,3.0");
    const auto heads = parseHeads("--head", list);
    if (heads.size() > 2) failUsage("--head", "more than two are given", "expected one or two");
    if (heads.size() == 1 && !differs(command))
        failUsage("--head", "one head is given", "expected two of them, or --text-b or --model-b with one");
    command.first = heads.front();
    command.second = heads.back();
}

/// The session's pinned head against the one that is shown, each with its own model and text; where the
/// command line gives a model or a text, it is that of both, or with -b of the second.
void readSides(const Words& words, const SavedView& saved, CompareCommand& command) {
    const ui::ViewFile& view = saved.content;
    if (view.pins.empty())
        fail(escapeForMessage(saved.file.filename().string()), "no head is pinned in it",
             "expected one to compare with", "give --head with two heads");
    const ui::ViewedHead& pin = view.pins[view.chosenPin];
    command.first = {pin.head.layer, pin.head.head};
    command.second = {view.shown.head.layer, view.shown.head.head};
    command.firstView = pin.view;
    if (!words.has("MODEL")) {
        const OpenRules shown = command.common.opening;
        readOpening(words, pin, command.common);
        const bool isOther = pin.model != command.model || command.common.opening != shown;
        if (!command.secondModel && isOther) {
            command.secondModel = command.model;
            command.secondOpening = shown;
        }
        command.model = pin.model;
    }
    if (words.firstOf({"--text", "--text-file", "--ids"})) return;
    if (!command.secondText) command.secondInput = command.input;
    command.input = inputOptionsOf(pin.input);
}

} // namespace

Command parseCompare(const std::vector<std::string>& arguments) {
    Words words("compare",
                "Puts two heads side by side with their difference, as a picture (.png, .svg, .pdf) "
                "or as numbers (.json): two heads of a text, or one head of two texts or models.");
    addModel(words);
    addInput(words);
    addView(words);
    words.option("--head", "L.H[,L.H]",
                 "the heads, layer.head, both counted from 0; one: that of both sides");
    words.option("--model-b", "MODEL", "the model of the second side");
    words.option("--text-b", "TEXT", "the text of the second side");
    words.option("--layer", "L[,L]", "with --combine: the layers, counted from 0, in place of --head");
    addKind(words);
    words.option("--combine", "one|mean|max|rollout[,...]",
                 "the head itself, or one map of all heads of its layer; two words: of the first and of the "
                 "second side");
    addMapFlags(words);
    words.option("--only-a", "LIST",
                 "of words, value-weighted, hide-special, hide-first: for the first side alone");
    words.option("--only-b", "LIST", "likewise for the second side");
    words.option("--out", "FILE", "where to");
    addPicture(words);
    addAdapter(words);
    addCommon(words);
    if (!words.parse(arguments)) return HelpCommand{words.help()};

    CompareCommand command;
    const std::optional<SavedView> saved = savedViewOf(words);
    if (saved) command.viewFile = saved->file;
    command.model = modelOf(words, saved);
    command.input = inputOf(words, saved);
    command.common = commonOf(words, saved);
    command.kind = kindOf(words);
    if (!command.kind && saved) command.kind = saved->content.shown.head.kind;
    if (words.has("--model-b"))
        command.secondModel = words.required("--model-b", "expected the folder of a model");
    // The adapter belongs to the first side: the same model with and without it can be compared.
    command.secondOpening = command.common.opening;
    command.secondOpening.adapter.clear();
    command.secondText = words.value("--text-b");
    const bool ofSession = saved && !words.firstOf({"--head", "--layer"});
    if (saved) command.firstView = command.secondView = saved->content.shown.view;
    if (ofSession)
        readSides(words, *saved, command);
    else
        command.firstView.heads = command.secondView.heads = HeadsShown::One; // as export does
    readViews(words, command);
    if (!ofSession) readHeads(words, command);
    command.out = outputOf(words, {"png", "svg", "pdf", "json"});
    if (words.has("--margins"))
        failUsage("--margins", "given for two heads side by side",
                  "only pictures of heads by themselves have it");
    command.picture = pictureOf(words, saved ? pictureOf(*saved) : ui::PictureSettings());
    command.picture.margins = false; // of the session
    command.caption = words.has("--caption");
    requirePossibleWidth(command.picture, command.out);
    if (extensionOf(command.out) == "json") refusePictureOptions(words, command.out);
    return command;
}

} // namespace headscope::app
