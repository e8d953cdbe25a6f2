// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/console.h"

#include "core/base/error.h"
#include "core/base/file.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>
#include <unistd.h>

namespace headscope::app {

namespace {

/// Whole or not at all as far as the system allows; false when it does not.
bool writeAll(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t put = ::write(descriptor, text.data(), text.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
}

} // namespace

Console::Console(bool quiet) : m_quiet(quiet), m_terminal(::isatty(STDERR_FILENO) == 1) {}

void Console::note(std::string_view sentence) {
    if (m_quiet) return;
    clearProgress();
    writeAll(STDERR_FILENO, fmt::format("note: {}\n", sentence));
}

NoteSink Console::notes() {
    return [this](const std::string& sentence) { note(sentence); };
}

ProgressSink Console::progress() {
    if (m_quiet) return {};
    return [this](const Progress& progress) { showProgress(progress); };
}

void Console::showProgress(const Progress& progress) {
    if (progress.total <= 0) return;
    std::string line = fmt::format("{} {} of {}", progress.unit, progress.done, progress.total);
    if (!m_terminal) {
        if (progress.unit == "layer") writeAll(STDERR_FILENO, line + '\n');
        return;
    }
    const std::size_t length = line.size();
    if (length < m_shown) line.append(m_shown - length, ' ');
    m_shown = length;
    writeAll(STDERR_FILENO, line + '\r');
}

void Console::clearProgress() {
    if (m_shown == 0) return;
    writeAll(STDERR_FILENO, std::string(m_shown, ' ') + '\r');
    m_shown = 0;
}

void Console::error(std::string_view sentence) {
    clearProgress();
    writeAll(STDERR_FILENO, fmt::format("{}\n", sentence));
}

void writeResult(std::string_view text) {
    if (writeAll(STDOUT_FILENO, text)) return;
    if (errno == EPIPE) fail("standard output", "nobody reads it any more");
    if (errno == ENOSPC) fail("standard output", "cannot be written: the disk is full");
    if (errno == EFBIG) fail("standard output", "cannot be written: the file would pass the size limit");
    if (errno == EBADF) fail("standard output", "cannot be written: it is closed");
    fail("standard output", fmt::format("cannot be written: the system reported error {}", errno));
}

namespace {

std::atomic<const CancelToken*> cancelOnSignal{nullptr};
static_assert(std::atomic<const CancelToken*>::is_always_lock_free);

extern "C" void onStopSignal(int /*number*/) {
    const CancelToken* token = cancelOnSignal.load();
    if (token != nullptr && !token->isCancelled()) {
        token->cancel();
        return;
    }
    // Asked twice: do not wait for the work to notice.
    removeTemporaryFiles();
    ::_exit(1);
}

} // namespace

void prepareProcess() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // The lowest free number is this one. Opened the wrong way round, it answers like a closed stream.
        ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGXFSZ, &ignore, nullptr);
}

CancelToken installSignalHandlers() {
    static const CancelToken token;
    cancelOnSignal = &token;
    struct sigaction action {};
    action.sa_handler = onStopSignal;
    action.sa_flags = SA_RESTART; // reads and writes of libraries go on; long work polls the token
    ::sigemptyset(&action.sa_mask);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, nullptr);
    return token;
}

} // namespace headscope::app
