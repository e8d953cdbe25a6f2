// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"
#include "ui/charts/class_chart.h"
#include "ui/charts/distance_chart.h"
#include "ui/charts/offset_chart.h"
#include "ui/charts/texts_chart.h"

#include <vector>

/// What the charts show of a diagnosis (means over its texts) and of a head on the text of a run.
namespace headscope::ui {

std::vector<HeadPoint> entropyPoints(const Diagnosis& diagnosis, AttentionKind kind);
/// Of heads with a learned sink: on that, where it takes more than any key.
std::vector<HeadPoint> sinkPoints(const Diagnosis& diagnosis, AttentionKind kind);
std::vector<DistancePoint> distancePoints(const Diagnosis& diagnosis, AttentionKind kind);
std::vector<ClassBar> classBars(const DiagnosedHead& head); ///< empty: no text's tokens are known
/// `label` is one of a head's: listed, or tested and unlisted.
TextDots textDots(const Diagnosis& diagnosis, const HeadLabel& label);

std::vector<ClassBar> classBars(const HeadMetrics& metrics); ///< empty: the tokens are not known
/// With even weights where the map's rows are those of the metrics. Empty: cross-attention, or no rows.
std::vector<OffsetBar> offsetBars(const HeadMetrics& metrics, const HeadMap& map);

} // namespace headscope::ui
