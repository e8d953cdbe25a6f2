// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"

#include <cstdlib>

#if HEADSCOPE_WITH_QT
#include "ui/window_main.h"
#endif

namespace headscope::app {

#if HEADSCOPE_WITH_QT

namespace {

bool isSet(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

} // namespace

int runWindowCommand(const WindowCommand& command, Session& session) {
    // Qt ends the process with an abort where it finds no display, so this is asked first. A picture of the
    // window needs none.
    if (!command.screenshot.empty() && !isSet("QT_QPA_PLATFORM"))
        ::setenv("QT_QPA_PLATFORM", "offscreen",
                 1); // NOLINT(concurrency-mt-unsafe): no thread is running yet
    if (!isSet("DISPLAY") && !isSet("WAYLAND_DISPLAY") && !isSet("QT_QPA_PLATFORM"))
        fail("window", "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)", {},
             "the commands " + commandList() + " need none");
    const TextInput input = readInput(command.input);
    setTorchThreads(command.common.threads);
    ui::WindowOptions options;
    options.model = command.model.value_or(std::filesystem::path());
    options.opening = command.common.opening;
    options.threads = command.common.threads;
    if (command.input.text || command.input.textFile) options.text = input.text;
    options.pair = input.pair;
    options.head = command.head;
    options.pins = command.pins;
    options.query = command.query;
    options.mapView = command.mapView;
    options.page = command.view;
    options.form = command.form;
    options.theme = command.theme;
    options.screenshot = command.screenshot;
    options.width = static_cast<int>(command.size.columns);
    options.height = static_cast<int>(command.size.rows);
    return ui::runWindow(session.argc, session.argv, options);
}

#else

int runWindowCommand(const WindowCommand& /*command*/, Session& /*session*/) {
    fail("window", "this program was built without Qt", {}, "the commands " + commandList() + " work");
}

#endif

} // namespace headscope::app
