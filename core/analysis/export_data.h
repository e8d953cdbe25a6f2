// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/export_part.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string_view>

namespace headscope {

enum class DataFormat { Csv, Npy, Json };

std::optional<DataFormat> dataFormatOf(std::string_view extension); ///< "csv", "npy", "json"

/// Who wants to know and to stop.
struct ExportEvents {
    CancelToken cancel;
    ProgressSink progress; ///< unit "head"
};

/// Writes the weights of a part, streaming: memory stays at a few rows whatever the length. Weights are
/// float32 in their shortest exact decimal form; cells that a query may not see are 0. The file appears only
/// when complete. Throws Error (unwritable, disk full, cancelled).
///   csv   one head: a matrix, the key tokens as header, the query tokens as first column;
///         several: kind,layer,head,query,key,weight,query_token,key_token, one line a cell (query, key:
///         positions)
///   npy   float32 [queries, keys], or [heads, queries, keys] for several
///   json  see resources/help/export-json.md
void writeData(const ExportPart& part, DataFormat format, const std::filesystem::path& target,
               const ExportEvents& events);

/// A CSV field, quoted as RFC 4180 says where it must be.
std::string csvField(std::string_view text);

/// Hands out the rows of a map in blocks, from the first: [rows.size(), columns] each. Polls `cancel` before
/// each.
void forEachStrip(const HeadMap& map, const CancelToken& cancel,
                  const std::function<void(Span rows, MatrixView<const float> weights)>& use);

} // namespace headscope
