// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/map_reader.h"

#include "core/checkpoint/widen.h"
#include "core/imported/attention_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headscope {

namespace {

/// The weights of one map stand in its own order, one behind the other.
bool standTogether(const FoundLayer& layer) {
    const MapPlace& place = layer.place;
    return (place.key == 1 || layer.extent.columns == 1) &&
           (place.query == layer.extent.columns || layer.extent.rows == 1);
}

} // namespace

LayerWeights MapReader::read(const FoundLayer& layer) {
    const MapPlace& place = layer.place;
    if (!standTogether(layer)) {
        const std::int64_t last = (layer.heads - 1) * place.head + (layer.extent.rows - 1) * place.query +
                                  (layer.extent.columns - 1) * place.key;
        m_first = place.first;
        m_array.resize(static_cast<std::size_t>(last) + 1);
        readFloats(*layer.tensor, m_first, m_array);
    }
    LayerWeights weights;
    for (std::int64_t head = 0; head < layer.heads; ++head) {
        m_cancel.throwIfCancelled();
        std::vector<float> map = headOf(layer, head);
        const WeightFacts facts = requireWeights({map.data(), layer.extent.rows, layer.extent.columns},
                                                 {m_file, {layer.kind, layer.layer, HeadIndex(head)}});
        weights.seesLater = weights.seesLater || facts.seesLater;
        m_belowZero += facts.belowZero;
        m_mostBelow = std::min(m_mostBelow, facts.mostBelow);
        weights.heads.push_back(std::move(map));
    }
    std::vector<float>().swap(m_array);
    m_source.dropPages(*layer.tensor);
    return weights;
}

std::vector<float> MapReader::headOf(const FoundLayer& layer, std::int64_t head) const {
    const MapPlace& place = layer.place;
    std::vector<float> map(static_cast<std::size_t>(layer.extent.rows * layer.extent.columns));
    if (standTogether(layer)) {
        readFloats(*layer.tensor, place.first + head * place.head, map);
        return map;
    }
    auto to = map.begin();
    for (std::int64_t query = 0; query < layer.extent.rows; ++query)
        for (std::int64_t key = 0; key < layer.extent.columns; ++key)
            *to++ =
                m_array[static_cast<std::size_t>(head * place.head + query * place.query + key * place.key)];
    return map;
}

void MapReader::noteBelowZero(std::vector<std::string>& notes) const {
    if (m_belowZero > 0)
        notes.push_back(fmt::format("weights below 0 are taken as 0 ({} of them, the least {:.2g})",
                                    m_belowZero, m_mostBelow));
}

/// NaN and infinities included: the checks that follow say where they are.
void MapReader::readFloats(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const {
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

} // namespace headscope
