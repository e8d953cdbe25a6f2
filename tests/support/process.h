// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace headscope::test {

struct ProcessResult {
    int code = -1;   ///< exit code; -signal when a signal ended it
    std::string out; ///< standard output
    std::string err; ///< standard error
};

struct ProcessOptions {
    std::vector<std::string> environment{}; ///< "NAME=value"; "NAME" alone removes it
    std::filesystem::path folder{};         ///< working folder; empty: this process's
    std::string outputFile{};               ///< standard output goes there instead
    std::function<void(pid_t child, const std::string& err)>
        onError{}; ///< called as text arrives on standard error
};

/// Runs a program to its end, reading both of its streams. Throws std::runtime_error when it cannot be
/// started.
ProcessResult runProcess(const std::vector<std::string>& words, const ProcessOptions& options = {});

} // namespace headscope::test
