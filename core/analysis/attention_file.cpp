// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attention_file.h"

#include "core/analysis/export_json.h"
#include "core/base/utf8.h"
#include "core/checkpoint/numpy.h"
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headscope {

namespace {

using Emit = std::function<void(std::span<const std::byte>)>;

std::string nameOfLayer(const LayerResult& layer) {
    return fmt::format("{}.{}", nameOf(layer.kind), layer.layer.value);
}

std::vector<std::int64_t> shapeOf(const LayerResult& layer) {
    const Extent extent = layer.maps->extent();
    return {static_cast<std::int64_t>(layer.heads.size()), extent.rows, extent.columns};
}

/// What stands beside the tensors, the same for both formats.
struct Beside {
    std::vector<std::string> tokens;
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> special;
    bool causal = false;
    std::optional<std::int64_t> window;
};

Beside besideOf(const Analysis& analysis) {
    Beside beside;
    const Axis& axis = *analysis.text.axis;
    for (std::int64_t i = 0; i < axis.size(); ++i) {
        const AxisEntry& entry = axis.entries[static_cast<std::size_t>(i)];
        beside.tokens.push_back(entry.piece);
        beside.ids.push_back(entry.id);
        if (entry.special) beside.special.push_back(i);
    }
    if (!analysis.layers.empty()) {
        const MaskRule& mask = analysis.layers.front()->maps->rule.mask;
        beside.causal = mask.causal;
        beside.window = mask.window;
    }
    return beside;
}

void emitLayer(const LayerResult& layer, const CancelToken& cancel, const Emit& emit) {
    for (const HeadResult& head : layer.heads)
        forEachStrip(*head.map, cancel, [&](Span, MatrixView<const float> weights) {
            emit(std::as_bytes(
                std::span(weights.data, static_cast<std::size_t>(weights.rows * weights.columns))));
        });
}

void reportLayer(const ExportEvents& events, std::size_t done, std::size_t total) {
    if (events.progress)
        events.progress({"layer written", static_cast<std::int64_t>(done), static_cast<std::int64_t>(total)});
}

template <typename T>
std::string jsonList(const std::vector<T>& values) {
    JsonWriter json;
    json.beginArray();
    for (const T& value : values) json.value(value);
    json.endArray();
    return compactJson(json.finish());
}

void writeAsSafetensors(const Analysis& analysis, const std::filesystem::path& target,
                        const ExportEvents& events) {
    const Beside beside = besideOf(analysis);
    std::vector<SafetensorsWriter::Entry> entries;
    // The wider type first keeps every tensor on a multiple of its element size.
    entries.push_back({"input_ids", DType::I64, {static_cast<std::int64_t>(beside.ids.size())}});
    for (const auto& layer : analysis.layers)
        entries.push_back({nameOfLayer(*layer), DType::F32, shapeOf(*layer)});
    const std::vector<std::pair<std::string, std::string>> metadata = {
        {"tokens", jsonList(beside.tokens)},
        {"special", jsonList(beside.special)},
        {"causal", beside.causal ? "true" : "false"},
        {"window", beside.window ? fmt::format("{}", *beside.window) : "null"},
        {"learned_sink", "false"}};
    SafetensorsWriter writer(target, entries, metadata);
    writer.write(std::as_bytes(std::span(beside.ids)));
    for (std::size_t i = 0; i < analysis.layers.size(); ++i) {
        emitLayer(*analysis.layers[i], events.cancel,
                  [&](std::span<const std::byte> bytes) { writer.write(bytes); });
        reportLayer(events, i + 1, analysis.layers.size());
    }
    writer.commit();
}

NpzEntry integersEntry(std::string name, std::vector<std::int64_t> values, bool scalar) {
    const std::array<std::int64_t, 1> shape = {static_cast<std::int64_t>(values.size())};
    NpzEntry entry;
    entry.name = std::move(name);
    entry.header = npyHeader(DType::I64, std::span(shape).first(scalar ? 0 : 1));
    entry.bytes = values.size() * sizeof(std::int64_t);
    entry.produce = [values = std::move(values)](const Emit& emit) {
        emit(std::as_bytes(std::span(values)));
    };
    return entry;
}

NpzEntry textsEntry(std::string name, const std::vector<std::string>& texts) {
    std::vector<std::u32string> wide;
    std::size_t width = 1;
    for (const std::string& text : texts) {
        wide.push_back(toCodePoints(text));
        width = std::max(width, wide.back().size());
    }
    NpzEntry entry;
    entry.name = std::move(name);
    entry.header =
        npyUnicodeHeader(static_cast<std::int64_t>(texts.size()), static_cast<std::int64_t>(width));
    entry.bytes = texts.size() * width * sizeof(char32_t);
    entry.produce = [wide = std::move(wide), width](const Emit& emit) {
        for (std::u32string text : wide) {
            text.resize(width, U'\0'); // numpy pads with zeros
            emit(std::as_bytes(std::span(text)));
        }
    };
    return entry;
}

void writeAsNpz(const Analysis& analysis, const std::filesystem::path& target, const ExportEvents& events) {
    const Beside beside = besideOf(analysis);
    std::vector<NpzEntry> entries;
    for (std::size_t i = 0; i < analysis.layers.size(); ++i) {
        const std::shared_ptr<const LayerResult> layer = analysis.layers[i];
        const std::vector<std::int64_t> shape = shapeOf(*layer);
        NpzEntry entry;
        entry.name = nameOfLayer(*layer);
        entry.header = npyHeader(DType::F32, shape);
        entry.bytes = static_cast<std::uint64_t>(shape[0] * shape[1] * shape[2]) * sizeof(float);
        entry.produce = [layer, i, &events, &analysis](const Emit& emit) {
            emitLayer(*layer, events.cancel, emit);
            reportLayer(events, i + 1, analysis.layers.size());
        };
        entries.push_back(std::move(entry));
    }
    entries.push_back(integersEntry("input_ids", beside.ids, false));
    entries.push_back(textsEntry("tokens", beside.tokens));
    entries.push_back(integersEntry("special", beside.special, false));
    entries.push_back(integersEntry("causal", {beside.causal ? 1 : 0}, true));
    if (beside.window) entries.push_back(integersEntry("window", {*beside.window}, true));
    entries.push_back(integersEntry("learned_sink", {0}, true));
    writeNpz(target, entries);
}

} // namespace

std::optional<AttentionFileFormat> attentionFileFormatOf(std::string_view extension) {
    if (extension == "safetensors") return AttentionFileFormat::Safetensors;
    if (extension == "npz") return AttentionFileFormat::Npz;
    return std::nullopt;
}

std::uint64_t denseMapsBytes(const ModelSpec& spec, std::int64_t tokens) {
    std::uint64_t maps = 0;
    for (const StackSpec& stack : spec.stacks)
        maps += static_cast<std::uint64_t>(stack.layers) * static_cast<std::uint64_t>(stack.heads);
    return maps * static_cast<std::uint64_t>(tokens) * static_cast<std::uint64_t>(tokens) * sizeof(float);
}

void writeAttentionFile(const Analysis& analysis, AttentionFileFormat format,
                        const std::filesystem::path& target, const ExportEvents& events) {
    if (format == AttentionFileFormat::Safetensors)
        writeAsSafetensors(analysis, target, events);
    else
        writeAsNpz(analysis, target, events);
}

} // namespace headscope
