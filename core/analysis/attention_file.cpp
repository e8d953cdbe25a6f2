// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attention_file.h"

#include "core/analysis/export_json.h"
#include "core/base/utf8.h"
#include "core/checkpoint/numpy.h"
#include "core/checkpoint/safetensors.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
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

/// The tokens of one side.
struct Side {
    std::vector<std::string> tokens;
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> special;
    std::vector<std::int64_t> segments; ///< empty where there is one text

    explicit Side(const Axis& axis) {
        for (std::int64_t i = 0; i < axis.size(); ++i) {
            const AxisEntry& entry = axis.entries[static_cast<std::size_t>(i)];
            tokens.push_back(entry.piece);
            ids.push_back(entry.id);
            if (entry.special) special.push_back(i);
            segments.push_back(entry.text);
        }
        if (std::none_of(segments.begin(), segments.end(), [](std::int64_t text) { return text > 0; }))
            segments.clear();
    }
};

/// What stands beside the tensors, the same for both formats.
struct Beside {
    Side source;                       ///< the single stack's tokens, or the encoder's
    std::optional<Side> target;        ///< the decoder's
    bool causal = false;               ///< of the single stack or the decoder
    std::vector<std::int64_t> windows; ///< one for each of its layers, 0 for none
    bool learnedSink = false;

    explicit Beside(Side side) : source(std::move(side)) {}
    const Side& main() const { return target ? *target : source; }
    bool sameWindows() const {
        return std::adjacent_find(windows.begin(), windows.end(), std::not_equal_to<>()) == windows.end();
    }
};

Beside besideOf(const Analysis& analysis) {
    Beside beside{Side(*analysis.text.axis)};
    if (analysis.target) beside.target.emplace(*analysis.target->axis);
    for (const auto& layer : analysis.layers) {
        const ScoreRule& rule = layer->maps->rule;
        beside.learnedSink = beside.learnedSink || !rule.sinks.empty();
        if (layer->kind != AttentionKind::Self && layer->kind != AttentionKind::Decoder) continue;
        beside.causal = rule.mask.causal;
        beside.windows.push_back(rule.mask.window.value_or(0));
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

std::string windowJson(const Beside& beside) {
    const auto one = [](std::int64_t window) {
        return window == 0 ? std::string("null") : fmt::format("{}", window);
    };
    if (beside.windows.empty()) return "null";
    if (beside.sameWindows()) return one(beside.windows.front());
    std::string list;
    for (const std::int64_t window : beside.windows) list += (list.empty() ? "" : ", ") + one(window);
    return "[" + list + "]";
}

std::vector<std::pair<std::string, std::string>> metadataOf(const Beside& beside) {
    std::vector<std::pair<std::string, std::string>> metadata = {
        {"tokens", jsonList(beside.main().tokens)},
        {"special", jsonList(beside.main().special)},
        {"causal", beside.causal ? "true" : "false"},
        {"window", windowJson(beside)},
        {"learned_sink", beside.learnedSink ? "true" : "false"}};
    if (!beside.main().segments.empty()) metadata.emplace_back("segments", jsonList(beside.main().segments));
    if (!beside.target) return metadata;
    if (!beside.source.segments.empty())
        metadata.emplace_back("source_segments", jsonList(beside.source.segments));
    metadata.emplace_back("source_tokens", jsonList(beside.source.tokens));
    metadata.emplace_back("source_special", jsonList(beside.source.special));
    return metadata;
}

void writeAsSafetensors(const Analysis& analysis, const std::filesystem::path& target,
                        const ExportEvents& events) {
    const Beside beside = besideOf(analysis);
    std::vector<SafetensorsWriter::Entry> entries;
    // The wider type first keeps every tensor on a multiple of its element size.
    const auto addIds = [&](const char* name, const Side& side) {
        entries.push_back({name, DType::I64, {static_cast<std::int64_t>(side.ids.size())}});
    };
    addIds("input_ids", beside.source);
    if (beside.target) addIds("decoder_input_ids", *beside.target);
    for (const auto& layer : analysis.layers)
        entries.push_back({nameOfLayer(*layer), DType::F32, shapeOf(*layer)});
    SafetensorsWriter writer(target, entries, metadataOf(beside));
    writer.write(std::as_bytes(std::span(beside.source.ids)));
    if (beside.target) writer.write(std::as_bytes(std::span(beside.target->ids)));
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
    entries.push_back(integersEntry("input_ids", beside.source.ids, false));
    entries.push_back(textsEntry("tokens", beside.main().tokens));
    entries.push_back(integersEntry("special", beside.main().special, false));
    if (!beside.main().segments.empty())
        entries.push_back(integersEntry("segments", beside.main().segments, false));
    if (beside.target && !beside.source.segments.empty())
        entries.push_back(integersEntry("source_segments", beside.source.segments, false));
    if (beside.target) {
        entries.push_back(integersEntry("decoder_input_ids", beside.target->ids, false));
        entries.push_back(textsEntry("source_tokens", beside.source.tokens));
        entries.push_back(integersEntry("source_special", beside.source.special, false));
    }
    entries.push_back(integersEntry("causal", {beside.causal ? 1 : 0}, true));
    if (!beside.sameWindows())
        entries.push_back(integersEntry("window", beside.windows, false));
    else if (!beside.windows.empty() && beside.windows.front() != 0)
        entries.push_back(integersEntry("window", {beside.windows.front()}, true));
    entries.push_back(integersEntry("learned_sink", {beside.learnedSink ? 1 : 0}, true));
    writeNpz(target, entries);
}

} // namespace

std::optional<AttentionFileFormat> attentionFileFormatOf(std::string_view extension) {
    if (extension == "safetensors") return AttentionFileFormat::Safetensors;
    if (extension == "npz") return AttentionFileFormat::Npz;
    return std::nullopt;
}

std::uint64_t denseMapsBytes(const ModelSpec& spec, const SequenceLengths& lengths) {
    std::uint64_t cells = 0;
    for (const StackSpec& stack : spec.stacks) {
        const Extent extent = lengths.extentOf(stack.kind);
        cells += static_cast<std::uint64_t>(stack.layers) * static_cast<std::uint64_t>(stack.heads) *
                 static_cast<std::uint64_t>(extent.rows) * static_cast<std::uint64_t>(extent.columns);
    }
    return cells * sizeof(float);
}

void writeAttentionFile(const Analysis& analysis, AttentionFileFormat format,
                        const std::filesystem::path& target, const ExportEvents& events) {
    if (format == AttentionFileFormat::Safetensors)
        writeAsSafetensors(analysis, target, events);
    else
        writeAsNpz(analysis, target, events);
}

} // namespace headscope
