// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/cancel.h"
#include "core/base/progress.h"

#include <string>
#include <string_view>

namespace headscope::app {

/// What a command says besides its result: everything here goes to standard error, and --quiet leaves only
/// errors.
class Console {
  public:
    explicit Console(bool quiet);

    /// "note: ..." on a line of its own.
    void note(std::string_view sentence);
    /// "layer 3 of 6": over the same line of a terminal (ends in CR), else one line each for layers alone.
    ProgressSink progress();
    NoteSink notes();
    /// Blanks the progress line of a terminal.
    void clearProgress();
    void error(std::string_view sentence);

  private:
    void showProgress(const Progress& progress);

    bool m_quiet;
    bool m_terminal;
    std::size_t m_shown = 0; ///< characters of the progress line that stand on the terminal
};

/// Writes a result to standard output. Throws Error when it cannot be (closed pipe, full disk).
void writeResult(std::string_view text);

/// Call first of all, before any file is opened. A standard stream that was closed gets a place holder that
/// refuses reads and writes, so that no file of ours takes its number and has progress written into it; a
/// file that grows over the session's limit is an error of write() instead of the end of the process.
void prepareProcess();

/// Ctrl-C, SIGTERM and SIGHUP set the returned token; a second one removes temporary files and ends the
/// process. Also has broken pipes reported by write() instead of a signal. Call once, before any thread is
/// made.
CancelToken installSignalHandlers();

} // namespace headscope::app
