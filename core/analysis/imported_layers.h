// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/imported/attention_reader.h"

#include <memory>
#include <vector>

namespace headscope {

/// Measures and judges maps that were read from a file as LayerCollector does those of a pass. What takes
/// scores, values or hidden states is not known: score metrics, output norms, causes. Of `events`, layer and
/// progress are called. Throws Error when cancelled.
std::vector<std::shared_ptr<const LayerResult>>
measureImported(const ImportedAttention& file, const AnalysisEvents& events, const CancelToken& cancel);

} // namespace headscope
