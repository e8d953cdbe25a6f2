// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "core/diagnosis/labels.h"

#include <QString>

#include <span>

namespace headscope::ui {

/// UTF-8 of the core as a QString.
QString fromUtf8(std::string_view text);
/// "38 ms", "1.9 s", "2 min 5 s".
QString durationText(double seconds);
/// "24.6 k", "22.7 M", "1.2 B": counts of weights as the field writes them.
QString countText(std::int64_t count);
/// "1 token", "32 tokens".
QString tokensText(std::int64_t count);
/// A weight or score: `digits` decimals, or 1e-05 where that would hide it.
QString numberText(double value, int digits = 3);
/// “said”, special tokens without quotes: [CLS].
QString tokenText(const AxisEntry& entry);
/// "Head 3.1", "Layer 3, mean of 12 heads", "Mean of heads 3.1, 4.0", "Rollout to layer 3".
QString headsName(std::span<const HeadRef> heads, HeadsShown how);
/// The same in the middle of a sentence: "head 3.1", "the mean of layer 3".
QString nameInSentence(const HeadRef& head, HeadsShown how);
/// What else is done to a map: "times value norms, by words"; empty where nothing is.
QString viewDetails(const MapView& view);
/// Both.
QString shownName(std::span<const HeadRef> heads, const MapView& view);
/// The title of something from a model, which says where its weights are quantised.
QString withQuantisation(const Analysis& analysis, const QString& title);
/// "self-attention", "cross-attention", ...
QString kindText(AttentionKind kind);
QString shortKindText(AttentionKind kind); ///< one word
/// "Sink", "Uniform", "Stuck", "Too short to judge".
QString labelText(Label label);
/// Words for the key of a Measure: "Weight on the top key".
QString measureText(const std::string& name);
/// "bert · 6 layers × 12 heads · head size 32"
QString familyText(const ModelSpec& spec);
/// One or two sentences on a head: what was found, on which key.
QString verdictText(const HeadResult& head, const Axis& keys);
/// The head's numbers as plain lines, for the clipboard.
QString headReport(const HeadRef& ref, const HeadResult& head, const Axis& keys);

} // namespace headscope::ui
