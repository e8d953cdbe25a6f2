// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weight_loader.h"

#include "core/base/error.h"
#include "core/checkpoint/checkpoint.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headscope {

namespace {

/// Parts of names that the encoder does not need: heads of tasks, poolers, buffers of old releases.
constexpr std::array<std::string_view, 14> kBesideThePoint{
    "position_ids", "pooler.",    "cls.",     "predictions.",        "lm_head",     "lm_loss",   "embed_out",
    "classifier",   "qa_outputs", "inv_freq", "num_batches_tracked", "masked_bias", "attn.bias", "dropout"};

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

} // namespace

at::Device torchDevice(DeviceChoice resolved) {
    return {resolved == DeviceChoice::Cuda ? at::kCUDA : at::kCPU};
}

at::Tensor applyNorm(const NormWeights& norm, const at::Tensor& input) {
    return at::layer_norm(input, norm.weight.sizes(), norm.weight, norm.bias, norm.epsilon);
}

at::Tensor RowTable::read(std::span<const std::int64_t> ids) const {
    const std::int64_t width = m_info.shape[1];
    at::Tensor rows = at::empty({static_cast<std::int64_t>(ids.size()), width}, at::kFloat);
    float* out = rows.data_ptr<float>();
    for (const std::int64_t id : ids) {
        m_source->readFloats(m_info, id * width, {out, static_cast<std::size_t>(width)});
        out += width;
    }
    return rows;
}

WeightLoader::WeightLoader(const Checkpoint& checkpoint, const LoadContext& context,
                           std::vector<std::string> prefixes, std::string_view anchor)
    : m_checkpoint(checkpoint), m_context(context), m_prefix(prefixes.front()) {
    const auto found = std::find_if(prefixes.begin(), prefixes.end(), [&](const std::string& prefix) {
        return checkpoint.weights->find(prefix + std::string(anchor)) != nullptr;
    });
    if (found != prefixes.end()) m_prefix = *found;
}

std::string WeightLoader::someFileName() const {
    const std::vector<TensorInfo>& all = m_checkpoint.weights->tensors();
    return all.empty() ? "model.safetensors" : m_checkpoint.weights->fileName(all.front());
}

const TensorInfo& WeightLoader::require(const std::string& name, std::span<const std::int64_t> shape) {
    const TensorSource& source = *m_checkpoint.weights;
    const std::string full = m_prefix + name;
    const TensorInfo* info = source.find(full);
    if (info == nullptr) {
        const std::string old = oldNormName(full);
        if (!old.empty()) info = source.find(old);
    }
    if (info == nullptr)
        fail(someFileName(), fmt::format("the tensor \"{}\" is missing", full),
             fmt::format("expected one of shape {}", shapeText(shape)),
             "the file is incomplete, or config.json names another family than it holds");
    if (!std::equal(shape.begin(), shape.end(), info->shape.begin(), info->shape.end()))
        fail(source.fileName(*info),
             fmt::format("the tensor \"{}\" has shape {}", info->name, shapeText(info->shape)),
             fmt::format("expected {} from config.json", shapeText(shape)));
    m_used.insert(info->name);
    m_parameters += info->elements;
    return *info;
}

at::Tensor WeightLoader::read(const std::string& name, std::span<const std::int64_t> shape) {
    m_context.cancel.throwIfCancelled();
    const TensorInfo& info = require(name, shape);
    at::Tensor tensor = at::empty(at::IntArrayRef(shape.data(), shape.size()), at::kFloat);
    m_checkpoint.weights->readFloats(info, 0,
                                     {tensor.data_ptr<float>(), static_cast<std::size_t>(info.elements)});
    if (m_context.progress)
        m_context.progress({"tensor", static_cast<std::int64_t>(m_used.size()), m_expected});
    return tensor.to(torchDevice(m_context.device));
}

at::Tensor WeightLoader::matrix(const std::string& name, std::int64_t rows, std::int64_t columns) {
    return read(name, std::array{rows, columns});
}

LinearWeights WeightLoader::linear(const std::string& name, std::int64_t out, std::int64_t in) {
    return {read(name + ".weight", std::array{out, in}), read(name + ".bias", std::array{out})};
}

NormWeights WeightLoader::norm(const std::string& name, std::int64_t size, double epsilon) {
    return {read(name + ".weight", std::array{size}), read(name + ".bias", std::array{size}), epsilon};
}

RowTable WeightLoader::rows(const std::string& name, std::int64_t rows, std::int64_t columns) {
    return {m_checkpoint.weights, require(name, std::array{rows, columns})};
}

std::vector<std::string> WeightLoader::notesOnUnusedTensors() const {
    std::string first;
    std::size_t count = 0;
    for (const TensorInfo& info : m_checkpoint.weights->tensors()) {
        if (m_used.contains(info.name) || isBesideThePoint(info.name)) continue;
        if (count++ == 0) first = info.name;
    }
    if (count == 0) return {};
    const std::string name = escapeForMessage(first, 100);
    return {count == 1
                ? fmt::format("{}: the tensor \"{}\" is not part of this family and not used", someFileName(),
                              name)
                : fmt::format("{}: {} tensors are not part of this family and not used, the first is \"{}\"",
                              someFileName(), count, name)};
}

} // namespace headscope
