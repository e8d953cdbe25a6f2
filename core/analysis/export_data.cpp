// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/export_data.h"

#include "core/analysis/export_json.h"
#include "core/analysis/output_path.h"
#include "core/base/file.h"
#include "core/checkpoint/numpy.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>

namespace headscope {

std::optional<DataFormat> dataFormatOf(std::string_view extension) {
    if (extension == "csv") return DataFormat::Csv;
    if (extension == "npy") return DataFormat::Npy;
    if (extension == "json") return DataFormat::Json;
    return std::nullopt;
}

std::string csvField(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

void forEachStrip(const HeadMap& map, const CancelToken& cancel,
                  const std::function<void(Span rows, MatrixView<const float> weights)>& use) {
    constexpr std::int64_t kFloats = std::int64_t{1}
                                     << 20; // 4 MB: large enough for whole rows, small beside a model
    const Extent extent = map.extent();
    const std::int64_t step =
        std::clamp<std::int64_t>(kFloats / std::max<std::int64_t>(extent.columns, 1), 1, 256);
    std::vector<float> strip(static_cast<std::size_t>(std::min(step, extent.rows) * extent.columns));
    for (std::int64_t first = 0; first < extent.rows; first += step) {
        cancel.throwIfCancelled();
        const Span rows = {first, std::min(first + step, extent.rows)};
        const MatrixView<float> view(strip.data(), rows.size(), extent.columns);
        map.tile(rows, {0, extent.columns}, view);
        use(rows, view);
    }
}

namespace {

void report(const ExportEvents& events, std::size_t done, std::size_t total) {
    if (events.progress)
        events.progress({"head", static_cast<std::int64_t>(done), static_cast<std::int64_t>(total)});
}

const std::string& pieceOf(const Axis& axis, std::int64_t index) {
    return axis.entries[static_cast<std::size_t>(index)].piece;
}

void writeCsvMatrix(const ExportPart& part, AtomicFile& file, const ExportEvents& events) {
    std::string line;
    for (const AxisEntry& key : part.axes.keys.axis->entries) line += ',' + csvField(key.piece);
    file.write(line + '\n');
    forEachStrip(*part.map(0, events.cancel), events.cancel, [&](Span rows, MatrixView<const float> weights) {
        for (std::int64_t i = 0; i < weights.rows; ++i) {
            line = csvField(pieceOf(*part.axes.queries.axis, rows.begin + i));
            for (std::int64_t j = 0; j < weights.columns; ++j)
                fmt::format_to(std::back_inserter(line), ",{}", weights.at(i, j));
            file.write(line += '\n');
        }
    });
}

void writeCsvLong(const ExportPart& part, AtomicFile& file, const ExportEvents& events) {
    file.write("kind,layer,head,query,key,weight,query_token,key_token\n");
    std::vector<std::string> keyFields;
    for (const AxisEntry& key : part.axes.keys.axis->entries) keyFields.push_back(csvField(key.piece));
    for (std::size_t h = 0; h < part.size(); ++h) {
        const HeadRef& head = part.heads[h];
        const std::string start =
            fmt::format("{},{},{}", nameOf(head.kind), head.layer.value, head.head.value);
        forEachStrip(
            *part.map(h, events.cancel), events.cancel, [&](Span rows, MatrixView<const float> weights) {
                std::string lines;
                for (std::int64_t i = 0; i < weights.rows; ++i) {
                    const auto row = static_cast<std::size_t>(rows.begin + i);
                    const std::string query = csvField(part.axes.queries.axis->entries[row].piece);
                    for (std::size_t j = 0; j < part.axes.keys.positions.size(); ++j)
                        fmt::format_to(std::back_inserter(lines), "{},{},{},{},{},{}\n", start,
                                       part.axes.queries.positions[row], part.axes.keys.positions[j],
                                       weights.at(i, static_cast<std::int64_t>(j)), query, keyFields[j]);
                    file.write(lines);
                    lines.clear();
                }
            });
        report(events, h + 1, part.size());
    }
}

void writeCsv(const ExportPart& part, const std::filesystem::path& target, const ExportEvents& events) {
    AtomicFile file(target);
    if (part.size() == 1)
        writeCsvMatrix(part, file, events);
    else
        writeCsvLong(part, file, events);
    file.commit();
}

void writeNpyPart(const ExportPart& part, const std::filesystem::path& target, const ExportEvents& events) {
    std::vector<std::int64_t> shape;
    if (part.size() > 1) shape.push_back(static_cast<std::int64_t>(part.size()));
    shape.push_back(static_cast<std::int64_t>(part.axes.queries.positions.size()));
    shape.push_back(static_cast<std::int64_t>(part.axes.keys.positions.size()));
    requireDiskSpace(target, part.size() * part.axes.queries.positions.size() *
                                 part.axes.keys.positions.size() * sizeof(float));
    writeNpy(target, shape, [&](const std::function<void(std::span<const float>)>& emit) {
        for (std::size_t h = 0; h < part.size(); ++h) {
            forEachStrip(*part.map(h, events.cancel), events.cancel,
                         [&](Span, MatrixView<const float> weights) {
                             emit({weights.data, static_cast<std::size_t>(weights.rows * weights.columns)});
                         });
            report(events, h + 1, part.size());
        }
    });
}

} // namespace

void writeData(const ExportPart& part, DataFormat format, const std::filesystem::path& target,
               const ExportEvents& events) {
    switch (format) {
    case DataFormat::Csv:
        return writeCsv(part, target, events);
    case DataFormat::Npy:
        return writeNpyPart(part, target, events);
    case DataFormat::Json:
        return writeJson(part, target, events);
    }
}

} // namespace headscope
