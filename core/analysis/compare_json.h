// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/compare.h"
#include "core/analysis/export_data.h"

#include <filesystem>

namespace headscope {

/// Writes a comparison as JSON (schema: resources/help/compare-json.md), one matrix row a line. Throws Error
/// as writeData() does.
void writeComparisonJson(const HeadComparison& comparison, const std::filesystem::path& target,
                         const ExportEvents& events);

} // namespace headscope
