// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weight_loader.h"

#include "core/base/check.h"
#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Parts of names that the maps do not need: heads of tasks, poolers, buffers of old releases, what a decoder
/// has for an encoder that is not there.
constexpr std::array<std::string_view, 31> kBesideThePoint{
    "position_ids",   "position_embed",   "mask_emb",     "pooler.",     "cls.",        "crossattention",
    "ln_cross_attn.", "predictions.",     "lm_head",      "lm_loss",     "embed_out",   "classifier",
    "qa_outputs",     "inv_freq",         "score.weight", "masked_bias", "attn.bias",   "attention.bias",
    "logits_proj",    "seq_relationship", "dropout",      "_logits",     "num_batches", "summary.",
    "generator_",     "encoder.version",  "head.dense",   "head.norm",   "answer_class",
    "vision_tower.",  "multi_modal_projector."};

bool isBesideThePoint(std::string_view name) {
    return std::any_of(kBesideThePoint.begin(), kBesideThePoint.end(),
                       [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// The spelling of before 2019: gamma for weight, beta for bias. Only whole last parts are renamed.
std::string oldNormName(std::string_view name) {
    for (const auto& [now, then] :
         {std::pair<std::string_view, std::string_view>{"LayerNorm.weight", "LayerNorm.gamma"},
          {"LayerNorm.bias", "LayerNorm.beta"}})
        if (name.ends_with(now))
            return std::string(name.substr(0, name.size() - now.size())) + std::string(then);
    return {};
}

std::string someFileName(const TensorSource& weights) {
    const std::vector<TensorInfo>& all = weights.tensors();
    return all.empty() ? "model.safetensors" : weights.fileName(all.front());
}

} // namespace

at::Device torchDevice(DeviceChoice resolved) {
    return {resolved == DeviceChoice::Cuda ? at::kCUDA : at::kCPU};
}

at::Tensor RowTable::read(std::span<const std::int64_t> ids) const {
    at::Tensor table = at::empty({static_cast<std::int64_t>(ids.size()), width()}, at::kFloat);
    float* out = table.data_ptr<float>();
    for (const std::int64_t id : ids) {
        m_source->readFloats(m_info, id * width(), {out, static_cast<std::size_t>(width())});
        out += width();
    }
    return table;
}

at::Tensor RowTable::readRange(std::int64_t first, std::int64_t count) const {
    at::Tensor table = at::empty({count, width()}, at::kFloat);
    m_source->readFloats(m_info, first * width(),
                         {table.data_ptr<float>(), static_cast<std::size_t>(count * width())});
    return table;
}

bool WeightLoader::has(const std::string& name) const {
    return m_source.weights->find(m_source.prefix + name) != nullptr;
}

const TensorInfo& WeightLoader::require(const std::string& name, std::span<const std::int64_t> shape) const {
    const TensorSource& weights = *m_source.weights;
    const std::string full = m_source.prefix + name;
    const TensorInfo* info = weights.find(full);
    if (info == nullptr) {
        const std::string old = oldNormName(full);
        if (!old.empty()) info = weights.find(old);
    }
    if (info == nullptr)
        fail(someFileName(weights), fmt::format("the tensor \"{}\" is missing", full),
             fmt::format("expected one of shape {}", shapeText(shape)),
             "the file is incomplete, or config.json names another family than it holds");
    if (!std::equal(shape.begin(), shape.end(), info->shape.begin(), info->shape.end()))
        fail(weights.fileName(*info),
             fmt::format("the tensor \"{}\" has shape {}", info->name, shapeText(info->shape)),
             fmt::format("expected {} from config.json", shapeText(shape)));
    if (m_ledger != nullptr && m_ledger->used.insert(info->name).second)
        m_ledger->parameters += info->elements;
    return *info;
}

at::Tensor WeightLoader::tensor(const std::string& name, std::span<const std::int64_t> shape) const {
    const TensorInfo& info = require(name, shape);
    const at::IntArrayRef sizes(shape.data(), shape.size());
    if (m_mode == Mode::Check)
        return at::empty(sizes, at::TensorOptions().dtype(at::kFloat).device(at::kMeta));
    if (m_onTensor) m_onTensor();
    at::Tensor result = at::empty(sizes, at::kFloat);
    m_source.weights->readFloats(info, 0,
                                 {result.data_ptr<float>(), static_cast<std::size_t>(info.elements)});
    return result.to(torchDevice(m_source.device));
}

at::Tensor WeightLoader::vector(const std::string& name, std::int64_t size) const {
    return tensor(name, std::array{size});
}

at::Tensor WeightLoader::matrix(const std::string& name, std::int64_t rows, std::int64_t columns) const {
    return tensor(name, std::array{rows, columns});
}

LinearWeights WeightLoader::linear(const LinearSpec& spec, std::int64_t out, std::int64_t in) const {
    if (!spec.exists()) return {};
    HS_CHECK(spec.layout != WeightLayout::InHeads);
    LinearWeights linear;
    linear.weight =
        spec.layout == WeightLayout::OutIn ? matrix(spec.weight, out, in) : matrix(spec.weight, in, out).t();
    if (!spec.bias.empty()) linear.bias = vector(spec.bias, out);
    return linear;
}

LinearWeights WeightLoader::headedLinear(const LinearSpec& spec, std::span<const std::int64_t> shape) const {
    HS_CHECK(spec.layout == WeightLayout::InHeads && shape.size() == 3);
    LinearWeights linear;
    linear.weight = tensor(spec.weight, shape).flatten(1).t();
    if (!spec.bias.empty()) linear.bias = tensor(spec.bias, shape.subspan(1)).flatten();
    return linear;
}

NormWeights WeightLoader::norm(const NormSpec& spec, std::span<const std::int64_t> shape) const {
    NormWeights norm;
    norm.epsilon = spec.epsilon;
    norm.rms = spec.kind != NormKind::Layer;
    if (!spec.weight.empty()) norm.weight = tensor(spec.weight, shape);
    if (!spec.bias.empty()) norm.bias = tensor(spec.bias, shape);
    if (spec.kind == NormKind::RmsPlusOne) norm.weight = norm.weight + 1.0;
    return norm;
}

NormWeights WeightLoader::norm(const NormSpec& spec, std::int64_t size) const {
    return norm(spec, std::array{size});
}

RowTable WeightLoader::rows(const std::string& name, std::int64_t rows, std::int64_t columns) const {
    return {m_source.weights, require(name, std::array{rows, columns})};
}

std::string choosePrefix(const TensorSource& weights, std::span<const std::string> prefixes,
                         std::string_view anchor) {
    HS_CHECK(!prefixes.empty());
    const auto found = std::find_if(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
        return weights.find(prefix + std::string(anchor)) != nullptr;
    });
    return found == prefixes.end() ? prefixes.front() : *found;
}

std::vector<std::string> notesOnUnusedTensors(const TensorSource& weights, const WeightLedger& ledger) {
    std::string first;
    std::size_t count = 0;
    for (const TensorInfo& info : weights.tensors()) {
        if (ledger.used.contains(info.name) || isBesideThePoint(info.name)) continue;
        if (count++ == 0) first = info.name;
    }
    if (count == 0) return {};
    const std::string name = escapeForMessage(first, 100);
    const std::string file = someFileName(weights);
    return {count == 1
                ? fmt::format("{}: the tensor \"{}\" is not part of this family and not used", file, name)
                : fmt::format("{}: {} tensors are not part of this family and not used, the first is \"{}\"",
                              file, count, name)};
}

} // namespace headscope
