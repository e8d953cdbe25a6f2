// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"
#include "app/words.h"
#include "ui/export/view_file.h" // plain types, no Qt

#include <filesystem>
#include <optional>

/// --view FILE: what a session that was saved in the window says, for the options that are not given.
namespace headscope::app {

struct SavedView {
    std::filesystem::path file;
    ui::ViewFile content;
};

void addView(Words& words);
/// Reads the file. Throws Error: no session, unreadable, a program without Qt.
std::optional<SavedView> savedViewOf(const Words& words);

/// MODEL, or that of the session. Throws Error: missing in both.
std::filesystem::path modelOf(const Words& words, const std::optional<SavedView>& saved);
/// The common options and --adapter; where MODEL is the session's, what is not given is as it was opened
/// there.
CommonOptions commonOf(const Words& words, const std::optional<SavedView>& saved);
/// How a head of a session was opened, apart from the device, for what is not given.
void readOpening(const Words& words, const ui::ViewedHead& head, CommonOptions& common);
/// The input that was given, or else that of the session with the rules and texts given beside it.
InputOptions inputOf(const Words& words, const std::optional<SavedView>& saved);
/// As the command line would have given it.
InputOptions inputOptionsOf(const TextInput& input);
/// Colours of the session.
ui::PictureSettings pictureOf(const SavedView& saved);

} // namespace headscope::app
