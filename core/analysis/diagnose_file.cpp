// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagnose_file.h"

#include "core/analysis/diagnosis_builder.h"
#include "core/analysis/imported_layers.h"

#include <chrono>

namespace headscope {

std::shared_ptr<const Diagnosis> diagnoseFile(const std::filesystem::path& path, const ReadingRules& rules,
                                              const DiagnosisEvents& events, const CancelToken& cancel) {
    const auto started = std::chrono::steady_clock::now();
    if (events.text) events.text(0, 1);
    auto result = std::make_shared<Diagnosis>();
    translatingErrors([&] {
        const ImportedAttention file = readAttentionFile(path, rules, cancel);
        AnalysisEvents measuring;
        measuring.progress = events.progress;
        const auto layers = measureImported(file, measuring, cancel);
        DiagnosisBuilder builder;
        builder.addText({.name = "input",
                         .tokens = file.sourceTokens > 0 ? file.sourceTokens : file.targetTokens,
                         .sourceAxis = file.sourceAxis,
                         .targetAxis = file.targetAxis,
                         .notes = file.notes},
                        layers, cancel);
        *result = builder.finish();
        result->model = file.name;
    });
    result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return result;
}

} // namespace headscope
