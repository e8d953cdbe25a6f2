// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/imported/attention_reader.h"

#include <filesystem>
#include <memory>

namespace headscope {

/// Whether a path is taken as an attention file, not as a model: by its name, unless a folder has it. What is
/// not there is refused as what its name says.
bool isAttentionFile(const std::filesystem::path& path);

/// Opens maps that were computed elsewhere as if they were a model: its kinds, layers and heads are those of
/// the file, its family is "attention file", and it cannot be run. Throws as readAttentionFile(), and for
/// layers of one kind that differ in heads.
std::shared_ptr<const OpenModel> openAttention(const std::filesystem::path& file, const ReadingRules& rules,
                                               const CancelToken& cancel);

/// What the file holds, measured and judged as a pass would be (see measureImported()). Positions stand in
/// place of tokens that the file does not name.
std::shared_ptr<const Analysis> analysisOfImported(const std::shared_ptr<const OpenModel>& model,
                                                   const AnalysisEvents& events, const CancelToken& cancel);

} // namespace headscope
