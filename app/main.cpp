// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "core/analysis/analysis.h"

#include <fmt/format.h>
#include <string>
#include <variant>
#include <vector>

namespace headscope::app {

namespace {

template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

/// Exit codes: 0 done, 1 could not, 2 wrong use.
int exitCodeOf(const Error& error) {
    return error.parts().kind == ErrorKind::Usage ? 2 : 1;
}

int dispatch(const Command& command, Session& session) {
    int code = 0;
    translatingErrors([&] {
        std::visit(Overloaded{[&](const HelpCommand& help) { writeResult(help.text); },
                              [&](const VersionCommand&) { writeResult(buildFacts()); },
                              [&](const WindowCommand& window) { code = runWindowCommand(window, session); },
                              [&](const InspectCommand& inspect) { runInspect(inspect, session); },
                              [&](const TokensCommand& tokens) { runTokens(tokens, session); },
                              [&](const RunCommand& run) { runRun(run, session); },
                              [&](const ExportCommand& exporting) { runExport(exporting, session); },
                              [&](const CompareCommand& comparing) { runCompare(comparing, session); },
                              [&](const DiagnoseCommand& diagnosing) { runDiagnose(diagnosing, session); },
                              [&](const BenchCommand& bench) { runBench(bench, session); }},
                   command);
    });
    return code;
}

int run(int& argc, char** argv) {
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    Console console(asksForQuiet(arguments));
    try {
        const Command command = parseCommand(arguments);
        // The window handles its own end; everything else stops cleanly on a signal.
        const CancelToken cancel =
            std::holds_alternative<WindowCommand>(command) ? CancelToken() : installSignalHandlers();
        Session session{argc, argv, console, cancel};
        return dispatch(command, session);
    } catch (const Error& error) {
        console.error(error.sentence());
        if (error.parts().kind == ErrorKind::Usage && !asksForQuiet(arguments))
            console.error("\"headscope --help\" and \"headscope COMMAND --help\" show how it is used.");
        return exitCodeOf(error);
    }
}

} // namespace
} // namespace headscope::app

int main(int argc, char** argv) {
    headscope::app::prepareProcess();
    return headscope::app::run(argc, argv);
}
