// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/option_values.h"
#include "app/picture_options.h"
#include "app/shared_options.h"
#include "app/view_options.h"
#include "core/base/error.h"

#include <optional>
#include <string>
#include <vector>

namespace headscope::app {

namespace {

void readHeads(const Words& words, CompareCommand& command) {
    const std::string list = words.required("--head", "expected one head or two, such as 1.11,3.0");
    const auto heads = parseHeads("--head", list);
    if (heads.size() > 2) failUsage("--head", "more than two are given", "expected one or two");
    if (heads.size() == 1 && !command.secondModel && !command.secondText)
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
    if (!words.has("MODEL")) {
        if (!command.secondModel && pin.model != command.model) command.secondModel = command.model;
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
    addKind(words);
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
    command.common = commonWithAdapter(words);
    command.kind = kindOf(words);
    if (!command.kind && saved) command.kind = saved->content.shown.head.kind;
    if (words.has("--model-b"))
        command.secondModel = words.required("--model-b", "expected the folder of a model");
    command.secondText = words.value("--text-b");
    if (saved && !words.has("--head"))
        readSides(words, *saved, command);
    else
        readHeads(words, command);
    command.out = outputOf(words, {"png", "svg", "pdf", "json"});
    command.picture = pictureOf(words, saved ? pictureOf(*saved) : ui::PictureSettings());
    command.caption = words.has("--caption");
    requirePossibleWidth(command.picture, command.out);
    if (extensionOf(command.out) == "json") refusePictureOptions(words, command.out);
    return command;
}

} // namespace headscope::app
