// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/view_state.h"

#include <QString>

#include <filesystem>
#include <optional>

namespace headscope::ui {

/// Where the last session's view is kept (AppDataLocation/session.json).
QString sessionFile();
/// Where diagnoses outlast a session (AppDataLocation/diagnoses).
std::filesystem::path diagnosesFolder();
/// nullopt when there is none. Throws Error for a file that cannot be used; it is kept beside as
/// session.json.old, so that no text in it is lost.
std::optional<ViewState> loadSession(const QString& file);
/// Whole or not at all. Throws Error when it cannot be written.
void saveSession(const QString& file, const ViewState& state);

} // namespace headscope::ui
