// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/view_options.h"

#include "app/option_values.h"
#include "app/shared_options.h"
#include "core/analysis/open_attention.h"
#include "core/base/error.h"

namespace headscope::app {

namespace {

std::string nameOfFile(const SavedView& saved) {
    return escapeForMessage(saved.file.filename().string());
}

} // namespace

void addView(Words& words) {
    words.option(
        "--view", "FILE.headscope",
        "a session saved in the window: model, text, head, view and colours; options given beside it win");
}

std::optional<SavedView> savedViewOf(const Words& words) {
    if (!words.has("--view")) return std::nullopt;
    const std::filesystem::path file = words.required("--view", "expected a session file (.headscope)");
#if HEADSCOPE_WITH_QT
    return SavedView{file, ui::readViewFile(file)};
#else
    fail(escapeForMessage(file.filename().string()),
         "sessions need Qt, and this program was built without it", {},
         "give model, text and head themselves");
#endif
}

std::filesystem::path modelOf(const Words& words, const std::optional<SavedView>& saved) {
    if (!saved || words.has("MODEL")) return modelOf(words);
    if (saved->content.shown.model.empty())
        fail(nameOfFile(*saved), "no model is saved in it", {}, "give MODEL beside it");
    return saved->content.shown.model;
}

CommonOptions commonOf(const Words& words, const std::optional<SavedView>& saved) {
    CommonOptions common = commonWithAdapter(words);
    if (saved && !words.has("MODEL")) readOpening(words, saved->content.shown, common);
    return common;
}

void readOpening(const Words& words, const ui::ViewedHead& head, CommonOptions& common) {
    if (!words.has("--adapter")) common.opening.adapter = head.opening.adapter;
    if (!words.has("--axes")) common.opening.reading.axes = head.opening.reading.axes;
    if (!words.has("--sample")) common.opening.reading.sample = head.opening.reading.sample;
}

InputOptions inputOptionsOf(const TextInput& input) {
    InputOptions options;
    options.text = input.text;
    options.pair = input.pair;
    options.target = input.target;
    options.writeTarget = input.writeTarget;
    options.truncate = input.length == LengthPolicy::Truncate;
    if (input.length == LengthPolicy::Piece) options.piece = input.piece;
    return options;
}

InputOptions inputOf(const Words& words, const std::optional<SavedView>& saved) {
    if (!saved || words.firstOf({"--text", "--text-file", "--ids"})) return inputOf(words);
    if (isAttentionFile(modelOf(words, saved))) {
        requireNoInput(words);
        return {};
    }
    if (saved->content.shown.input.text.empty())
        fail(nameOfFile(*saved), "no text is saved in it", {}, "give --text beside it");
    InputOptions input = inputOptionsOf(saved->content.shown.input);
    InputOptions given;
    readTextRules(words, given);
    if (given.pair) input.pair = given.pair;
    if (given.truncate || given.piece) {
        input.truncate = given.truncate;
        input.piece = given.piece;
    }
    input.noSpecial = given.noSpecial;
    readTarget(words, given);
    if (given.target || given.targetIds || given.writeTarget) {
        input.target = given.target;
        input.targetIds = given.targetIds;
        input.writeTarget = given.writeTarget;
    }
    return input;
}

ui::PictureSettings pictureOf(const SavedView& saved) {
    ui::PictureSettings picture;
    picture.range = saved.content.range;
    picture.colormap = saved.content.colormap;
    picture.pooling = saved.content.pooling;
    picture.margins = saved.content.margins;
    return picture;
}

} // namespace headscope::app
