// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/open_attention.h"

#include "core/analysis/imported_layers.h"
#include "core/base/check.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

/// What stands in the place of the model that computed the maps.
class NoModel final : public Model {
  public:
    NoModel(ModelSpec spec, std::string file) : m_spec(std::move(spec)), m_file(std::move(file)) {}

    const ModelSpec& spec() const override { return m_spec; }
    DeviceChoice device() const override { return DeviceChoice::Cpu; }
    std::int64_t parameters() const override { return 0; }
    WeightMemory weightMemory() const override { return {}; }
    ModelOutput forward(const ModelInput&, const ForwardHooks&) const override { refuse(); }
    std::vector<float> logits(std::span<const float>, const CancelToken&) const override { refuse(); }

  private:
    [[noreturn]] void refuse() const {
        fail(m_file, "it holds maps that were computed already, and no model that could be run",
             "expected a model's folder");
    }

    ModelSpec m_spec;
    std::string m_file;
};

ModelSpec specOfMaps(const ImportedAttention& file) {
    ModelSpec spec;
    spec.family = "attention file";
    for (const ImportedLayer& layer : file.layers) {
        auto stack = std::find_if(spec.stacks.begin(), spec.stacks.end(),
                                  [&](const StackSpec& one) { return one.kind == layer.kind; });
        const int heads = static_cast<int>(layer.heads.size());
        if (stack == spec.stacks.end()) {
            spec.stacks.push_back({.kind = layer.kind,
                                   .layers = 0,
                                   .heads = heads,
                                   .keyValueHeads = heads,
                                   .headSize = 0,
                                   .causal = layer.mask.causal});
            stack = std::prev(spec.stacks.end());
        }
        if (heads != stack->heads)
            fail(file.name,
                 fmt::format("layer {} has {} heads, layer 0 has {}", layer.layer.value, heads, stack->heads),
                 "expected as many in every layer", "\"headscope diagnose\" reads such a file");
        ++stack->layers;
        if (layer.kind == AttentionKind::Decoder || layer.kind == AttentionKind::Cross)
            spec.decoder.emplace();
    }
    // Shown in the order of the pass: encoder, decoder, cross.
    std::sort(spec.stacks.begin(), spec.stacks.end(),
              [](const StackSpec& one, const StackSpec& other) { return one.kind < other.kind; });
    return spec;
}

/// The tokens of a side as a tokenised text has them: of no text, since only pieces are known.
TokenizedText tokensOf(const std::shared_ptr<const Axis>& known, std::int64_t count) {
    auto axis = std::make_shared<Axis>();
    if (known) *axis = *known;
    TokenizedText text;
    axis->entries.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < axis->entries.size(); ++i) {
        AxisEntry& entry = axis->entries[i];
        if (!known) entry.label = fmt::format("{}", i);
        entry.text = -1;
        Token token;
        token.id = entry.id;
        token.piece = entry.piece;
        token.special = entry.special;
        text.tokens.push_back(std::move(token));
    }
    text.axis = std::move(axis);
    text.fullLength = count;
    return text;
}

std::size_t bytesOf(const ImportedAttention& file) {
    std::size_t bytes = 0;
    for (const ImportedLayer& layer : file.layers)
        bytes += layer.heads.size() * static_cast<std::size_t>(layer.mask.queries * layer.mask.keys) *
                 sizeof(float);
    return bytes;
}

} // namespace

bool isAttentionFile(const std::filesystem::path& path) {
    std::error_code ignored;
    return isAttentionFileName(path) && !std::filesystem::is_directory(path, ignored);
}

std::shared_ptr<const OpenModel> openAttention(const std::filesystem::path& file, const ReadingRules& rules,
                                               const CancelToken& cancel) {
    auto opened = std::make_shared<OpenModel>();
    translatingErrors([&] {
        const auto maps = std::make_shared<ImportedAttention>(readAttentionFile(file, rules, cancel));
        opened->folder = file;
        opened->name = maps->name;
        opened->notes = std::move(maps->notes);
        maps->notes.clear();
        opened->model = std::make_shared<const NoModel>(specOfMaps(*maps), maps->name);
        opened->imported = maps;
    });
    return opened;
}

std::shared_ptr<const Analysis> analysisOfImported(const std::shared_ptr<const OpenModel>& model,
                                                   const AnalysisEvents& events, const CancelToken& cancel) {
    HS_CHECK(model->imported != nullptr);
    const auto started = std::chrono::steady_clock::now();
    const ImportedAttention& file = *model->imported;
    auto analysis = std::make_shared<Analysis>();
    analysis->model = model;
    analysis->text = tokensOf(file.sourceAxis, file.sourceTokens);
    if (model->spec().decoder) analysis->target = tokensOf(file.targetAxis, file.targetTokens);
    if (events.tokens) events.tokens(analysis->text, analysis->target);
    analysis->layers = measureImported(file, events, cancel);
    analysis->bytesKept = bytesOf(file);
    analysis->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return analysis;
}

} // namespace headscope
