// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"
#include "core/imported/attention_reader.h"

#include <filesystem>
#include <memory>

namespace headscope {

/// Judges the maps of an attention file (see attention_file.h) as one text. What takes scores, values or
/// hidden states is not tested, nor without tokens what takes these; all else is as the model itself would be
/// judged. Throws Error as readAttentionFile() does.
std::shared_ptr<const Diagnosis> diagnoseFile(const std::filesystem::path& path, const ReadingRules& rules,
                                              const DiagnosisEvents& events, const CancelToken& cancel);

} // namespace headscope
