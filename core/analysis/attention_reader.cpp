// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attention_reader.h"

#include "core/analysis/attention_checks.h"
#include "core/analysis/attention_facts.h"
#include "core/analysis/attention_layers.h"
#include "core/analysis/imported_axis.h"
#include "core/base/byte_text.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/checkpoint/foreign_content.h"
#include "core/checkpoint/npz_source.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/widen.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <utility>

namespace headscope {

namespace {

constexpr std::uint64_t kJsonLimit = 64'000'000;
constexpr std::size_t kMostNotes = 5; ///< on names without a meaning

/// The file, whichever of the two formats it has.
struct OpenFile {
    std::shared_ptr<const TensorSource> tensors;
    std::map<std::string, NpzTexts> texts;
    std::map<std::string, std::string> metadata;
};

OpenFile openFile(const std::filesystem::path& path) {
    if (path.extension() == ".npz") {
        NpzContents contents = openNpz(path);
        return {std::move(contents.numbers), std::move(contents.texts), {}};
    }
    return {openSafetensors(path), {}, readSafetensorsMetadata(path)};
}

/// Of NAME.json beside the file; nothing where there is none.
FactValues valuesBeside(const std::filesystem::path& json, std::vector<std::string>& notes) {
    const std::string subject = messageName(json);
    const std::string text = readWholeFile(json, kJsonLimit);
    FactValues values;
    // "headscope diagnose x.npz --json > x.json" has just made it.
    if (text.empty()) return values;
    const Json content = parseJson(text, subject, {.allowByteOrderMark = true});
    if (!content.isObject())
        fail(subject, fmt::format("found {}", content.typeName()),
             "expected an object that says what the maps are about");
    for (const auto& [name, value] : content.members()) {
        if (isFactName(name)) {
            if (!values.emplace(name, value).second)
                fail(subject, fmt::format("{} stands twice", quotedName(name)));
        } else if (notes.size() < kMostNotes) {
            notes.push_back(fmt::format("{}: {} means nothing here", subject, quotedName(name)));
        }
    }
    return values;
}

AttentionFacts factsOf(const std::filesystem::path& path, const OpenFile& file, const FileStacks& stacks,
                       std::vector<std::string>& notes) {
    const std::string subject = messageName(path);
    AttentionFacts facts = readFacts(factsInArrays(*file.tensors, file.texts, subject), stacks, subject);
    mergeFacts(facts, readFacts(factsInMetadata(file.metadata, subject), stacks, subject), subject,
               subject + ": metadata");
    std::filesystem::path json = path;
    json.replace_extension(".json");
    std::error_code ignored;
    if (!std::filesystem::exists(json, ignored)) return facts;
    mergeFacts(facts, readFacts(valuesBeside(json, notes), stacks, messageName(json)), subject,
               messageName(json));
    return facts;
}

/// The maps of one layer on their way in.
struct LayerWeights {
    std::vector<std::vector<float>> heads;
    bool seesLater = false;
};

/// Reads maps and checks them as far as no mask is needed.
class MapReader {
  public:
    MapReader(const TensorSource& source, const std::string& file, const CancelToken& cancel)
        : m_source(source), m_file(file), m_cancel(cancel) {}

    LayerWeights read(const FoundLayer& layer) {
        LayerWeights weights;
        const std::int64_t cells = layer.extent.rows * layer.extent.columns;
        for (std::int64_t head = 0; head < layer.heads; ++head) {
            m_cancel.throwIfCancelled();
            std::vector<float> map(static_cast<std::size_t>(cells));
            readFloats(*layer.tensor, head * cells, map);
            const WeightFacts facts = requireWeights({map.data(), layer.extent.rows, layer.extent.columns},
                                                     {m_file, {layer.kind, layer.layer, HeadIndex(head)}});
            weights.seesLater = weights.seesLater || facts.seesLater;
            m_belowZero += facts.belowZero;
            m_mostBelow = std::min(m_mostBelow, facts.mostBelow);
            weights.heads.push_back(std::move(map));
        }
        m_source.dropPages(*layer.tensor);
        return weights;
    }

    void noteBelowZero(std::vector<std::string>& notes) const {
        if (m_belowZero > 0)
            notes.push_back(fmt::format("weights below 0 are taken as 0 ({} of them, the least {:.2g})",
                                        m_belowZero, m_mostBelow));
    }

  private:
    /// NaN and infinities included: the checks that follow say where they are.
    void readFloats(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const {
        constexpr std::size_t kPiece = std::size_t{1} << 16U;
        const auto size = static_cast<std::size_t>(sizeOf(tensor.dtype));
        std::vector<std::byte> raw(std::min(out.size(), kPiece) * size);
        for (std::size_t done = 0; done < out.size();) {
            const std::span<float> piece = out.subspan(done, std::min(kPiece, out.size() - done));
            const std::span<std::byte> bytes = std::span(raw).first(piece.size() * size);
            m_source.readRaw(tensor, first + static_cast<std::int64_t>(done),
                             static_cast<std::int64_t>(piece.size()), bytes);
            if (!widenToFloat(tensor.dtype, bytes.data(), piece))
                for (std::size_t i = 0; i < piece.size(); ++i)
                    piece[i] = static_cast<float>(elementAsDouble(tensor.dtype, bytes.data() + i * size));
            done += piece.size();
        }
    }

    const TensorSource& m_source;
    const std::string& m_file;
    const CancelToken& m_cancel;
    std::int64_t m_belowZero = 0;
    double m_mostBelow = 0.0;
};

void requireMemoryFor(const std::vector<FoundLayer>& layers, const std::string& file) {
    std::uint64_t bytes = 0;
    for (const FoundLayer& layer : layers)
        bytes += static_cast<std::uint64_t>(layer.tensor->elements) * sizeof(float);
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

std::int64_t lengthOf(const std::vector<FoundLayer>& layers, bool ofTarget) {
    for (const FoundLayer& layer : layers) {
        const bool isTarget = layer.kind == AttentionKind::Decoder || layer.kind == AttentionKind::Cross;
        if (ofTarget && isTarget) return layer.extent.rows;
        if (!ofTarget && layer.kind != AttentionKind::Decoder) return layer.extent.columns;
    }
    return -1;
}

void setAxes(ImportedAttention& result, const AttentionFacts& facts, const FileStacks& stacks,
             const std::vector<FoundLayer>& layers) {
    const std::int64_t source = lengthOf(layers, false);
    if (source >= 0)
        result.sourceAxis = stacks.single
                                ? importedAxis(facts.main, source, {result.name, "", "input_ids"})
                                : importedAxis(facts.source, source, {result.name, "source_", "input_ids"});
    if (stacks.hasDecoder())
        result.targetAxis =
            importedAxis(facts.main, lengthOf(layers, true), {result.name, "", "decoder_input_ids"});
}

MaskRule maskOf(const FoundLayer& layer) {
    MaskRule mask;
    mask.queries = layer.extent.rows;
    mask.keys = layer.extent.columns;
    return mask;
}

/// Makes maps of the weights once the mask is known.
ImportedLayer finish(const FoundLayer& layer, MaskRule mask, LayerWeights weights,
                     const ImportedAttention& file) {
    ImportedLayer one{.kind = layer.kind, .layer = layer.layer, .mask = std::move(mask), .heads = {}};
    for (std::size_t h = 0; h < weights.heads.size(); ++h) {
        const HeadPlace place{file.name, {layer.kind, layer.layer, HeadIndex(static_cast<std::int64_t>(h))}};
        std::vector<float>& map = weights.heads[h];
        const MatrixView<float> cells(map.data(), layer.extent.rows, layer.extent.columns);
        requireHidden(cells, one.mask, place);
        requireSums(cells, file.learnedSink, rowSumBound(layer.tensor->dtype), place);
        one.heads.push_back(std::make_shared<const StoredMap>(layer.extent, std::move(map)));
    }
    return one;
}

} // namespace

bool isAttentionFileName(const std::filesystem::path& path) {
    return path.extension() == ".npz" || path.extension() == ".safetensors";
}

ImportedAttention readAttentionFile(const std::filesystem::path& path, const CancelToken& cancel) {
    ImportedAttention result;
    result.name = messageName(path);
    const OpenFile file = openFile(path);
    const std::vector<FoundLayer> found = findLayers(*file.tensors, result.name);
    const FileStacks stacks = stacksOf(found);
    const AttentionFacts facts = factsOf(path, file, stacks, result.notes);
    setAxes(result, facts, stacks, found);
    result.learnedSink = facts.learnedSink.value_or(false);
    const std::vector<std::int64_t> windows = windowsOf(facts, found, result.name);
    requireMemoryFor(found, result.name);

    MapReader reader(*file.tensors, result.name, cancel);
    std::vector<LayerWeights> weights;
    bool seesLater = false;
    for (const FoundLayer& layer : found) {
        weights.push_back(reader.read(layer));
        seesLater = seesLater || (layer.isMain() && weights.back().seesLater);
    }
    reader.noteBelowZero(result.notes);
    const bool causal = isCausal(facts, stacks, seesLater, result.notes);
    for (std::size_t i = 0; i < found.size(); ++i) {
        MaskRule mask = maskOf(found[i]);
        if (found[i].isMain()) {
            mask.causal = causal;
            const std::int64_t window = windows[static_cast<std::size_t>(found[i].layer.value)];
            if (window > 0) mask.window = window;
        }
        result.layers.push_back(finish(found[i], std::move(mask), std::move(weights[i]), result));
    }
    return result;
}

} // namespace headscope
