// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/head_notes.h"
#include "ui/view_state.h"

#include <QString>

#include <vector>

namespace headscope::ui {

/// The version written into session files; others are refused.
inline constexpr int kSessionVersion = 1;
/// Larger sessions are neither written nor read.
inline constexpr qint64 kLargestSession = 64 * 1024 * 1024;
inline constexpr std::size_t kMostSessionPins = 3;

/// What a user made in a window: the view, the pinned heads and the notes on heads.
struct SessionContent {
    ViewState view;
    /// Each as pinOf() makes it.
    std::vector<ViewState> pins;
    std::size_t chosenPin = 0;
    HeadNotes notes;

    friend bool operator==(const SessionContent&, const SessionContent&) = default;
};

/// A pinned head as a view: what its run was started from, which head of it and how it is shown; all else is
/// as by default.
ViewState pinOf(const ViewInput& input, const HeadRef& head, const MapView& view = {});

/// As a versioned JSON document.
QByteArray sessionJson(const SessionContent& content);
/// Also reads a saved view alone (what sessions were before). Throws Error naming `subject`: no JSON, nested
/// too deep, another version, a field that is not known, of the wrong kind or out of its range, two notes on
/// a head.
SessionContent sessionFromJson(const QByteArray& json, const QString& subject);

/// ".headscope"
bool isSessionName(const QString& path);
/// Throws Error{subject = file name}: what sessionFromJson() says, a folder, unreadable, larger than
/// kLargestSession.
SessionContent loadSessionFile(const QString& path);
/// Whole or not at all. Throws Error when it cannot be written or would be larger than kLargestSession.
void saveSessionFile(const QString& path, const SessionContent& content);

} // namespace headscope::ui
