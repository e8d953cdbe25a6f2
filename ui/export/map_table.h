// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/export_part.h"

#include <cstdint>
#include <string>

namespace headscope::ui {

/// Above it a table is no thing for a clipboard.
inline constexpr std::int64_t kMostCopiedCells = 1'000'000;

/// Map `index` of a part as a table for spreadsheets, UTF-8: tab-separated, the keys as header, the queries
/// as first column, weights in their shortest exact decimal form, cells that a query may not see empty.
/// Throws Error: more than kMostCopiedCells cells (with the number and the way out), cancelled.
std::string mapTable(const ExportPart& part, std::size_t index, const CancelToken& cancel);

} // namespace headscope::ui
