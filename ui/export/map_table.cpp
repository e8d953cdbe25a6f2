// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/map_table.h"

#include "core/analysis/export_data.h"
#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace headscope::ui {

namespace {

/// Quoted where a spreadsheet would otherwise take it apart.
std::string cellText(const std::string& label) {
    if (label.find_first_of("\"\t\r\n") == std::string::npos) return label;
    std::string quoted = "\"";
    for (const char c : label) {
        if (c == '"') quoted.push_back('"');
        quoted.push_back(c);
    }
    quoted.push_back('"');
    return quoted;
}

void writeRow(std::string& table, std::span<const Span> visible, const float* weights, std::int64_t columns) {
    for (std::int64_t j = 0; j < columns; ++j) {
        table.push_back('\t');
        if (std::ranges::any_of(visible, [j](const Span& span) { return span.contains(j); }))
            fmt::format_to(std::back_inserter(table), "{}", weights[j]);
    }
}

} // namespace

std::string mapTable(const ExportPart& part, std::size_t index, const CancelToken& cancel) {
    const Axis& queries = *part.axes.queries.axis;
    const Axis& keys = *part.axes.keys.axis;
    const std::int64_t cells = queries.size() * keys.size();
    if (cells > kMostCopiedCells)
        fail("table", fmt::format("the map has {} x {} = {} cells", queries.size(), keys.size(), cells),
             fmt::format("at most {} are copied", kMostCopiedCells), "export it as CSV, or a part of it");
    std::string table;
    for (const AxisEntry& key : keys.entries) table.append("\t").append(cellText(key.label));
    table.push_back('\n');
    const auto map = part.map(index, cancel);
    std::vector<Span> visible;
    forEachStrip(*map, cancel, [&](Span rows, MatrixView<const float> weights) {
        for (std::int64_t i = 0; i < weights.rows; ++i) {
            const std::int64_t row = rows.begin + i;
            table += cellText(queries.entries[static_cast<std::size_t>(row)].label);
            map->visibleSpans(row, visible);
            writeRow(table, visible, &weights.at(i, 0), weights.columns);
            table.push_back('\n');
        }
    });
    return table;
}

} // namespace headscope::ui
