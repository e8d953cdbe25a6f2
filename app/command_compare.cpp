// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/shared_options.h"
#include "core/analysis/compare.h"
#include "core/analysis/compare_json.h"
#include "core/analysis/export_part.h"
#include "core/analysis/output_path.h"

#if HEADSCOPE_WITH_QT
#include "ui/export/headless_pictures.h"
#endif

#include <string>
#include <utility>

namespace headscope::app {

namespace {

constexpr std::size_t kFarthestRows = 10;

void checkTarget(const CompareCommand& command) {
    OutputRules rules = {.modelFolder = {}, .inputs = inputFiles(command.input)};
    if (command.viewFile) rules.inputs.push_back(*command.viewFile);
    for (const auto& model : {command.model, command.secondModel.value_or(command.model)}) {
        rules.modelFolder = model;
        checkOutputFile(command.out, rules);
    }
}

ComparedSide sideOf(Session& session, const std::shared_ptr<const OpenModel>& model, TextInput input,
                    const HeadRef& head, const MapView& view) {
    requireHead(model->spec(), head); // before the pass is paid for
    return {analyseFor(session, model, std::move(input)), head, view};
}

bool isNumbers(const CompareCommand& command) {
    return extensionOf(command.out) == "json";
}

#if HEADSCOPE_WITH_QT

void writeComparison(const HeadComparison& comparison, const CompareCommand& command, Session& session) {
    const ui::HeadlessPictures pictures(session.argc, session.argv, session.console.notes());
    const std::string caption = pictures.writeComparison(comparison, command.picture, command.out);
    if (command.caption) writeResult(caption + '\n');
}

void requirePictures(const CompareCommand& /*command*/) {}

#else

void writeComparison(const HeadComparison& /*comparison*/, const CompareCommand& /*command*/,
                     Session& /*session*/) {}

void requirePictures(const CompareCommand& command) {
    fail(escapeForMessage(command.out.filename().string()),
         "pictures need Qt, and this program was built without it", {}, "choose .json");
}

#endif

} // namespace

void runCompare(const CompareCommand& command, Session& session) {
    if (!isNumbers(command)) requirePictures(command);
    checkTarget(command);
    const TextInput input = readInput(command.input);
    const auto model = openModelFor(session, command.model, command.common);
    CommonOptions secondCommon = command.common;
    secondCommon.opening = command.secondOpening;
    const auto secondModel =
        command.secondModel ? openModelFor(session, *command.secondModel, secondCommon) : model;
    TextInput secondInput = command.secondInput ? readInput(*command.secondInput) : input;
    if (command.secondText) {
        secondInput.text = *command.secondText;
        secondInput.ids.reset();
    }
    const auto refOf = [&](const OpenModel& one, const std::pair<LayerIndex, HeadIndex>& head) {
        return HeadRef{command.kind.value_or(defaultKind(one.spec())), head.first, head.second};
    };
    const ComparedSide first = sideOf(session, model, input, refOf(*model, command.first), command.firstView);
    ComparedSide second{first.analysis, refOf(*secondModel, command.second), command.secondView};
    if (command.secondModel || command.secondText || command.secondInput)
        second = sideOf(session, secondModel, std::move(secondInput), second.head, second.view);
    const HeadComparison comparison = compareHeads(first, second, kFarthestRows, session.cancel);
    if (!comparison.note.empty()) session.console.notes()(comparison.note);
    if (isNumbers(command))
        writeComparisonJson(comparison, command.out,
                            {.cancel = session.cancel, .progress = session.console.progress()});
    else
        writeComparison(comparison, command, session);
    session.console.clearProgress();
}

} // namespace headscope::app
