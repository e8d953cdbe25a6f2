// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/attention_layers.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"
#include "core/imported/map_arrays.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

namespace headscope {

namespace {

constexpr std::int64_t kMostHeads = 20'000; ///< of a file; all pairs of them are compared

std::string nameOf(const FoundLayer& layer) {
    return fmt::format("{}.{}", nameOf(layer.kind), layer.layer.value);
}

/// "attentions.3"; nothing for a name that is about something else.
std::optional<std::pair<AttentionKind, LayerIndex>> parseName(const std::string& name,
                                                              const std::string& file) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return std::nullopt;
    const auto kind = attentionKindOf(std::string_view(name).substr(0, dot));
    if (!kind) return std::nullopt;
    // The same rules as for "layer.head": no signs, no leading zeros, at most six digits.
    const auto number = parseHead("0." + name.substr(dot + 1));
    if (!number)
        fail(file, fmt::format("{} has no layer number", quotedName(name)),
             fmt::format("expected {}.0, {}.1 and so on", nameOf(*kind), nameOf(*kind)));
    return std::pair(*kind, LayerIndex(number->second.value));
}

/// What heads and extents the shape means where nothing else says it.
FoundLayer byShape(FoundLayer layer, const std::string& file) {
    const std::string subject = fmt::format("{}: {}", file, nameOf(layer));
    const DType type = layer.tensor->dtype;
    if (!isFloating(type))
        fail(subject, fmt::format("its type is {}", nameOf(type)), "expected F16, BF16, F32 or F64");
    std::vector<std::int64_t> shape = layer.tensor->shape;
    const std::string found = fmt::format("its shape is {}", shapeText(shape));
    if (shape.size() == 4 && shape.front() > 1)
        throw AxesNeeded({.subject = subject,
                          .found = found,
                          .expected = "expected [heads, queries, keys]",
                          .hint = fmt::format(
                              "of a batch of {} samples, --axes batch,heads,q,k --sample 0 takes the first",
                              shape.front())},
                         {.shape = shape, .ofOneLayer = true});
    const bool hasBatch = shape.size() == 4 && shape.front() == 1;
    if (hasBatch) shape.erase(shape.begin());
    if (shape.size() != 3 || layer.tensor->elements == 0)
        fail(subject, found, "expected [heads, queries, keys]");
    layer.axes = {ArrayAxis::Heads, ArrayAxis::Queries, ArrayAxis::Keys};
    if (hasBatch) layer.axes.insert(layer.axes.begin(), ArrayAxis::Batch);
    layer.heads = shape[0];
    layer.extent = {shape[1], shape[2]};
    layer.place = {.first = 0, .head = shape[1] * shape[2], .query = shape[2], .key = 1};
    if (layer.kind == AttentionKind::Cross || shape[1] == shape[2]) return layer;
    fail(subject, found, "expected as many queries as keys",
         hasBatch ? "a pass with a cache gives its last rows alone: run the whole text at once"
                  : "hidden states have such a shape");
}

/// An array that by its name is one layer, read as somebody says.
FoundLayer ofOneLayer(const FoundLayer& layer, const std::string& file, const ArrayReading& reading) {
    const std::string subject = fmt::format("{}: {}", file, nameOf(layer));
    const ArrayAxes& axes = *reading.axes;
    if (std::find(axes.begin(), axes.end(), ArrayAxis::Layers) != axes.end())
        fail(subject, fmt::format("{} gives it layers", reading.subject),
             "expected none, since by its name it is one");
    return layersOfArray(layer, subject, reading).front();
}

void requireOneExtent(const std::vector<FoundLayer>& layers, const std::string& file) {
    std::map<AttentionKind, const FoundLayer*> first;
    for (const FoundLayer& layer : layers) {
        const FoundLayer& one = *first.try_emplace(layer.kind, &layer).first->second;
        if (one.extent != layer.extent)
            fail(file,
                 fmt::format("{} has {} x {} cells, {} has {} x {}", nameOf(one), one.extent.rows,
                             one.extent.columns, nameOf(layer), layer.extent.rows, layer.extent.columns),
                 "expected maps of one text");
    }
    const auto compare = [&](AttentionKind kind, const char* what, std::int64_t Extent::*side) {
        const auto other = first.find(kind);
        const auto cross = first.find(AttentionKind::Cross);
        if (other == first.end() || cross == first.end()) return;
        const std::int64_t tokens = other->second->extent.rows;
        const std::int64_t seen = cross->second->extent.*side;
        if (tokens != seen)
            fail(file,
                 fmt::format("{} has {} {}, but {} has {} tokens", nameOf(*cross->second), seen, what,
                             nameOf(*other->second), tokens),
                 "expected maps of one text");
    };
    compare(AttentionKind::Decoder, "queries", &Extent::rows);
    compare(AttentionKind::Encoder, "keys", &Extent::columns);
}

void requireAllLayers(const std::map<std::pair<AttentionKind, LayerIndex>, FoundLayer>& layers,
                      const std::string& file) {
    std::map<AttentionKind, std::int64_t> next;
    std::int64_t heads = 0;
    for (const auto& [key, layer] : layers) {
        const std::int64_t expected = next[key.first]++;
        if (key.second.value != expected)
            fail(file, fmt::format("it holds {} but not {}.{}", nameOf(layer), nameOf(key.first), expected),
                 "expected all layers, numbered from 0");
        heads += layer.heads;
        if (heads > kMostHeads)
            fail(file, fmt::format("it holds more than {} heads", kMostHeads),
                 "expected the maps of one model");
    }
    if (next.contains(AttentionKind::Self) && next.size() > 1)
        fail(file, "it holds attentions beside maps of an encoder or a decoder",
             "expected one stack, or an encoder and a decoder");
}

} // namespace

std::vector<FoundLayer> findLayers(const TensorSource& source, const std::string& file,
                                   const ArrayReading& reading) {
    std::map<std::pair<AttentionKind, LayerIndex>, FoundLayer> byName;
    for (const TensorInfo& tensor : source.tensors()) {
        const auto name = parseName(tensor.name, file);
        if (!name) continue;
        FoundLayer layer;
        layer.kind = name->first;
        layer.layer = name->second;
        layer.tensor = &tensor;
        byName.emplace(*name, reading.axes ? ofOneLayer(layer, file, reading) : byShape(layer, file));
    }
    if (byName.empty())
        for (const FoundLayer& layer : layersOfUnnamed(source, file, reading))
            byName.emplace(std::pair(layer.kind, layer.layer), layer);
    requireAllLayers(byName, file);
    std::vector<FoundLayer> layers;
    for (const auto& [name, layer] : byName) layers.push_back(layer);
    requireOneExtent(layers, file);
    // A layer of a decoder looks at its own tokens, then at the encoder's.
    std::stable_sort(layers.begin(), layers.end(), [](const FoundLayer& one, const FoundLayer& other) {
        const auto place = [](const FoundLayer& layer) {
            const bool ofTarget = layer.kind == AttentionKind::Decoder || layer.kind == AttentionKind::Cross;
            return std::pair(ofTarget, ofTarget ? layer.layer.value : 0);
        };
        return place(one) < place(other);
    });
    return layers;
}

FileStacks stacksOf(const std::vector<FoundLayer>& layers) {
    const auto has = [&](AttentionKind kind) {
        return std::any_of(layers.begin(), layers.end(),
                           [kind](const FoundLayer& layer) { return layer.kind == kind; });
    };
    return {.single = has(AttentionKind::Self),
            .encoder = has(AttentionKind::Encoder),
            .decoder = has(AttentionKind::Decoder),
            .cross = has(AttentionKind::Cross)};
}

} // namespace headscope
