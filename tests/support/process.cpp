// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace headscope::test {

namespace {

struct Pipe {
    Pipe() {
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    }
    std::array<int, 2> ends{};
};

/// Reads what is there; false at the end of the stream.
bool readSome(int descriptor, std::string& text) {
    std::array<char, 65536> buffer{};
    const ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    return got > 0;
}

[[noreturn]] void becomeChild(const std::vector<std::string>& words, const ProcessOptions& options,
                              const std::array<int, 2>& streams) {
    if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
    for (const std::string& one : options.environment) {
        const std::size_t equals = one.find('=');
        if (equals == std::string::npos)
            ::unsetenv(one.c_str());
        else
            ::setenv(one.substr(0, equals).c_str(), one.substr(equals + 1).c_str(), 1);
    }
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    int out = streams[0];
    if (!options.outputFile.empty())
        out = ::open(options.outputFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(streams[1], STDERR_FILENO);
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

} // namespace

ProcessResult runProcess(const std::vector<std::string>& words, const ProcessOptions& options) {
    const Pipe out;
    const Pipe err;
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("no process");
    if (child == 0) becomeChild(words, options, {out.ends[1], err.ends[1]});
    ::close(out.ends[1]);
    ::close(err.ends[1]);
    ProcessResult result;
    std::array<pollfd, 2> watched = {{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
    while (watched[0].fd >= 0 || watched[1].fd >= 0) {
        if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) break;
        if (watched[0].revents != 0 && !readSome(out.ends[0], result.out)) watched[0].fd = -1;
        if (watched[1].revents != 0) {
            if (!readSome(err.ends[0], result.err)) watched[1].fd = -1;
            if (options.onError) options.onError(child, result.err);
        }
    }
    ::close(out.ends[0]);
    ::close(err.ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return result;
}

} // namespace headscope::test
