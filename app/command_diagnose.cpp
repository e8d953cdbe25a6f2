// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/diagnose_table.h"
#include "app/option_values.h"
#include "core/analysis/diagnose_file.h"
#include "core/analysis/diagnosis_json.h"
#include "core/analysis/open_attention.h"
#include "core/analysis/probe_battery.h"
#include "core/analysis/texts_file.h"

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

namespace headscope::app {

namespace {

std::vector<DiagnosisText> probesFor(const OpenModel& model, Console& console) {
    ProbeBattery battery = probeBattery(model);
    for (const LeftOutProbe& one : battery.leftOut) console.note(one.reason);
    if (battery.texts.empty())
        fail(model.name, "none of the texts that come with the program suits it", "expected an input",
             "give your own texts (--texts-file)");
    std::vector<DiagnosisText> texts;
    for (ProbeText& probe : battery.texts) texts.push_back({std::move(probe.name), std::move(probe.input)});
    return texts;
}

std::vector<DiagnosisText> inputOf(const DiagnoseCommand& command, const OpenModel& model, Console& console) {
    TextInput rules = readInput(command.input);
    if (command.textsFile) return readTextsFile(*command.textsFile, rules, model.spec().decoder.has_value());
    if (command.input.text || command.input.textFile || command.input.ids)
        return {{"input", std::move(rules)}};
    return probesFor(model, console);
}

std::shared_ptr<const Diagnosis> diagnoseModel(const DiagnoseCommand& command, const DiagnosisEvents& events,
                                               Session& session) {
    const auto model = openModelFor(session, command.model, command.common);
    return diagnose({model, inputOf(command, *model, session.console)}, events, session.cancel);
}

} // namespace

void runDiagnose(const DiagnoseCommand& command, Session& session) {
    const bool isFile = isAttentionFile(command.model);
    const ProgressSink progress = session.console.progress();
    DiagnosisEvents events;
    events.text = [&](std::size_t text, std::size_t texts) {
        if (progress && texts > 1)
            progress({"text", static_cast<std::int64_t>(text) + 1, static_cast<std::int64_t>(texts)});
    };
    // Of a single text the layers are told, of many the texts.
    if (isFile || command.input.text || command.input.textFile || command.input.ids)
        events.progress = progress;
    if (isFile) events.progress = progress;
    const auto diagnosis =
        isFile ? diagnoseFile(command.model, command.common.opening.reading, events, session.cancel)
               : diagnoseModel(command, events, session);
    session.console.clearProgress();
    for (const DiagnosedText& text : diagnosis->texts)
        for (const std::string& note : text.notes) session.console.note(text.name + ": " + note);
    writeResult(command.json ? diagnosisJson(*diagnosis) : diagnosisTable(*diagnosis));
}

} // namespace headscope::app
