// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/gallery.h"
#include "core/analysis/export_data.h"
#include "core/analysis/export_part.h"
#include "core/analysis/output_path.h"

#if HEADSCOPE_WITH_QT
#include "ui/export/headless_pictures.h"
#endif

#include <string>
#include <variant>

namespace headscope::app {

namespace {

using Grid = ExportCommand::Grid;

std::vector<HeadRef> headsOf(const ExportCommand& command, const ModelSpec& spec, AttentionKind kind) {
    std::vector<HeadRef> heads;
    if (const auto* list = std::get_if<ExportCommand::Heads>(&command.what)) {
        for (const auto& [layer, head] : list->list) heads.push_back({kind, layer, head});
        if (heads.size() == 1) heads = shownHeads(spec, heads.front(), command.view); // as in the window
    } else if (const auto* layer = std::get_if<ExportCommand::Layer>(&command.what)) {
        heads = headsOfLayer(spec, kind, layer->index);
    } else {
        heads = allHeads(spec, kind);
    }
    for (const HeadRef& head : heads) requireHead(spec, head);
    return heads;
}

std::optional<DataFormat> dataFormatOfCommand(const ExportCommand& command) {
    const std::string extension = command.out.extension().string();
    return extension.empty() ? std::nullopt : dataFormatOf(extension.substr(1));
}

void checkTarget(const ExportCommand& command) {
    OutputRules rules = {.modelFolder = command.model, .inputs = inputFiles(command.input)};
    if (command.viewFile) rules.inputs.push_back(*command.viewFile);
    if (const auto* all = std::get_if<ExportCommand::All>(&command.what))
        checkOutputFolder(all->folder, rules);
    else
        checkOutputFile(command.out, rules);
}

#if HEADSCOPE_WITH_QT

void writePictures(const ExportCommand& command, const ExportPart& part, Session& session) {
    const ui::HeadlessPictures pictures(session.argc, session.argv, session.console.notes());
    std::string caption;
    if (const auto* all = std::get_if<ExportCommand::All>(&command.what))
        writeGallery(part, command.picture, pictures, {all->folder, session});
    else if (std::holds_alternative<Grid>(command.what))
        caption = pictures.writeGrid(*part.analysis, part.heads.front().kind, command.picture, command.out);
    else if (command.text)
        caption = pictures.writeText(part, *command.text, command.picture, command.out);
    else if (command.lines)
        caption = pictures.writeLines(part, *command.lines, command.picture, command.out);
    else
        caption = pictures.writeHeads(part, command.picture, command.out);
    if (command.caption) writeResult(caption + '\n');
}

void requirePictures(const ExportCommand& /*command*/) {}

#else

void writePictures(const ExportCommand& /*command*/, const ExportPart& /*part*/, Session& /*session*/) {}

void requirePictures(const ExportCommand& command) {
    const std::string what =
        command.out.empty() ? "--all" : escapeForMessage(command.out.filename().string());
    fail(what, "pictures need Qt, and this program was built without it", {}, "choose .csv, .npy or .json");
}

#endif

} // namespace

void runExport(const ExportCommand& command, Session& session) {
    const std::optional<DataFormat> data = dataFormatOfCommand(command);
    if (!data) requirePictures(command);
    checkTarget(command); // what can be refused is refused before the model and the pass are paid for
    TextInput input = readInput(command.input);
    const auto model = openModelFor(session, command.model, command.common);
    const AttentionKind kind = command.kind.value_or(defaultKind(model->spec()));
    PartRequest request = {.heads = headsOf(command, model->spec(), kind),
                           .view = command.view,
                           .part = {command.rows, command.columns}};
    const ExportPart part = resolvePart(analyseFor(session, model, std::move(input)), request);
    if (data)
        writeData(part, *data, command.out,
                  {.cancel = session.cancel, .progress = session.console.progress()});
    else
        writePictures(command, part, session);
    session.console.clearProgress();
}

} // namespace headscope::app
