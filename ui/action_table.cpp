// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/actions.h"

#include <QCoreApplication>

namespace headscope::ui {
namespace {

using C = ActionContext;

bool always(const C&) {
    return true;
}
bool withModel(const C& c) {
    return c.model;
}
bool withWeights(const C& c) {
    return c.weights;
}
bool withAdapter(const C& c) {
    return c.adapter;
}
bool withAnalysis(const C& c) {
    return c.analysis;
}
bool withMap(const C& c) {
    return c.map;
}
bool withView(const C& c) {
    return c.view;
}
bool withCell(const C& c) {
    return c.analysis && c.cell;
}
bool canRun(const C& c) {
    return c.canRun;
}
bool whenBusy(const C& c) {
    return c.busy || c.judging || c.comparing;
}
bool withPins(const C& c) {
    return c.pins;
}
bool canJudge(const C& c) {
    return c.canJudge;
}
bool canJudgeOwn(const C& c) {
    return c.canJudgeOwn;
}
bool canUndo(const C& c) {
    return c.canUndo;
}
bool canRedo(const C& c) {
    return c.canRedo;
}
bool withError(const C& c) {
    return c.error;
}

#define TR(text) QT_TRANSLATE_NOOP("Actions", text)

constexpr const char* kScale = TR("Colour &scale");
constexpr const char* kColormap = TR("&Colour map");
constexpr const char* kPooling = TR("Zoomed &out, show");
constexpr const char* kHeads = TR("&Heads");
constexpr const char* kShown = TR("&Shown as");
constexpr const char* kForm = TR("Show the &head as");
constexpr const char* kTheme = TR("&Theme");
constexpr const char* kTab = TR("Inspecto&r tab");

const ActionSpec kTable[] = {
    {"file.open_model", MenuId::File, nullptr, TR("&Open model folder…"), "open", "Ctrl+O",
     TR("Open a checkpoint folder (config.json, model.safetensors, tokenizer.json)"), always},
    {"file.open_maps", MenuId::File, nullptr, TR("Open ma&ps…"), nullptr, "Ctrl+Alt+A",
     TR("Open attention maps that another program computed (.npz, .npy, .safetensors, .pt)"), always},
    {"file.open_gguf", MenuId::File, nullptr, TR("Open &GGUF file…"), nullptr, "Ctrl+Alt+G",
     TR("Open a model of llama.cpp (.gguf), quantised or not"), always},
    {"file.open_demo", MenuId::File, nullptr, TR("Open the &demo"), "model", "Ctrl+D",
     TR("A small model inside the program, made so that every head does one known thing"), always},
    {"file.add_adapter", MenuId::File, nullptr, TR("Add adapter (&LoRA)…"), nullptr, "Ctrl+Alt+L",
     TR("Add a LoRA adapter (adapter_config.json) to the weights of the open model"), withWeights},
    {"file.remove_adapter", MenuId::File, nullptr, TR("Remo&ve the adapter"), nullptr, "",
     TR("Open the model without the adapter"), withAdapter},
    {"file.open_text", MenuId::File, nullptr, TR("Open &text file…"), "samples", "Ctrl+Shift+O",
     TR("Put the contents of a text file into the text box"), always},
    {"file.open_session", MenuId::File, nullptr, TR("Open sess&ion…"), nullptr, "Ctrl+Alt+O",
     TR("Go on with a saved session: model, text, head, pins and notes"), always},
    {"file.save_session", MenuId::File, nullptr, TR("&Save session"), nullptr, "Ctrl+S",
     TR("Save model, text, head, what is shown, pins and notes in a file"), withModel, true},
    {"file.save_session_as", MenuId::File, nullptr, TR("Save session &as…"), nullptr, "Ctrl+Shift+S",
     TR("Save the session under another name"), withModel},
    {"file.export", MenuId::File, nullptr, TR("&Export…"), "export", "Ctrl+E",
     TR("Save the map as PNG, SVG, PDF, CSV or NPY"), withAnalysis, true},
    {"file.quit", MenuId::File, nullptr, TR("&Quit"), nullptr, "Ctrl+Q",
     TR("Close HeadScope; the view is kept"), always, true},

    {"edit.undo", MenuId::Edit, nullptr, TR("&Undo"), "undo", "Ctrl+Z",
     TR("Undo the last change of the view"), canUndo},
    {"edit.redo", MenuId::Edit, nullptr, TR("&Redo"), "redo", "Ctrl+Shift+Z; Ctrl+Y",
     TR("Redo what was undone"), canRedo},
    {"edit.copy_weight", MenuId::Edit, nullptr, TR("&Copy weight"), "copy", "Ctrl+Shift+C",
     TR("Copy the chosen cell: both tokens and the exact weight"), withCell, true},
    {"edit.copy_head", MenuId::Edit, nullptr, TR("Copy head re&port"), "copy", "Ctrl+Shift+R",
     TR("Copy the verdict and the numbers of this head as text"), withAnalysis},
    {"edit.copy_picture", MenuId::Edit, nullptr, TR("Copy p&icture"), "copy", "Ctrl+Alt+C",
     TR("Copy what is on screen as a picture, with twice the dots"), withAnalysis},
    {"edit.copy_table", MenuId::Edit, nullptr, TR("Copy ta&ble"), "copy", "Ctrl+Shift+T",
     TR("Copy the map with its tokens as a table, up to 1,000,000 cells"), withAnalysis},
    {"edit.copy_caption", MenuId::Edit, nullptr, TR("Copy capti&on"), "copy", "Ctrl+Shift+K",
     TR("Copy what stands under the picture in a paper: model, text, head, view, scale and range"),
     withAnalysis, true},

    {"edit.settings", MenuId::Edit, nullptr, TR("Settin&gs…"), nullptr, "Ctrl+,",
     TR("Look, device, judging, lists: all settings on one page"), always, true},

    {"text.run", MenuId::Text, nullptr, TR("&Run"), "run", "Ctrl+Return; F5", TR("Analyse the text"), canRun},
    {"text.cancel", MenuId::Text, nullptr, TR("&Cancel"), "stop", "Ctrl+.",
     TR("Stop opening or analysing, else comparing or judging heads"), whenBusy},
    {"text.while_typing", MenuId::Text, nullptr, TR("Run while &typing"), nullptr, "",
     TR("Analyse again shortly after each edit"), always, false, ""},
    {"text.focus", MenuId::Text, nullptr, TR("&Edit the text"), nullptr, "Ctrl+L", TR("Go to the text box"),
     always, true},
    {"text.history", MenuId::Text, nullptr, TR("&History of texts…"), nullptr, "Ctrl+H",
     TR("The texts that were run, to search and to take up again"), always},
    {"text.pair", MenuId::Text, nullptr, TR("Second text (&pair)"), nullptr, "Ctrl+Shift+P",
     TR("Give the model two texts, the way question answering does"), always, false, ""},
    {"text.dismiss_error", MenuId::Text, nullptr, TR("Dismiss the &message"), "close", "Ctrl+Shift+D",
     TR("Close the error message"), withError, true},

    {"view.explore", MenuId::View, nullptr, TR("E&xplore"), nullptr, "Ctrl+1",
     TR("The maps of the text: all heads, and one of them large"), always, false, "page"},
    {"view.diagnose", MenuId::View, nullptr, TR("&Diagnose"), nullptr, "Ctrl+2",
     TR("What every head of the model does, judged by several texts"), always, false, "page"},
    {"view.compare", MenuId::View, nullptr, TR("Comp&are"), nullptr, "Ctrl+3",
     TR("Pinned heads beside the current one, and how they differ"), always, false, "page"},
    {"view.form_map", MenuId::View, kForm, TR("&Map"), nullptr, "Ctrl+4",
     TR("The weights of the head as a map"), always, true, "form"},
    {"view.form_text", MenuId::View, kForm, TR("&Text"), nullptr, "Ctrl+5",
     TR("The text as it was written, coloured by what one token reads"), always, false, "form"},
    {"view.form_lines", MenuId::View, kForm, TR("&Lines"), nullptr, "Ctrl+6",
     TR("Lines between the tokens, for several heads of the layer at once"), always, false, "form"},
    {"view.zoom_in", MenuId::View, nullptr, TR("Zoom &in"), "zoom_in", "Ctrl++; Ctrl+=",
     TR("Larger cells; Shift and drag, or Shift and the arrow keys and Enter, zoom to a part of the map"),
     withMap, true},
    {"view.zoom_out", MenuId::View, nullptr, TR("Zoom &out"), "zoom_out", "Ctrl+-", TR("Smaller cells"),
     withMap},
    {"view.fit", MenuId::View, nullptr, TR("&Fit the whole map"), "fit", "Ctrl+0", TR("Show the whole map"),
     withMap},
    {"view.one_to_one", MenuId::View, nullptr, TR("One &pixel a cell"), nullptr, "Ctrl+Shift+0",
     TR("Every cell of the map is one pixel"), withMap},
    {"view.range_auto", MenuId::View, kScale, TR("&Automatic"), nullptr, "Ctrl+Shift+A",
     TR("0 to the 95th percentile of the row maxima, the first key left out"), always, true, "range"},
    {"view.range_full", MenuId::View, kScale, TR("&0 to 1"), nullptr, "Ctrl+Shift+1",
     TR("The whole range of weights, the same for every head"), always, false, "range"},
    {"view.range_row", MenuId::View, kScale, TR("Per &row"), nullptr, "Ctrl+Shift+W",
     TR("Each row from 0 to its own largest weight"), always, false, "range"},
    {"view.range_log", MenuId::View, kScale, TR("&Logarithmic"), nullptr, "Ctrl+Shift+L",
     TR("From 0.0001 to 1, so that small weights show"), always, false, "range"},
    {"view.colormap_viridis", MenuId::View, kColormap, TR("&Viridis"), nullptr, "",
     TR("Even steps, colour-blind safe"), always, false, "colormap"},
    {"view.colormap_magma", MenuId::View, kColormap, TR("&Magma"), nullptr, "",
     TR("Black through red to light yellow"), always, false, "colormap"},
    {"view.colormap_cividis", MenuId::View, kColormap, TR("&Cividis"), nullptr, "",
     TR("Blue to yellow, the same for most colour-blind readers"), always, false, "colormap"},
    {"view.colormap_grey", MenuId::View, kColormap, TR("&Grey"), nullptr, "", TR("For printing"), always,
     false, "colormap"},
    {"view.pooling_max", MenuId::View, kPooling, TR("The &largest weight"), nullptr, "",
     TR("A thin line never vanishes when zoomed out"), always, false, "pooling"},
    {"view.pooling_mean", MenuId::View, kPooling, TR("The &mean weight"), nullptr, "",
     TR("The average of the weights under a pixel when zoomed out"), always, false, "pooling"},
    {"view.heads_one", MenuId::View, kHeads, TR("&One head"), nullptr, "Ctrl+Alt+1",
     TR("The map of the chosen head"), withView, false, "heads"},
    {"view.heads_mean", MenuId::View, kHeads, TR("&Mean of the layer"), nullptr, "Ctrl+Alt+2",
     TR("The mean of each weight over all heads of the layer"), withView, false, "heads"},
    {"view.heads_max", MenuId::View, kHeads, TR("&Largest of the layer"), nullptr, "Ctrl+Alt+3",
     TR("The largest of each weight over all heads of the layer"), withView, false, "heads"},
    {"view.heads_rollout", MenuId::View, kHeads, TR("&Rollout to the layer"), nullptr, "Ctrl+Alt+4",
     TR("The means of all layers so far, multiplied: a summary that leaves values and MLPs out"), withView,
     false, "heads"},
    {"view.words", MenuId::View, kShown, TR("By &words"), nullptr, "Ctrl+Alt+W",
     TR("Pieces of a word put together: summed over keys, the mean over queries"), withView, false, ""},
    {"view.value_weighted", MenuId::View, kShown, TR("Times &value norms"), nullptr, "Ctrl+Alt+V",
     TR("Each weight times the norm of what its key gives: what really arrives"), withView, false, ""},
    {"view.hide_special", MenuId::View, kShown, TR("Leave out &special tokens"), nullptr, "Ctrl+Alt+S",
     TR("Without rows and columns of [CLS], [SEP] and the like"), withView, false, ""},
    {"view.hide_first", MenuId::View, kShown, TR("Mask the &first key"), nullptr, "Ctrl+Alt+F",
     TR("So that the scale follows the others where it is a sink"), withView, false, ""},
    {"view.margins", MenuId::View, nullptr, TR("Mar&gins of the map"), nullptr, "Ctrl+Alt+M",
     TR("Beside each row how widely it reads, below each column how much it gets on average"), always, false,
     ""},
    {"view.theme_system", MenuId::View, kTheme, TR("Follow the &system"), nullptr, "",
     TR("Light or dark as the desktop asks"), always, true, "theme"},
    {"view.theme_light", MenuId::View, kTheme, TR("&Light"), nullptr, "", TR("Always light"), always, false,
     "theme"},
    {"view.theme_dark", MenuId::View, kTheme, TR("&Dark"), nullptr, "", TR("Always dark"), always, false,
     "theme"},
    {"view.text_panel", MenuId::View, nullptr, TR("&Model and text"), nullptr, "Ctrl+Shift+M",
     TR("Show or hide the left panel"), always, true, ""},
    {"view.inspector", MenuId::View, nullptr, TR("I&nspector"), nullptr, "Ctrl+Shift+I",
     TR("Show or hide the numbers of the head"), always, false, ""},
    {"view.tab_head", MenuId::View, kTab, TR("&Head"), nullptr, "Alt+1",
     TR("What is known of the chosen head"), always, true, "tab"},
    {"view.tab_weight", MenuId::View, kTab, TR("&Weight"), nullptr, "Alt+2",
     TR("How the weight of the chosen cell came about, step by step"), always, false, "tab"},
    {"view.tab_find", MenuId::View, kTab, TR("&Find"), nullptr, "Alt+3",
     TR("All heads by their weight from one token to another"), always, false, "tab"},
    {"view.tab_layer", MenuId::View, kTab, TR("&Layer"), nullptr, "Alt+4",
     TR("The attention of the layer from its tokens to its output, with the sizes for this text"), always,
     false, "tab"},
    {"view.log", MenuId::View, nullptr, TR("&Log"), "log", "Ctrl+Shift+G", TR("Show or hide the log"), always,
     false, ""},

    {"head.go_to", MenuId::Head, nullptr, TR("&Go to head…"), nullptr, "Ctrl+G",
     TR("Type layer.head, both counted from 0"), withAnalysis},
    {"head.next_kind", MenuId::Head, nullptr, TR("Next &kind of attention"), nullptr, "Ctrl+K",
     TR("Encoder, decoder or cross-attention, in models that have them"), withModel},
    {"head.next", MenuId::Head, nullptr, TR("&Next head"), "right", "Alt+Right",
     TR("The next head of the layer"), withAnalysis, true},
    {"head.previous", MenuId::Head, nullptr, TR("&Previous head"), "left", "Alt+Left",
     TR("The previous head of the layer"), withAnalysis},
    {"head.layer_down", MenuId::Head, nullptr, TR("Next &layer"), "down", "Alt+Down",
     TR("The same head one layer deeper"), withAnalysis},
    {"head.layer_up", MenuId::Head, nullptr, TR("Previous l&ayer"), "up", "Alt+Up",
     TR("The same head one layer earlier"), withAnalysis},
    {"head.next_flagged", MenuId::Head, nullptr, TR("Next &flagged head"), "sink", "F3",
     TR("The next head with a flag, wrapping around"), withAnalysis, true},
    {"head.previous_flagged", MenuId::Head, nullptr, TR("Previous flagge&d head"), nullptr, "Shift+F3",
     TR("The previous head with a flag, wrapping around"), withAnalysis},
    {"head.focus_grid", MenuId::Head, nullptr, TR("Go to the &overview"), nullptr, "F6",
     TR("Move the keyboard to the grid of all heads"), withModel, true},
    {"head.focus_map", MenuId::Head, nullptr, TR("Go to the &map"), nullptr, "F7",
     TR("Move the keyboard to the map"), withModel},
    {"head.clear_selection", MenuId::Head, nullptr, TR("&Clear the chosen token"), "close", "Ctrl+Shift+X",
     TR("No row and no column chosen"), withAnalysis},

    {"head.pin", MenuId::Head, nullptr, TR("Pin for compari&son"), "pin", "P",
     TR("Keep what is shown, with its text and model, for the page Compare"), withAnalysis, true},
    {"head.unpin_all", MenuId::Head, nullptr, TR("&Remove all pins"), nullptr, "Shift+P",
     TR("Let go of the pinned heads"), withPins},

    {"head.go_to_token", MenuId::Head, nullptr, TR("Go to &token…"), nullptr, "Ctrl+F",
     TR("Type a word or a position: the map goes to its row or column"), withModel, true},
    {"head.find_by_weight", MenuId::Head, nullptr, TR("Find heads by a w&eight"), nullptr, "Ctrl+Shift+E",
     TR("All heads by their weight from one token to another"), withModel},
    {"head.note", MenuId::Head, nullptr, TR("&Your note…"), nullptr, "N",
     TR("A note of your own on this head, kept with the session"), withAnalysis},

    {"head.find", MenuId::Head, nullptr, TR("F&ind heads"), nullptr, "Ctrl+Shift+F",
     TR("Filter the table of all heads by label, token, layer or head"), withModel},
    {"head.judge", MenuId::Head, nullptr, TR("&Judge all heads"), nullptr, "Ctrl+J",
     TR("What every head does over the texts that come with the program"), canJudge},
    {"head.judge_by", MenuId::Head, nullptr, TR("Judge by my o&wn texts…"), nullptr, "Ctrl+Shift+J",
     TR("A file with one text a line; lines as long as the model can read"), canJudgeOwn},

    {"help.demo", MenuId::Help, nullptr, TR("The &demo, head by head"), "model", "",
     TR("What each head of the demo does, and why"), always},
    {"help.shortcuts", MenuId::Help, nullptr, TR("&Keyboard shortcuts"), "keyboard", "F1",
     TR("All keys on one page"), always},
    {"help.about", MenuId::Help, nullptr, TR("&About HeadScope"), "info", "", TR("Version and licences"),
     always},
};

#undef TR

} // namespace

std::span<const ActionSpec> actionTable() {
    return kTable;
}

QString menuTitle(MenuId menu) {
    const char* title = "";
    switch (menu) {
    case MenuId::File:
        title = QT_TRANSLATE_NOOP("Actions", "&File");
        break;
    case MenuId::Edit:
        title = QT_TRANSLATE_NOOP("Actions", "&Edit");
        break;
    case MenuId::Text:
        title = QT_TRANSLATE_NOOP("Actions", "&Text");
        break;
    case MenuId::View:
        title = QT_TRANSLATE_NOOP("Actions", "&View");
        break;
    case MenuId::Head:
        title = QT_TRANSLATE_NOOP("Actions", "&Head");
        break;
    case MenuId::Help:
        title = QT_TRANSLATE_NOOP("Actions", "&Help");
        break;
    }
    return QCoreApplication::translate("Actions", title);
}

} // namespace headscope::ui
