// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "core/analysis/attention_file.h"
#include "core/analysis/output_path.h"
#include "core/analysis/written_target.h"

#include <utility>

namespace headscope::app {

void runRun(const RunCommand& command, Session& session) {
    requireModel(command.model);
    // Everything that can be refused is refused before the model and the pass are paid for.
    checkOutputFile(command.out, {.modelFolder = command.model, .inputs = inputFiles(command.input)});
    TextInput input = readInput(command.input);
    const auto model = openModelFor(session, command.model, command.common);
    if (input.writeTarget) { // its length decides how much is written here
        WrittenTarget target = writeTarget(*model, input, session.cancel, session.console.progress());
        session.console.clearProgress();
        for (const std::string& note : target.notes) session.console.note(note);
        input.targetIds = std::move(target.ids);
        input.writeTarget = false;
    }
    SequenceLengths lengths{tokenizeText(*model, input).axis->size()};
    if (const auto target = tokenizeTarget(*model, input)) lengths.target = target->axis->size();
    requireDiskSpace(command.out, denseMapsBytes(model->spec(), lengths));
    const auto analysis = analyseFor(session, model, std::move(input));
    const ExportEvents events = {.cancel = session.cancel, .progress = session.console.progress()};
    const std::string extension = command.out.extension().string().substr(1);
    writeAttentionFile(*analysis, attentionFileFormatOf(extension).value(), command.out, events);
    session.console.clearProgress();
}

} // namespace headscope::app
