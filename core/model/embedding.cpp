// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/embedding.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>

namespace headscope {

namespace {

at::Tensor indexTensor(std::span<const std::int64_t> values, at::Device device) {
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kLong);
    std::copy(values.begin(), values.end(), tensor.data_ptr<std::int64_t>());
    return tensor.to(device);
}

/// Vaswani et al. 2017, sines in the first half of the dimensions and cosines in the second. The angles are
/// taken in double, the table in float32, as numpy's are upstream.
at::Tensor marianRows(std::span<const std::int64_t> rows, std::int64_t width) {
    at::Tensor table = at::empty({static_cast<std::int64_t>(rows.size()), width}, at::kFloat);
    float* out = table.data_ptr<float>();
    const std::int64_t sines = (width + 1) / 2;
    for (const std::int64_t row : rows) {
        for (std::int64_t j = 0; j < width; ++j) {
            const std::int64_t dimension = j < sines ? 2 * j : 2 * (j - sines) + 1;
            const double angle =
                static_cast<double>(row) /
                std::pow(10000.0, 2.0 * static_cast<double>(dimension / 2) / static_cast<double>(width));
            *out++ = static_cast<float>(j < sines ? std::sin(angle) : std::cos(angle));
        }
    }
    return table;
}

/// fairseq's variant: frequencies exp(-i ln 10000 / (half - 1)) in float32, the padding row is zero, an odd
/// width ends with a zero.
at::Tensor m2mRows(std::span<const std::int64_t> rows, std::int64_t width, std::int64_t paddingId) {
    const std::int64_t half = width / 2;
    const double step = std::log(10000.0) / (static_cast<double>(half) - 1.0);
    const at::Tensor frequencies = at::exp(at::arange(half, at::kLong).to(at::kFloat) * -step);
    const at::Tensor angles =
        indexTensor(rows, at::kCPU).to(at::kFloat).unsqueeze(1) * frequencies.unsqueeze(0);
    at::Tensor table = at::zeros({static_cast<std::int64_t>(rows.size()), width}, at::kFloat);
    table.narrow(1, 0, half).copy_(angles.sin());
    table.narrow(1, half, half).copy_(angles.cos());
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i] == paddingId) table[static_cast<std::int64_t>(i)].zero_();
    return table;
}

} // namespace

std::vector<std::int64_t> positionRows(const PositionEmbeddingSpec& spec, std::span<const std::int64_t> ids) {
    std::vector<std::int64_t> rows;
    rows.reserve(ids.size());
    std::int64_t seen = 0;
    for (const std::int64_t id : ids) {
        if (!spec.paddingId) {
            rows.push_back(seen++ + spec.offset);
            continue;
        }
        const bool padding = id == *spec.paddingId;
        if (!padding) ++seen;
        rows.push_back(padding ? *spec.paddingId : seen + *spec.paddingId);
    }
    return rows;
}

Embedding::Embedding(const WeightLoader& loader, const TransformerSpec& stack, DeviceChoice device)
    : m_spec(stack.embedding), m_device(device),
      m_words(loader.rows(m_spec.words, m_spec.vocabularySize, m_spec.width)) {
    const PositionEmbeddingSpec& positions = m_spec.positions;
    // Tables stand at the width of the sum they enter.
    const bool projectedFirst =
        m_spec.projection.exists() && m_spec.place == EmbeddingSpec::ProjectionPlace::AfterWords;
    const std::int64_t sumWidth = projectedFirst ? stack.hiddenSize : m_spec.width;
    if (positions.source == PositionEmbeddingSpec::Source::Table)
        m_positions = loader.rows(positions.table, positions.rows, sumWidth);
    if (!m_spec.types.empty()) m_types = loader.matrix(m_spec.types, m_spec.typeCount, sumWidth);
    m_projection = loader.linear(m_spec.projection, stack.hiddenSize, m_spec.width);
    const bool normedAfter =
        m_spec.projection.exists() && m_spec.place != EmbeddingSpec::ProjectionPlace::AfterNorm;
    if (m_spec.norm) m_norm = loader.norm(*m_spec.norm, normedAfter ? stack.hiddenSize : m_spec.width);
}

at::Tensor Embedding::positions(std::span<const std::int64_t> ids) const {
    const std::vector<std::int64_t> rows = positionRows(m_spec.positions, ids);
    switch (m_spec.positions.source) {
    case PositionEmbeddingSpec::Source::None:
        return {};
    case PositionEmbeddingSpec::Source::Table:
        return m_positions->read(rows);
    case PositionEmbeddingSpec::Source::Marian:
        return marianRows(rows, m_spec.width);
    case PositionEmbeddingSpec::Source::M2m:
        return m2mRows(rows, m_spec.width, m_spec.positions.paddingId.value_or(-1));
    }
    return {};
}

at::Tensor Embedding::forward(std::span<const std::int64_t> ids, std::span<const std::int64_t> types) const {
    const at::Device device = torchDevice(m_device);
    const auto project = [&](EmbeddingSpec::ProjectionPlace place, at::Tensor states) {
        return m_projection.weight.defined() && m_spec.place == place ? applyLinear(m_projection, states)
                                                                      : states;
    };
    at::Tensor sum = m_words.read(ids).to(device);
    if (m_spec.scale != 1.0) sum.mul_(m_spec.scale);
    sum = project(EmbeddingSpec::ProjectionPlace::AfterWords, sum);
    if (m_types.defined())
        sum += types.empty() ? m_types[0] : m_types.index_select(0, indexTensor(types, device));
    const at::Tensor places = positions(ids);
    if (places.defined()) sum += places.to(device);
    sum = project(EmbeddingSpec::ProjectionPlace::AfterSum, sum);
    if (m_norm) sum = applyNorm(*m_norm, sum);
    return project(EmbeddingSpec::ProjectionPlace::AfterNorm, sum);
}

} // namespace headscope
