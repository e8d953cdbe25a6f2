// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/analysis.h"

#include "core/analysis/layer_collector.h"
#include "core/analysis/model_input.h"
#include "core/analysis/open_attention.h"
#include "core/analysis/pass_estimate.h"
#include "core/analysis/weight_fingerprint.h"
#include "core/analysis/written_target.h"
#include "core/base/check.h"
#include "core/base/file.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace headscope {

namespace {

void requireFit(const TokenizedText& text, const char* subject) {
    if (text.fits()) return;
    const std::string pieces =
        text.pieces > 1
            ? fmt::format(", or take one of its {} pieces (--piece 0 to {})", text.pieces, text.pieces - 1)
            : std::string();
    fail(subject, fmt::format("it has {} tokens", text.axis->size()),
         fmt::format("expected at most {}, where the model's position table ends", *text.limit),
         "shorten it, truncate it (--truncate)" + pieces);
}

/// What is shown is not the whole text: that must be said.
void noteLength(Analysis& analysis) {
    if (analysis.target && analysis.target->axis->size() < analysis.target->fullLength)
        analysis.notes.push_back(fmt::format("the target was cut from {} to {} tokens",
                                             analysis.target->fullLength, analysis.target->axis->size()));
    const std::optional<std::int64_t>& trained = analysis.model->spec().trainedPositions;
    if (trained && analysis.text.axis->size() > *trained)
        analysis.notes.push_back(fmt::format("the text has {} tokens, the model was made for {}",
                                             analysis.text.axis->size(), *trained));
    const TokenizedText& text = analysis.text;
    if (text.axis->size() >= text.fullLength) return;
    if (analysis.input.length == LengthPolicy::Piece)
        analysis.notes.push_back(fmt::format("this is piece {} of 0 to {}: {} of {} tokens",
                                             analysis.input.piece, text.pieces - 1, text.axis->size(),
                                             text.fullLength));
    else
        analysis.notes.push_back(
            fmt::format("the text was cut from {} to {} tokens", text.fullLength, text.axis->size()));
}

SequenceLengths lengthsOf(const Analysis& analysis) {
    return {analysis.text.axis->size(), analysis.target ? analysis.target->axis->size() : 0};
}

std::shared_ptr<const Analysis> run(const AnalysisRequest& request, const AnalysisEvents& events,
                                    const CancelToken& cancel) {
    const auto started = std::chrono::steady_clock::now();
    auto analysis = std::make_shared<Analysis>();
    analysis->model = request.model;
    analysis->input = request.input;
    cancel.throwIfCancelled();
    if (request.input.writeTarget) {
        WrittenTarget written = writeTarget(*request.model, request.input, cancel, events.progress);
        analysis->input.targetIds = std::move(written.ids);
        analysis->notes = std::move(written.notes);
    }
    analysis->text = tokenizeText(*request.model, analysis->input);
    analysis->target = tokenizeTarget(*request.model, analysis->input);
    if (events.tokens) events.tokens(analysis->text, analysis->target);
    requireFit(analysis->text, "text");
    if (analysis->target) requireFit(*analysis->target, "target");
    const PassEstimate estimate = estimatePass(*request.model->model, lengthsOf(*analysis));
    requireMemory(estimate.bytes, availableMemoryBytes());
    if (events.estimate) events.estimate(estimate);

    const TokenFacts sourceFacts = tokenFacts(*analysis->text.axis);
    const TokenFacts targetFacts = analysis->target ? tokenFacts(*analysis->target->axis) : TokenFacts();
    LayerCollector collector(
        events.layer,
        [&](AttentionKind kind) {
            return kind == AttentionKind::Decoder && analysis->target ? &targetFacts : &sourceFacts;
        },
        [&](AttentionKind kind, LayerIndex layer) { return weightFingerprint(*request.model, kind, layer); });
    ForwardHooks hooks;
    hooks.observer = &collector;
    hooks.cancel = cancel;
    hooks.progress = events.progress;
    request.model->model->forward(modelInput(*request.model, analysis->text, analysis->target), hooks);
    analysis->layers = collector.layers();
    noteLength(*analysis);
    analysis->failedChecks = collector.notes();
    analysis->notes.insert(analysis->notes.end(), collector.notes().begin(), collector.notes().end());
    analysis->bytesKept = collector.bytesKept();
    analysis->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return analysis;
}

} // namespace

ModelInput modelInput(const OpenModel& model, const TokenizedText& text,
                      const std::optional<TokenizedText>& target) {
    ModelInput input;
    for (const Token& token : text.tokens) input.ids.push_back(token.id);
    if (model.spec().tokenTypes > 0)
        for (const Token& token : text.tokens) input.tokenTypes.push_back(token.typeId);
    if (target)
        for (const Token& token : target->tokens) input.decoderIds.push_back(token.id);
    return input;
}

Extent SequenceLengths::extentOf(AttentionKind kind) const {
    switch (kind) {
    case AttentionKind::Decoder:
        return {target, target};
    case AttentionKind::Cross:
        return {target, source};
    case AttentionKind::Self:
    case AttentionKind::Encoder:
        break;
    }
    return {source, source};
}

const Axis& Analysis::queryAxis(AttentionKind kind) const {
    const bool decoder = kind == AttentionKind::Decoder || kind == AttentionKind::Cross;
    return decoder && target ? *target->axis : *text.axis;
}

const Axis& Analysis::keyAxis(AttentionKind kind) const {
    return kind == AttentionKind::Decoder && target ? *target->axis : *text.axis;
}

const HeadResult* Analysis::find(const HeadRef& head) const {
    const auto layer =
        std::find_if(layers.begin(), layers.end(), [&](const std::shared_ptr<const LayerResult>& one) {
            return one->kind == head.kind && one->layer == head.layer;
        });
    if (layer == layers.end()) return nullptr;
    const std::vector<HeadResult>& heads = (*layer)->heads;
    if (head.head.value < 0 || static_cast<std::size_t>(head.head.value) >= heads.size()) return nullptr;
    return &heads[static_cast<std::size_t>(head.head.value)];
}

std::shared_ptr<const Analysis> analyse(const AnalysisRequest& request, const AnalysisEvents& events,
                                        const CancelToken& cancel) {
    HS_CHECK(request.model != nullptr);
    std::shared_ptr<const Analysis> analysis;
    translatingErrors([&] {
        analysis = request.model->imported ? analysisOfImported(request.model, events, cancel)
                                           : run(request, events, cancel);
    });
    return analysis;
}

} // namespace headscope
