// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/analysis/attention_reader.h"

#include <memory>
#include <vector>

namespace headscope {

/// Measures and judges maps that were read from a file as LayerCollector does those of a pass. What takes
/// scores, values or hidden states is not known: score metrics, output norms, causes. Throws Error when
/// cancelled.
std::vector<std::shared_ptr<const LayerResult>>
measureImported(const ImportedAttention& file, const CancelToken& cancel, const ProgressSink& progress);

} // namespace headscope
