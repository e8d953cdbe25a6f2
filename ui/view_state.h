// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/map_view.h"
#include "core/maps/attention_kind.h"
#include "core/maps/head_map.h"
#include "core/raster/colormap.h"
#include "core/raster/display_range.h"
#include "ui/heatmap/map_viewport.h"
#include "ui/model_choice.h"
#include "ui/reading/line_picks.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>

class QJsonObject;

namespace headscope {
class Json;
}

namespace headscope::ui {

/// The version written into saved views; others are refused.
inline constexpr int kViewStateVersion = 1;

/// What the centre of the window shows.
enum class CentrePage { Explore, Diagnose, Compare };
/// "explore", "diagnose", "compare": the words of the command line and of saved views.
std::optional<CentrePage> centrePageOf(const QString& word);

/// How the chosen head is shown: as a map, over the text, or as lines between the tokens.
enum class HeadForm { Map, Text, Lines };
/// "map", "text", "lines": the words of the command line and of saved views.
std::optional<HeadForm> headFormOf(const QString& word);

/// What an analysis is made from.
struct ViewInput {
    ModelChoice model;
    QString text;
    QString pair;
    bool showPair = false;
    QString target; ///< what the decoder reads, for models that have one; empty: its start token alone
    bool writeTarget = false; ///< the model writes its target itself, and `target` waits
    LengthPolicy length = LengthPolicy::Refuse;
    std::int64_t piece = 0; ///< 0-based, with LengthPolicy::Piece

    /// What the tokenizer and the model are given.
    TextInput textInput() const;
    /// True when both lead to the same analysis.
    bool sameInput(const ViewInput& other) const;

    friend bool operator==(const ViewInput&, const ViewInput&) = default;
};

/// What is shown, as one plain value: model, text, head, selection and display all derive from it. Saved as
/// versioned JSON; undo steps are pairs of it.
struct ViewState : ViewInput {
    AttentionKind kind = AttentionKind::Self;
    int layer = 0;
    int head = 0;
    std::optional<std::int64_t> query;
    std::optional<std::int64_t> key;
    MapView view; ///< how the map of the head is shown
    DisplayRange range;
    Colormap colormap = Colormap::Viridis;
    Pooling pooling = Pooling::Max;
    bool readBy = false; ///< token strip: who reads the chosen key, instead of what the chosen query reads
    MapViewport viewport;
    CentrePage page = CentrePage::Explore;
    HeadForm form = HeadForm::Map;
    LinesShown lines;       ///< what the form Lines draws
    bool margins = false;   ///< strips beside the map: how widely rows read, how much columns get
    bool ownScales = false; ///< compared heads: each from 0 to its own end, instead of one scale for all

    HeadRef headRef() const { return {kind, LayerIndex(layer), HeadIndex(head)}; }

    friend bool operator==(const ViewState&, const ViewState&) = default;
};

QByteArray toJson(const ViewState& state);
/// Throws Error: no JSON, another version, a field of the wrong kind or out of its range. `subject` names the
/// file. Fields that are absent keep their defaults; fields that are not known are refused.
ViewState viewStateFromJson(const QByteArray& json, const QString& subject);

/// The same as a part of a larger document: `place` ("view.") stands before the names of fields in sentences,
/// and the version may be absent.
QJsonObject toJsonObject(const ViewState& state);
ViewState viewStateFromJson(const Json& value, const std::string& subject, const std::string& place);
/// Throws Error unless `value` is an object whose whole-number `field` is `version`.
void requireVersion(const Json& value, const char* field, int version, const std::string& subject);

/// "0:1", "auto", "row", "log" or "A:B": the words of the command line.
QString rangeText(const DisplayRange& range);

} // namespace headscope::ui
