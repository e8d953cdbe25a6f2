// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/console.h"
#include "app/options.h"
#include "core/analysis/analysis.h"

#include <memory>

namespace headscope::app {

/// What every command is handed besides its options.
struct Session {
    int& argc; ///< of main(), for Qt
    char** argv;
    Console& console;
    CancelToken cancel;
};

// One function a command, each in its own file. They return when the work is done and throw Error otherwise.
void runInspect(const InspectCommand& command, Session& session);
void runTokens(const TokensCommand& command, Session& session);
void runRun(const RunCommand& command, Session& session);
void runExport(const ExportCommand& command, Session& session);
void runCompare(const CompareCommand& command, Session& session);
void runDiagnose(const DiagnoseCommand& command, Session& session);
void runBench(const BenchCommand& command, Session& session);
/// The window's own exit code.
int runWindowCommand(const WindowCommand& command, Session& session);

/// Version and build facts, for --version.
std::string buildFacts();

// ---- what several of them do (session.cpp)
// ---------------------------------------------------------------------------

/// Opens a model with progress and notes on the console.
std::shared_ptr<const OpenModel> openModelFor(Session& session, const std::filesystem::path& folder,
                                              const CommonOptions& common);

/// Throws Error for an attention file, which no command can run or ask for tokens.
void requireModel(const std::filesystem::path& path);

/// The input with its file read. Throws Error: unreadable, larger than 64 MB, invalid UTF-8 (with the byte
/// offset).
TextInput readInput(const InputOptions& options);

/// Runs the pass with progress and notes on the console.
std::shared_ptr<const Analysis> analyseFor(Session& session, std::shared_ptr<const OpenModel> model,
                                           TextInput input);

/// Files that a command with this input reads besides the model.
std::vector<std::filesystem::path> inputFiles(const InputOptions& options);

} // namespace headscope::app
