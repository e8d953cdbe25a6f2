// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/map_arrays.h"

#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

constexpr std::size_t kMostNames = 5; ///< that a message lists
constexpr std::int64_t kMostLayers = 20'000;

/// Arrays that may be maps: no facts, no lists, no whole numbers.
std::vector<const TensorInfo*> candidatesOf(const TensorSource& source) {
    std::vector<const TensorInfo*> arrays;
    for (const TensorInfo& tensor : source.tensors())
        if (!isFactName(tensor.name) && tensor.shape.size() >= 2 && isFloating(tensor.dtype))
            arrays.push_back(&tensor);
    return arrays;
}

std::string namesOf(const std::vector<const TensorInfo*>& arrays) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(arrays.size(), kMostNames); ++i)
        names.push_back(quotedName(arrays[i]->name));
    if (arrays.size() <= kMostNames) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} more", fmt::join(names, ", "), arrays.size() - kMostNames);
}

/// Why a lone array cannot be maps: it is what the file is about, so that is said of it.
void refuseLone(const TensorInfo& array, const std::string& file) {
    const std::string subject = fmt::format("{}: {}", file, quotedName(array.name));
    if (!isFloating(array.dtype))
        fail(subject, fmt::format("its type is {}", nameOf(array.dtype)), "expected F16, BF16, F32 or F64");
    if (usualAxes(array.shape.size()).empty())
        fail(subject, fmt::format("its shape is {}", shapeText(array.shape)),
             "expected 2 to 5 dimensions, queries and keys among them");
}

[[noreturn]] void refuseNone(const TensorSource& source, const std::string& file) {
    std::vector<const TensorInfo*> all;
    for (const TensorInfo& tensor : source.tensors())
        if (!isFactName(tensor.name)) all.push_back(&tensor);
    if (all.size() == 1) refuseLone(*all.front(), file);
    fail(file,
         source.tensors().empty() ? "it holds no arrays"
         : all.empty()            ? "it holds no attention maps"
                                  : "it holds no attention maps but " + namesOf(all),
         "expected attentions.0, attentions.1 and so on of [heads, queries, keys] (or encoder_attentions.0, "
         "decoder_attentions.0, cross_attentions.0)",
         "a model is opened by its folder");
}

/// "arr_12" -> "arr_" and 12; no number: -1.
std::pair<std::string_view, std::int64_t> splitNumber(std::string_view name) {
    const std::size_t end = name.find_last_not_of("0123456789");
    const std::size_t digits = end == std::string_view::npos ? 0 : end + 1;
    std::int64_t number = -1;
    const std::string_view text = name.substr(digits);
    if (text.empty() || text.size() > 6) return {name, -1};
    std::from_chars(text.data(), text.data() + text.size(), number);
    return {name.substr(0, digits), number};
}

/// What the name in front of a number says of the kind: "cross_attentions_" of cross-attention.
AttentionKind kindOfStem(std::string_view stem) {
    while (!stem.empty() && (stem.back() == '_' || stem.back() == '.' || stem.back() == '-'))
        stem.remove_suffix(1);
    return attentionKindOf(stem).value_or(AttentionKind::Self);
}

bool areNumbered(const std::vector<const TensorInfo*>& arrays) {
    const std::string_view stem = splitNumber(arrays.front()->name).first;
    return std::all_of(arrays.begin(), arrays.end(), [&](const TensorInfo* one) {
        const auto [own, number] = splitNumber(one->name);
        return number >= 0 && own == stem;
    });
}

/// Which arrays of which dimensions there are, and what to say of them.
[[noreturn]] void askForAxes(const std::vector<const TensorInfo*>& arrays, const std::string& file,
                             const std::vector<ArrayAxes>& usual) {
    const std::vector<std::int64_t>& shape = arrays.front()->shape;
    std::vector<std::string> ways;
    ways.reserve(usual.size());
    for (const ArrayAxes& axes : usual) ways.push_back("--axes " + textOf(axes));
    ErrorParts parts;
    parts.subject = file;
    parts.found = arrays.size() == 1 ? fmt::format("what the axes of {}, {}, count is not known",
                                                   quotedName(arrays.front()->name), shapeText(shape))
                                     : fmt::format("what the axes of {} to {}, {} each, count is not known",
                                                   quotedName(arrays.front()->name),
                                                   quotedName(arrays.back()->name), shapeText(shape));
    parts.expected = fmt::format("expected {}", fmt::join(ways, " or "));
    const bool mayHaveBatch = shape.size() > 2 && shape.front() > 1;
    std::filesystem::path beside(file);
    beside.replace_extension(".json");
    parts.hint = fmt::format("{}the same may stand as \"axes\" in {}",
                             mayHaveBatch ? "of a batch, --sample 0 takes the first; " : "", beside.string());
    throw AxesNeeded(std::move(parts), {.shape = shape, .ofOneLayer = arrays.size() > 1});
}

std::vector<ArrayAxes> usualAxesOf(const std::vector<const TensorInfo*>& arrays) {
    std::vector<ArrayAxes> usual = usualAxes(arrays.front()->shape.size());
    if (arrays.size() > 1) // these are the layers
        std::erase_if(usual, [](const ArrayAxes& axes) {
            return std::find(axes.begin(), axes.end(), ArrayAxis::Layers) != axes.end();
        });
    return usual;
}

std::vector<FoundLayer> oneArrayOfAll(const std::vector<const TensorInfo*>& arrays, const std::string& file,
                                      const ArrayReading& reading) {
    std::vector<FoundLayer> layers;
    for (const TensorInfo* array : arrays) {
        const auto kind = attentionKindOf(array->name);
        if (arrays.size() > 1 && !kind)
            fail(file, fmt::format("it holds {} arrays, {}", arrays.size(), namesOf(arrays)),
                 fmt::format("expected one, since {} has the layers in it", reading.subject),
                 "save the one with the maps");
        FoundLayer layer;
        layer.kind = kind.value_or(AttentionKind::Self);
        layer.tensor = array;
        for (const FoundLayer& one :
             layersOfArray(layer, fmt::format("{}: {}", file, quotedName(array->name)), reading))
            layers.push_back(one);
    }
    return layers;
}

std::vector<FoundLayer> anArrayEach(std::vector<const TensorInfo*> arrays, const std::string& file,
                                    const ArrayReading& reading) {
    if (arrays.size() > 1 && !areNumbered(arrays))
        fail(file, fmt::format("it holds {} arrays, {}", arrays.size(), namesOf(arrays)),
             "expected one, or one for each layer with numbers at the end of their names",
             "name them attentions.0, attentions.1 and so on");
    std::sort(arrays.begin(), arrays.end(), [](const TensorInfo* one, const TensorInfo* other) {
        return splitNumber(one->name).second < splitNumber(other->name).second;
    });
    const std::int64_t first = splitNumber(arrays.front()->name).second;
    std::vector<FoundLayer> layers;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto [stem, number] = splitNumber(arrays[i]->name);
        if (number != first + static_cast<std::int64_t>(i) || first > 1)
            fail(file, fmt::format("{} is where layer {} should be", quotedName(arrays[i]->name), i),
                 "expected all layers, numbered from 0 or 1");
        FoundLayer layer;
        layer.kind = kindOfStem(stem);
        layer.layer = LayerIndex(static_cast<std::int64_t>(i));
        layer.tensor = arrays[i];
        layers.push_back(
            layersOfArray(layer, fmt::format("{}: {}", file, quotedName(arrays[i]->name)), reading).front());
    }
    return layers;
}

/// What one axis is in an array.
struct Dimension {
    std::int64_t extent = 1;
    std::int64_t step = 0;
};

Dimension dimensionOf(ArrayAxis wanted, const ArrayAxes& axes, const TensorInfo& tensor) {
    std::int64_t step = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        if (axes[i] == wanted) return {tensor.shape[i], step};
        step *= tensor.shape[i];
    }
    return {};
}

std::int64_t sampleOf(const Dimension& batch, const TensorInfo& tensor, const std::string& subject,
                      const ArrayReading& reading) {
    const std::int64_t sample = reading.sample.value_or(0);
    if (batch.extent > 1 && !reading.sample)
        throw AxesNeeded({.subject = subject,
                          .found = fmt::format("its batch has {} samples", batch.extent),
                          .expected = fmt::format("expected --sample 0 to {}", batch.extent - 1),
                          .hint = {}},
                         {.shape = tensor.shape, .known = *reading.axes});
    if (sample < 0 || sample >= batch.extent)
        fail(subject, fmt::format("sample {} was asked for", sample),
             batch.extent == 1 ? std::string("expected 0, since there is one")
                               : fmt::format("expected 0 to {}", batch.extent - 1));
    return sample;
}

} // namespace

std::vector<FoundLayer> layersOfArray(const FoundLayer& layer, const std::string& subject,
                                      const ArrayReading& reading) {
    const TensorInfo& tensor = *layer.tensor;
    const ArrayAxes& axes = *reading.axes;
    if (!isFloating(tensor.dtype))
        fail(subject, fmt::format("its type is {}", nameOf(tensor.dtype)), "expected F16, BF16, F32 or F64");
    if (tensor.shape.size() != axes.size())
        fail(
            subject, fmt::format("its shape is {}", shapeText(tensor.shape)),
            fmt::format("expected {} dimensions as {} says, {}", axes.size(), reading.subject, textOf(axes)));
    if (tensor.elements == 0)
        fail(subject, fmt::format("its shape is {}", shapeText(tensor.shape)), "expected weights in it");
    const auto of = [&](ArrayAxis axis) { return dimensionOf(axis, axes, tensor); };
    const Dimension batch = of(ArrayAxis::Batch);
    const Dimension layers = of(ArrayAxis::Layers);
    if (layers.extent > kMostLayers)
        fail(subject, fmt::format("its shape is {}", shapeText(tensor.shape)),
             fmt::format("expected at most {} layers", kMostLayers));
    FoundLayer found = layer;
    found.axes = axes;
    found.heads = of(ArrayAxis::Heads).extent;
    found.averaged = of(ArrayAxis::Heads).step == 0;
    found.extent = {of(ArrayAxis::Queries).extent, of(ArrayAxis::Keys).extent};
    found.place = {.first = sampleOf(batch, tensor, subject, reading) * batch.step,
                   .head = of(ArrayAxis::Heads).step,
                   .query = of(ArrayAxis::Queries).step,
                   .key = of(ArrayAxis::Keys).step};
    if (found.isMain() || found.kind == AttentionKind::Encoder)
        if (found.extent.rows != found.extent.columns)
            fail(subject,
                 fmt::format("its shape is {}, {} queries and {} keys", shapeText(tensor.shape),
                             found.extent.rows, found.extent.columns),
                 "expected as many queries as keys",
                 "hidden states and logits have such a shape; maps of cross-attention are named "
                 "cross_attentions");
    std::vector<FoundLayer> all;
    for (std::int64_t i = 0; i < layers.extent; ++i) {
        all.push_back(found);
        if (layers.step > 0) all.back().layer = LayerIndex(i);
        all.back().place.first += i * layers.step;
    }
    return all;
}

std::vector<FoundLayer> layersOfUnnamed(const TensorSource& source, const std::string& file,
                                        const ArrayReading& reading) {
    const std::vector<const TensorInfo*> arrays = candidatesOf(source);
    if (arrays.empty()) refuseNone(source, file);
    if (!reading.axes) {
        const std::vector<ArrayAxes> usual = usualAxesOf(arrays);
        const bool sameShape = std::all_of(arrays.begin(), arrays.end(), [&](const TensorInfo* one) {
            return one->shape == arrays.front()->shape;
        });
        if (usual.empty() || !sameShape || (arrays.size() > 1 && !areNumbered(arrays)))
            refuseNone(source, file);
        askForAxes(arrays, file, usual);
    }
    const ArrayAxes& axes = *reading.axes;
    return std::find(axes.begin(), axes.end(), ArrayAxis::Layers) != axes.end()
               ? oneArrayOfAll(arrays, file, reading)
               : anArrayEach(arrays, file, reading);
}

} // namespace headscope
