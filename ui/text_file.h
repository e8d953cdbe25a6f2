// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace headscope::ui {

/// The largest text file that the text box takes; longer texts are for the command line.
inline constexpr qint64 kLargestTextFile = 1024 * 1024;

/// A text file for the text box, a byte order mark and the last line end dropped. Throws Error: unreadable,
/// larger than kLargestTextFile, invalid UTF-8 (with the byte offset).
QString readTextFile(const QString& path);

} // namespace headscope::ui
