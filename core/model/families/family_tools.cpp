// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/family_tools.h"

#include "core/base/check.h"
#include "core/base/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace headscope {

namespace {

/// nullptr where the weights have no `name` under any of the prefixes.
const TensorInfo* findTensor(const Checkpoint& checkpoint, std::span<const std::string> prefixes,
                             const std::string& name) {
    if (checkpoint.weights == nullptr) return nullptr;
    for (const std::string& prefix : prefixes)
        if (const TensorInfo* info = checkpoint.weights->find(prefix + name)) return info;
    return nullptr;
}

StackSpec stackOf(AttentionKind kind, const AttentionSpec& attention, std::size_t layers) {
    StackSpec stack;
    stack.kind = kind;
    stack.layers = static_cast<int>(layers);
    stack.heads = attention.heads;
    stack.keyValueHeads = attention.keyValueHeads;
    stack.headSize = attention.headSize;
    stack.causal = attention.causal;
    return stack;
}

void completeStack(TransformerSpec& stack) {
    if (stack.outputSize == 0) stack.outputSize = stack.hiddenSize;
    for (const BlockSpec& block : stack.blocks) {
        const AttentionSpec& attention = block.attention;
        HS_CHECK(attention.heads > 0 && attention.keyValueHeads > 0 && attention.headSize > 0);
        HS_CHECK(!attention.rotary || *attention.rotary < stack.rotaries.size());
    }
}

} // namespace

std::int64_t hiddenSizeOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback) {
    refuseNull(config, field);
    return config.integer(field, fallback, 1, spec_limits::kHiddenSize);
}

int layersOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback) {
    refuseNull(config, field);
    return static_cast<int>(config.integer(field, fallback, 1, spec_limits::kLayers));
}

int headsOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback) {
    refuseNull(config, field);
    return static_cast<int>(config.integer(field, fallback, 1, spec_limits::kHeads));
}

std::int64_t intermediateSizeOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback) {
    refuseNull(config, field);
    return config.integer(field, fallback, 1, spec_limits::kIntermediateSize);
}

std::int64_t vocabularySizeOf(const ConfigReader& config, std::int64_t fallback, const FieldName& field) {
    refuseNull(config, field);
    return config.integer(field, fallback, 1, spec_limits::kVocabulary);
}

std::int64_t positionsOf(const ConfigReader& config, const FieldName& field, std::int64_t fallback) {
    refuseNull(config, field);
    return config.integer(field, fallback, 1, spec_limits::kPositions);
}

std::optional<std::int64_t> positionsOrNone(const ConfigReader& config, const FieldName& field,
                                            std::int64_t fallback) {
    if (config.isNull(field)) return std::nullopt;
    return positionsOf(config, field, fallback);
}

double epsilonOf(const ConfigReader& config, const FieldName& field, double fallback) {
    refuseNull(config, field);
    return config.real(field, fallback, 0.0, 1.0);
}

Activation activationOf(const ConfigReader& config, const FieldName& field, std::string_view fallback) {
    refuseNull(config, field);
    return activationOf(config.string(field, fallback),
                        config.subject() + ": " + std::string(field.names().front()));
}

bool flagOf(const ConfigReader& config, const FieldName& field, bool fallback) {
    return !config.isNull(field) && config.boolean(field, fallback);
}

std::int64_t evenHeadSize(std::int64_t hiddenSize, int heads) {
    if (hiddenSize % heads != 0)
        fail("config.json",
             fmt::format("a model size of {} cannot be divided evenly among {} heads", hiddenSize, heads),
             fmt::format("{} would be left over", hiddenSize % heads),
             "choose a number of heads that divides the model size");
    return hiddenSize / heads;
}

int keyValueHeadsOf(const ConfigReader& config, const FieldName& field, int heads, int fallback) {
    const auto shared = static_cast<int>(config.integer(field, fallback, 1, spec_limits::kHeads));
    if (heads % shared != 0)
        fail(config.subject() + ": " + std::string(field.names().front()),
             fmt::format("{} key/value heads for {} heads", shared, heads),
             "expected a number that divides the heads");
    return shared;
}

std::optional<std::int64_t> paddingIdOf(const ConfigReader& config, std::optional<std::int64_t> fallback,
                                        std::int64_t vocabularySize) {
    const char* field = "pad_token_id";
    if (config.isNull(field)) return std::nullopt;
    if (const auto id = config.optionalInteger(field, -vocabularySize, vocabularySize - 1)) return id;
    if (fallback >= vocabularySize)
        fail(config.subject(),
             fmt::format("{} is missing, and its default of {} is outside the vocabulary", field, *fallback),
             fmt::format("expected at most {}", vocabularySize - 1));
    return fallback;
}

void refuseNull(const ConfigReader& config, const FieldName& field) {
    for (const std::string_view name : field.names())
        if (config.isNull(name))
            fail(config.subject() + ": " + std::string(name), "found null",
                 "expected a value, or no such field");
}

void refuseNulls(const ConfigReader& config, std::initializer_list<FieldName> fields) {
    for (const FieldName& field : fields) refuseNull(config, field);
}

void refusePrunedHeads(const ConfigReader& config) {
    const Json* pruned = config.value("pruned_heads");
    if (pruned == nullptr) return;
    const std::string subject = config.subject() + ": pruned_heads";
    if (!pruned->isObject()) fail(subject, fmt::format("found {}", pruned->typeName()), "expected an object");
    for (const Json::Member& layer : pruned->members())
        if (!layer.second.isArray() || !layer.second.items().empty())
            fail(subject, fmt::format("heads of layer {} were removed", escapeForMessage(layer.first, 20)),
                 "expected a model with all its heads");
}

std::optional<std::vector<bool>> slidingLayers(const ConfigReader& config, int layers) {
    const std::optional<std::vector<std::string>> types = config.strings("layer_types");
    if (!types) return std::nullopt;
    const std::string subject = config.subject() + ": layer_types";
    if (types->size() != static_cast<std::size_t>(layers))
        fail(subject, fmt::format("{} entries for {} layers", types->size(), layers),
             "expected one for each layer");
    std::vector<bool> sliding;
    for (std::size_t layer = 0; layer < types->size(); ++layer) {
        const std::string& type = (*types)[layer];
        if (type != "full_attention" && type != "sliding_attention")
            fail(subject, fmt::format("layer {} is \"{}\"", layer, escapeForMessage(type, 40)),
                 "expected full_attention or sliding_attention, the kinds that are computed");
        sliding.push_back(type == "sliding_attention");
    }
    return sliding;
}

bool hasTensor(const Checkpoint& checkpoint, std::span<const std::string> prefixes, const std::string& name) {
    return findTensor(checkpoint, prefixes, name) != nullptr;
}

std::string firstTensor(const Checkpoint& checkpoint, std::span<const std::string> prefixes,
                        const std::vector<std::string>& names) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
        return hasTensor(checkpoint, prefixes, name);
    });
    return found == names.end() ? names.front() : *found;
}

namespace {

/// Compared at places spread over them: tables that were trained apart agree nowhere.
bool agree(const TensorSource& weights, const TensorInfo& one, const TensorInfo& other) {
    constexpr std::int64_t kPlaces = 64;
    if (one.shape != other.shape) return false;
    const std::int64_t run = std::min<std::int64_t>(256, one.elements);
    std::vector<float> left(static_cast<std::size_t>(run));
    std::vector<float> right(left.size());
    for (std::int64_t place = 0; place < kPlaces; ++place) {
        const std::int64_t first = (one.elements - run) * place / (kPlaces - 1);
        weights.readFloats(one, first, left);
        weights.readFloats(other, first, right);
        if (left != right) return false;
    }
    return true;
}

} // namespace

std::string sharedTensor(const Checkpoint& checkpoint, std::span<const std::string> prefixes,
                         const std::vector<std::string>& names) {
    std::string first = firstTensor(checkpoint, prefixes, names);
    const TensorInfo* read = findTensor(checkpoint, prefixes, first);
    for (const std::string& name : names) {
        const TensorInfo* other = findTensor(checkpoint, prefixes, name);
        if (other == nullptr || agree(*checkpoint.weights, *read, *other)) continue;
        fail(fmt::format("{}: the tensors \"{}\" and \"{}\"", checkpoint.weights->fileName(*other),
                         read->name, other->name),
             "they differ",
             "expected one table under both names: config.json says that both stacks share it");
    }
    return first;
}

std::optional<OutputHeadSpec> languageHead(const Checkpoint& checkpoint, bool tied, std::int64_t vocabulary,
                                           const std::string& name) {
    OutputHeadSpec head;
    head.vocabularySize = vocabulary;
    if (tied) return head;
    const std::vector<std::string> noPrefix{""};
    if (!hasTensor(checkpoint, noPrefix, name + ".weight")) return std::nullopt;
    head.weight = name + ".weight";
    if (hasTensor(checkpoint, noPrefix, name + ".bias")) head.bias = name + ".bias";
    return head;
}

void completeSpec(ModelSpec& spec) {
    HS_CHECK(!spec.main.blocks.empty());
    completeStack(spec.main);
    const BlockSpec& first = spec.main.blocks.front();
    spec.stacks = {stackOf(spec.decoder ? AttentionKind::Encoder : AttentionKind::Self, first.attention,
                           spec.main.blocks.size())};
    if (spec.decoder) {
        completeStack(*spec.decoder);
        const std::vector<BlockSpec>& blocks = spec.decoder->blocks;
        HS_CHECK(!blocks.empty() && blocks.front().cross.has_value());
        spec.stacks.push_back(stackOf(AttentionKind::Decoder, blocks.front().attention, blocks.size()));
        spec.stacks.push_back(stackOf(AttentionKind::Cross, blocks.front().cross->attention, blocks.size()));
    }
    spec.hiddenSize = spec.main.hiddenSize;
    spec.vocabularySize = spec.main.embedding.vocabularySize;
    spec.maxPositions = spec.main.maxPositions;
    spec.activation = first.feedForward.activation;
    spec.intermediateSize = first.feedForward.mixture ? first.feedForward.mixture->intermediateSize
                                                      : first.feedForward.intermediateSize;
}

} // namespace headscope
