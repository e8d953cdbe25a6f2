// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagnose_file.h"

#include "core/analysis/diagnosis_builder.h"
#include "core/analysis/imported_layers.h"

#include <chrono>

namespace headscope {

namespace {

/// Of the single stack or the encoder; of the decoder where the file has nothing else.
std::int64_t sourceTokens(const ImportedAttention& file) {
    for (const ImportedLayer& layer : file.layers)
        if (layer.kind != AttentionKind::Decoder) return layer.mask.keys;
    return file.layers.front().mask.keys;
}

} // namespace

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
                         .tokens = sourceTokens(file),
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
