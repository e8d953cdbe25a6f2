// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagnosis.h"

#include <filesystem>
#include <vector>

namespace headscope {

/// Texts to judge heads by from a file in UTF-8, one a line (lines end at U+000A), each read by `rules`;
/// empty lines are skipped. Where the model has a decoder, what follows a tab is the target. Throws Error:
/// unreadable, larger than 64 MB, invalid UTF-8, no text at all.
std::vector<DiagnosisText> readTextsFile(const std::filesystem::path& file, const TextInput& rules,
                                         bool hasDecoder);

} // namespace headscope
