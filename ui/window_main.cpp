// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_main.h"

#include "core/checkpoint/demos.h"
#include "ui/autosave.h"
#include "ui/heatmap/heatmap_view.h"
#include "ui/icons.h"
#include "ui/log.h"
#include "ui/main_window.h"
#include "ui/panels/axes_form.h"
#include "ui/panels/compare_page.h"
#include "ui/panels/error_banner.h"
#include "ui/panels/map_card.h"
#include "ui/samples.h"
#include "ui/signal_quit.h"
#include "ui/theme.h"

#include <QApplication>
#include <QFile>
#include <QTimer>

#include <cstdio>

namespace headscope::ui {
namespace {

constexpr int kScreenshotLimitMs = 600000; // a slow machine judges a model for minutes
constexpr int kQuietPolls = 4;             ///< of 50 ms

QString fromPath(const std::filesystem::path& path) {
    return QFile::decodeName(QByteArray::fromStdString(path.string()));
}

/// What the window starts with: the last session, changed by the options.
struct Start {
    Autosave saved;
    bool chooseHead = false;
    std::optional<Failure> problem;
};

/// Without a last session, or where it is not to be gone on with.
ViewState freshState(const Preferences& set) {
    ViewState state;
    state.colormap = set.colormap;
    state.range = set.range;
    state.model.device = set.device;
    return state;
}

Start startState(const WindowOptions& options, const QString& autosave, const Preferences& set) {
    Start start;
    start.saved.content.view = freshState(set);
    bool restored = false;
    try {
        const auto saved = autosave.isEmpty() ? std::nullopt : loadAutosave(autosave);
        if (saved) {
            start.saved = *saved;
            restored = true;
        }
    } catch (...) {
        start.problem = failureOf(std::current_exception());
    }
    ViewState& state = start.saved.content.view;
    if (!options.model.empty()) {
        const QString model =
            fromPath(isDemoName(options.model) ? options.model
                                               : std::filesystem::absolute(options.model).lexically_normal());
        // Another model than last time: its head and its part of the map mean nothing here.
        if (model != state.model.path) {
            state.layer = 0;
            state.head = 0;
            state.viewport = {};
            start.chooseHead = true;
        }
        const OpenRules& rules = options.opening;
        state.model = {model, rules.device, {}, rules.reading};
        if (!rules.adapter.empty())
            state.model.adapter = fromPath(std::filesystem::absolute(rules.adapter).lexically_normal());
    }
    if (options.text) {
        state.text = QString::fromStdString(*options.text);
        state.pair = QString::fromStdString(options.pair.value_or(std::string()));
        state.showPair = options.pair.has_value();
        state.query.reset();
        state.key.reset();
    } else if (!restored || state.text.isEmpty()) {
        state.text = firstSample().text;
    }
    if (options.head) {
        state.kind = options.head->kind;
        state.layer = options.head->layer.value;
        state.head = options.head->head.value;
        start.chooseHead = false;
    }
    if (options.page) state.page = centrePageOf(QString::fromStdString(*options.page)).value_or(state.page);
    if (options.form) state.form = headFormOf(QString::fromStdString(*options.form)).value_or(state.form);
    if (options.query) state.query = *options.query;
    if (options.mapView) state.view = *options.mapView;
    return start;
}

/// Waits until everything is shown, then writes the picture and ends the program.
void takeScreenshot(MainWindow& window, const std::filesystem::path& file) {
    auto* poll = new QTimer(&window);
    auto* waited = new QTimer(&window);
    waited->setSingleShot(true);
    waited->start(kScreenshotLimitMs);
    QObject::connect(poll, &QTimer::timeout, &window, [=, &window, quiet = 0]() mutable {
        const bool failed = !window.banner().isHidden() || !window.axesForm().isHidden();
        const CentrePage page = window.store().state().page;
        const bool drawn = page == CentrePage::Explore    ? window.map().isComplete()
                           : page == CentrePage::Diagnose ? true
                                                          : window.controller().comparing().isSettled() &&
                                                                window.comparePage().isComplete();
        const bool judged = page != CentrePage::Diagnose || window.controller().diagnosis().isSettled();
        const bool settled = window.controller().isSettled() && !window.controller().pinRunner().isBusy();
        const bool ready = settled && judged && (failed || drawn);
        // Layouts settle over a few turns of the event loop.
        quiet = ready ? quiet + 1 : 0;
        if (quiet < kQuietPolls && waited->isActive()) return;
        poll->stop();
        const bool written = window.grab().save(fromPath(file), "PNG");
        if (!written) std::fprintf(stderr, "%s: the picture cannot be written.\n", file.string().c_str());
        QCoreApplication::exit(written && ready && !failed ? 0 : 1);
    });
    poll->start(50);
}

void begin(MainWindow& window, const WindowOptions& options, const Start& start) {
    if (start.chooseHead) window.chooseStrongestHead();
    std::vector<HeadRef> pins;
    for (const auto& [layer, head] : options.pins)
        pins.push_back({start.saved.content.view.kind, layer, head});
    window.pinHeads(std::move(pins));
    window.start(start.saved);
    if (start.problem) window.showFailure(*start.problem);
}

} // namespace

int runWindow(int argc, char** argv, const WindowOptions& options) {
    Log::installQtHandler();
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("HeadScope"));
    const bool scripted = !options.screenshot.empty();
    // A scripted picture neither shows nor changes what the user has set.
    QCoreApplication::setApplicationName(scripted ? QStringLiteral("HeadScope scripted")
                                                  : QStringLiteral("HeadScope"));
    const Preferences set = Settings().preferences();
    if (!scripted && options.threads == 0 && set.threads > 0) setTorchThreads(set.threads);
    Theme::instance().install(options.theme ? themeChoiceOf(QString::fromStdString(*options.theme))
                                            : set.theme);
    QApplication::setWindowIcon(icon(QStringLiteral("headscope"), Theme::instance().colors().accent));
    const QString opened = isSessionName(fromPath(options.model)) ? fromPath(options.model) : QString();

    int code = 0;
    {
        // A session that is opened by name begins beside what the last window left.
        const auto take = !opened.isEmpty()     ? AutosaveSlot::Take::Fresh
                          : set.rememberSession ? AutosaveSlot::Take::Last
                                                : AutosaveSlot::Take::Crashed;
        const auto slot = scripted ? nullptr : AutosaveSlot::claim(autosaveFolder(), take);
        const QString autosave = slot ? slot->file() : QString();
        MainWindow window({Engine::real(scripted ? std::filesystem::path() : diagnosesFolder()),
                           hasCudaDevice(), autosave, scripted ? QString() : textHistoryFile()});
        if (options.width > 0 && options.height > 0) window.resize(options.width, options.height);
        window.show();
        const SignalQuit signalQuit;
        if (opened.isEmpty()) {
            begin(window, options, startState(options, autosave, set));
        } else {
            window.openSession(opened);
        }
        if (scripted) takeScreenshot(window, options.screenshot);
        code = QApplication::exec();
    }
    qInstallMessageHandler(nullptr);
    return code;
}

} // namespace headscope::ui
