// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "core/analysis/open_attention.h"
#include "core/analysis/pass_estimate.h"
#include "core/base/file.h"
#include "core/base/utf8.h"
#include "core/tokenizer/text_limit.h"

#include <utility>

namespace headscope::app {

namespace {

constexpr double kLongPass = 5.0; ///< s; shorter ones are not announced

} // namespace

std::shared_ptr<const OpenModel> openModelFor(Session& session, const std::filesystem::path& folder,
                                              const CommonOptions& common) {
    setTorchThreads(common.threads);
    auto model = openModel(folder, common.opening, session.cancel, session.console.progress());
    session.console.clearProgress();
    for (const std::string& note : model->notes) session.console.note(note);
    return model;
}

void requireModel(const std::filesystem::path& path) {
    if (isAttentionFile(path))
        fail(escapeForMessage(path.filename().string()),
             "it holds maps that were computed already, and no model that could be run",
             "expected a model's folder");
}

TextInput readInput(const InputOptions& options) {
    TextInput input;
    if (options.textFile) {
        input.text = readWholeFile(*options.textFile, kMaxTextBytes);
        requireUtf8(input.text, escapeForMessage(options.textFile->filename().string()));
    } else if (options.text) {
        input.text = *options.text;
        requireUtf8(input.text, "input");
    }
    if (options.pair) requireUtf8(*options.pair, "--pair");
    input.pair = options.pair;
    input.ids = options.ids;
    if (options.target) requireUtf8(*options.target, "--target");
    input.target = options.target;
    input.targetIds = options.targetIds;
    input.writeTarget = options.writeTarget;
    input.addSpecial = !options.noSpecial;
    if (options.truncate) input.length = LengthPolicy::Truncate;
    if (options.piece) {
        input.length = LengthPolicy::Piece;
        input.piece = *options.piece;
    }
    return input;
}

std::shared_ptr<const Analysis> analyseFor(Session& session, std::shared_ptr<const OpenModel> model,
                                           TextInput input) {
    AnalysisEvents events;
    events.estimate = [&](const PassEstimate& estimate) {
        if (estimate.seconds >= kLongPass || estimate.streamedBytes > 0)
            session.console.note("this pass will take " + estimateText(estimate));
    };
    events.progress = session.console.progress();
    auto analysis = analyse({std::move(model), std::move(input)}, events, session.cancel);
    session.console.clearProgress();
    for (const std::string& note : analysis->notes) session.console.note(note);
    return analysis;
}

std::vector<std::filesystem::path> inputFiles(const InputOptions& options) {
    if (options.textFile) return {*options.textFile};
    return {};
}

} // namespace headscope::app
