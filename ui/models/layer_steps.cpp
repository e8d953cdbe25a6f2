// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_steps.h"

#include "ui/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <initializer_list>

namespace headscope::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("LayerSteps", text);
}

QString shapeOf(std::initializer_list<std::int64_t> sizes) {
    QStringList words;
    for (const std::int64_t size : sizes) words << QString::number(size);
    return words.join(QStringLiteral(" × "));
}

/// What the layer is made from.
struct Source {
    const AttentionSpec* attention = nullptr;
    const BranchSpec* branch = nullptr;
    std::int64_t queryWidth = 0;
    std::int64_t keyWidth = 0;
};

Source sourceOf(AttentionKind kind, std::size_t layer, const ModelSpec& spec) {
    const bool inDecoder = kind == AttentionKind::Decoder || kind == AttentionKind::Cross;
    if (inDecoder && !spec.decoder) return {};
    const TransformerSpec& stack = inDecoder ? *spec.decoder : spec.main;
    Source source{nullptr, nullptr, stack.hiddenSize, stack.hiddenSize};
    if (layer >= stack.blocks.size()) return source;
    const BlockSpec& block = stack.blocks[layer];
    if (kind != AttentionKind::Cross) {
        source.attention = &block.attention;
        source.branch = &block.attentionBranch;
    } else if (block.cross) {
        source.attention = &block.cross->attention;
        source.branch = &block.cross->branch;
        if (!spec.encoderToDecoder.exists()) source.keyWidth = spec.main.hiddenSize;
    }
    return source;
}

QString maskWords(const MaskRule& mask) {
    QStringList words;
    if (mask.causal) words << tr("causal: no query sees a later key");
    if (mask.window) words << tr("a window of %1").arg(*mask.window);
    if (!mask.keyAllowed.empty()) words << tr("padding hidden");
    if (mask.allowed) words << tr("a mask of its own");
    return words.isEmpty() ? tr("no mask: every query sees every key")
                           : tr("mask: %1").arg(words.join(QStringLiteral(", ")));
}

QString termWords(const ScoreRule& rule) {
    QStringList words;
    if (rule.position) {
        const PositionTerms& terms = *rule.position;
        if (!terms.query.empty()) words << tr("+ content to position");
        if (!terms.key.empty()) words << tr("+ position to content");
        if (!terms.keyBias.empty()) words << tr("+ position bias");
        if (!terms.distanceBias.empty()) words << tr("+ distance bias");
        if (!terms.segment.empty()) words << tr("+ segment term");
    }
    if (rule.softCap) words << tr("soft cap %1").arg(static_cast<double>(*rule.softCap));
    return words.join(QStringLiteral(", "));
}

/// What happens to q and k of each head before they meet.
QString beforeMeeting(const AttentionSpec* attention) {
    if (attention == nullptr) return {};
    QStringList words;
    if (attention->headNorm) words << tr("q and k normalised");
    if (attention->rotary) words << tr("q and k rotated by position");
    return words.join(QStringLiteral(", "));
}

} // namespace

std::vector<LayerStep> layerSteps(const LayerResult& layer, const ModelSpec& spec) {
    if (!layer.maps) return {};
    const LayerMaps& maps = *layer.maps;
    const auto [queries, keys] = maps.extent();
    const std::int64_t size = maps.headSize;
    const std::int64_t heads = maps.heads;
    const std::int64_t shared = maps.keyValueHeads;
    const Source source = sourceOf(layer.kind, static_cast<std::size_t>(layer.layer.value), spec);
    if (source.queryWidth == 0) return {};
    const std::int64_t width = source.queryWidth;

    std::vector<LayerStep> steps;
    if (layer.kind == AttentionKind::Cross) {
        steps.push_back({{},
                         {},
                         {{tr("X, of the decoder"), shapeOf({queries, width})},
                          {tr("Y, of the encoder"), shapeOf({keys, source.keyWidth})}}});
    } else {
        steps.push_back({{}, {}, {{tr("X, token states"), shapeOf({queries, width})}}});
    }
    const bool normalised = source.branch != nullptr && source.branch->before.has_value();
    steps.push_back({tr("times W_Q, W_K, W_V"),
                     normalised ? tr("X normalised before") : QString(),
                     {{tr("Q"), shapeOf({queries, heads * size})},
                      {tr("K"), shapeOf({keys, shared * size})},
                      {tr("V"), shapeOf({keys, shared * size})}}});
    steps.push_back({shared == heads
                         ? tr("split into %1 heads").arg(heads)
                         : tr("split into %1 heads, %2 of keys and values").arg(heads).arg(shared),
                     beforeMeeting(source.attention),
                     {{tr("q"), shapeOf({heads, queries, size})},
                      {tr("k"), shapeOf({shared, keys, size})},
                      {tr("v"), shapeOf({shared, keys, size})}}});
    steps.push_back({tr("q · k × %1").arg(numberText(static_cast<double>(maps.rule.scale), 4)),
                     termWords(maps.rule),
                     {{tr("Scores"), shapeOf({heads, queries, keys})}}});
    steps.push_back(
        {maskWords(maps.rule.mask),
         maps.rule.sinks.empty() ? tr("softmax of each row") : tr("softmax of each row and a learned sink"),
         {{tr("A, the maps"), shapeOf({heads, queries, keys})}}});
    steps.push_back({tr("A times v"), {}, {{tr("Head outputs"), shapeOf({heads, queries, size})}}});
    steps.push_back({tr("heads side by side"), {}, {{tr("Joined"), shapeOf({queries, heads * size})}}});
    steps.push_back({tr("times W_O, %1").arg(shapeOf({heads * size, width})),
                     {},
                     {{tr("Output"), shapeOf({queries, width})}}});
    return steps;
}

} // namespace headscope::ui
