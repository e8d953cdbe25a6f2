// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/attention_reader.h"

#include "core/base/byte_text.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/imported/attention_checks.h"
#include "core/imported/attention_content.h"
#include "core/imported/imported_axis.h"
#include "core/imported/imported_map.h"
#include "core/imported/map_reader.h"
#include "core/imported/mask_check.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>

namespace headscope {

namespace {

void requireMemoryFor(const std::vector<FoundLayer>& layers, const std::string& file) {
    std::uint64_t bytes = 0;
    for (const FoundLayer& layer : layers)
        bytes += static_cast<std::uint64_t>(layer.heads * layer.extent.rows * layer.extent.columns) *
                 sizeof(float);
    const std::uint64_t available = availableMemoryBytes();
    if (available > 0 && bytes > available)
        fail(file, fmt::format("its maps take {} of memory", byteText(bytes)),
             fmt::format("expected at most the {} that are free", byteText(available)),
             "save fewer layers or a shorter text");
}

/// Whether the single stack or the decoder sees no later key; says so where that had to be concluded.
bool isCausal(const AttentionFacts& facts, const FileStacks& stacks, bool seesLater,
              std::vector<std::string>& notes) {
    if (facts.causal) return *facts.causal;
    if (stacks.decoder) return true;
    if (stacks.single && !seesLater)
        notes.emplace_back(
            "no query gives weight to a later key, so the maps are taken as causal; \"causal\" would say");
    return !seesLater;
}

/// One for each layer of the single stack or the decoder; 0: none.
std::vector<std::int64_t> windowsOf(const AttentionFacts& facts, const std::vector<FoundLayer>& layers,
                                    const std::string& file) {
    const auto count = static_cast<std::size_t>(
        std::count_if(layers.begin(), layers.end(), [](const FoundLayer& one) { return one.isMain(); }));
    if (!facts.windows) return std::vector<std::int64_t>(count, 0);
    if (facts.oneWindow) return std::vector<std::int64_t>(count, facts.windows->front());
    if (facts.windows->size() != count)
        fail(file + ": \"window\"", fmt::format("it lists {} numbers", facts.windows->size()),
             fmt::format("expected one for each of {} layers", count));
    return *facts.windows;
}

/// The tokens on both sides: how many, and which.
void setSides(ImportedAttention& result, const AttentionFacts& facts, const FileStacks& stacks,
              const std::vector<FoundLayer>& layers) {
    for (const FoundLayer& layer : layers) {
        if (layer.kind != AttentionKind::Decoder) result.sourceTokens = layer.extent.columns;
        if (layer.kind == AttentionKind::Decoder || layer.kind == AttentionKind::Cross)
            result.targetTokens = layer.extent.rows;
    }
    if (result.sourceTokens > 0)
        result.sourceAxis =
            stacks.single
                ? importedAxis(facts.main, result.sourceTokens, {result.name, "", "input_ids"})
                : importedAxis(facts.source, result.sourceTokens, {result.name, "source_", "input_ids"});
    if (stacks.hasDecoder())
        result.targetAxis =
            importedAxis(facts.main, result.targetTokens, {result.name, "", "decoder_input_ids"});
}

MaskRule maskOf(const FoundLayer& layer) {
    MaskRule mask;
    mask.queries = layer.extent.rows;
    mask.keys = layer.extent.columns;
    return mask;
}

/// Rows that do not sum to 1 where the columns do: the other reading of the array is offered.
[[noreturn]] void offerTranspose(const FoundLayer& layer, ErrorParts parts) {
    ArrayAxes turned = layer.axes;
    std::iter_swap(std::find(turned.begin(), turned.end(), ArrayAxis::Queries),
                   std::find(turned.begin(), turned.end(), ArrayAxis::Keys));
    parts.hint =
        fmt::format("its columns do instead: queries and keys seem to be swapped, and --axes {} reads "
                    "them so",
                    textOf(turned));
    throw AxesNeeded(std::move(parts), {.shape = layer.tensor->shape, .suggested = std::move(turned)});
}

void requireSums(MatrixView<const float> cells, const FoundLayer& layer, const ImportedAttention& file,
                 const HeadPlace& place) {
    const double bound = rowSumBound(layer.tensor->dtype);
    try {
        requireSums(cells, file.learnedSink, bound, place);
    } catch (const Error& error) {
        if (!isTransposed(cells, bound)) throw;
        offerTranspose(layer, error.parts());
    }
}

/// Makes maps of the weights once the mask is known.
ImportedLayer finish(const FoundLayer& layer, const MaskRule& mask, LayerWeights weights,
                     const ImportedAttention& file, MaskNotes& masks) {
    ImportedLayer one{.kind = layer.kind, .layer = layer.layer, .mask = mask, .heads = {}};
    const auto shared = std::make_shared<const MaskRule>(mask);
    for (std::size_t h = 0; h < weights.heads.size(); ++h) {
        const HeadPlace place{file.name, {layer.kind, layer.layer, HeadIndex(static_cast<std::int64_t>(h))}};
        std::vector<float>& map = weights.heads[h];
        const MatrixView<float> cells(map.data(), layer.extent.rows, layer.extent.columns);
        requireHidden(cells, one.mask, place);
        requireSums(cells, layer, file, place);
        masks.look(cells, mask, place);
        one.heads.push_back(std::make_shared<const ImportedMap>(shared, std::move(map)));
    }
    return one;
}

void noteAverages(const std::vector<FoundLayer>& layers, std::vector<std::string>& notes) {
    if (std::any_of(layers.begin(), layers.end(), [](const FoundLayer& one) { return one.averaged; }))
        notes.emplace_back(
            "the array has no axis for heads: its maps are means over the heads of a layer, as "
            "torch.nn.MultiheadAttention gives them, or single heads");
}

} // namespace

bool isAttentionFileName(const std::filesystem::path& path) {
    constexpr std::array<std::string_view, 5> kEndings = {".npz", ".npy", ".safetensors", ".pt", ".pth"};
    return std::find(kEndings.begin(), kEndings.end(), path.extension().string()) != kEndings.end();
}

ImportedAttention readAttentionFile(const std::filesystem::path& path, const ReadingRules& rules,
                                    const CancelToken& cancel) {
    AttentionContent content = openAttentionContent(path);
    const std::vector<FoundLayer> found =
        findLayers(*content.tensors, content.name, arrayReading(content, rules));
    const FileStacks stacks = stacksOf(found);
    const AttentionFacts facts = factsOf(content, stacks);
    ImportedAttention result;
    result.name = content.name;
    result.notes = std::move(content.notes);
    setSides(result, facts, stacks, found);
    result.learnedSink = facts.learnedSink.value_or(false);
    const std::vector<std::int64_t> windows = windowsOf(facts, found, result.name);
    requireMemoryFor(found, result.name);
    noteAverages(found, result.notes);

    MapReader reader(*content.tensors, result.name, cancel);
    std::vector<LayerWeights> weights;
    bool seesLater = false;
    for (const FoundLayer& layer : found) {
        weights.push_back(reader.read(layer));
        seesLater = seesLater || (layer.isMain() && weights.back().seesLater);
    }
    reader.noteBelowZero(result.notes);
    const bool causal = isCausal(facts, stacks, seesLater, result.notes);
    MaskNotes masks(result);
    for (std::size_t i = 0; i < found.size(); ++i) {
        MaskRule mask = maskOf(found[i]);
        if (found[i].isMain()) {
            mask.causal = causal;
            const std::int64_t window = windows[static_cast<std::size_t>(found[i].layer.value)];
            if (window > 0) mask.window = window;
        }
        result.layers.push_back(finish(found[i], mask, std::move(weights[i]), result, masks));
    }
    return result;
}

} // namespace headscope
