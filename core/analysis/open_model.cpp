// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"
#include "core/analysis/open_attention.h"
#include "core/checkpoint/foreign_content.h"
#include "core/model/torch_errors.h"

#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>

namespace headscope {

namespace {

/// A tokenizer that cannot be read leaves the model to token ids; texts are refused with the reason.
void openTokenizer(OpenModel& opened, const NoteSink& addNote) {
    if (!holdsTokenizer(opened.checkpoint)) return;
    try {
        opened.tokenizer = loadTokenizer(opened.checkpoint, addNote);
    } catch (const Error& error) {
        opened.tokenizerProblem = error.parts();
        std::string sentence = error.sentence();
        if (sentence.ends_with('.')) sentence.pop_back(); // notes have none
        addNote(sentence);
    }
}

std::string nameOf(const Checkpoint& checkpoint) {
    std::string name = checkpoint.name;
    if (!checkpoint.adapter.empty())
        name = fmt::format("{} + {}", name, escapeForMessage(checkpoint.adapter.filename().string()));
    if (!checkpoint.quantisation.empty())
        name = fmt::format("{} (quantised weights: {})", name, checkpoint.quantisation);
    return name;
}

std::shared_ptr<const OpenModel> open(Checkpoint checkpoint, DeviceChoice device, const CancelToken& cancel,
                                      const ProgressSink& progress) {
    auto opened = std::make_shared<OpenModel>();
    opened->checkpoint = std::move(checkpoint);
    opened->folder = opened->checkpoint.folder;
    opened->name = nameOf(opened->checkpoint);
    opened->notes = opened->checkpoint.notes;
    const NoteSink addNote = [&](const std::string& note) { opened->notes.push_back(note); };
    // The spec first: an unsupported family is worth saying before anything about its tokenizer.
    specOf(opened->checkpoint);
    openTokenizer(*opened, addNote);
    opened->model = loadModel(opened->checkpoint, device, cancel, progress);
    std::vector<std::string> found = opened->model->notes();
    std::move(found.begin(), found.end(), std::back_inserter(opened->notes));
    return opened;
}

} // namespace

void translatingErrors(const std::function<void()>& work) {
    translatingTorchErrors(work);
}

std::shared_ptr<const OpenModel> openModel(const std::filesystem::path& path, const OpenRules& rules,
                                           const CancelToken& cancel, const ProgressSink& progress) {
    std::shared_ptr<const OpenModel> opened;
    translatingErrors([&] {
        const bool isMaps = isAttentionFile(path);
        if (isMaps && !rules.adapter.empty())
            fail(messageName(rules.adapter), "an adapter was given together with an attention file",
                 "expected a model, which has weights to add to");
        opened = isMaps ? openAttention(path, rules.reading, cancel)
                        : open(openCheckpoint(path, rules.adapter), rules.device, cancel, progress);
    });
    return opened;
}

} // namespace headscope
