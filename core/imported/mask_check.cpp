// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/mask_check.h"

#include "core/imported/attention_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

namespace {

constexpr double kNoWeight = 1e-6; ///< of a row, together

double sumOf(const float* weights, std::int64_t count) {
    double sum = 0.0;
    for (std::int64_t i = 0; i < count; ++i) sum += static_cast<double>(weights[i]);
    return sum;
}

bool isPadding(const AxisEntry& entry) {
    constexpr std::array<std::string_view, 4> kPieces = {"[PAD]", "<pad>", "<|pad|>", "<|padding|>"};
    return std::find(kPieces.begin(), kPieces.end(), entry.piece) != kPieces.end();
}

/// Where a head first gives weight to padding, as a sentence; nothing where it does not.
std::optional<std::string> weightOnPadding(const HeadMap& map, const Axis& queries, const Axis& keys,
                                           const HeadPlace& place) {
    std::vector<std::size_t> padding;
    for (std::size_t key = 0; key < keys.entries.size(); ++key)
        if (isPadding(keys.entries[key])) padding.push_back(key);
    if (padding.empty()) return std::nullopt;
    for (std::int64_t row = 0; row < map.extent().rows; ++row) {
        if (isPadding(queries.entries[static_cast<std::size_t>(row)])) continue;
        const std::vector<float> weights = map.row(row);
        double sum = 0.0;
        for (const std::size_t key : padding) sum += static_cast<double>(weights[key]);
        if (sum > kNoWeight)
            return fmt::format("{}: {:.4g} of the weight is on padding (from key {}), so the mask that "
                               "should hide it is missing",
                               place.rowText(row), sum, padding.front());
    }
    return std::nullopt;
}

MatrixView<const float> wholeOf(const HeadMap& map, std::vector<float>& weights) {
    const Extent extent = map.extent();
    weights.resize(static_cast<std::size_t>(extent.rows * extent.columns));
    map.tile({0, extent.rows}, {0, extent.columns}, {weights.data(), extent.rows, extent.columns});
    return {weights.data(), extent.rows, extent.columns};
}

} // namespace

bool isUpsideDown(MatrixView<const float> weights) {
    if (weights.rows != weights.columns || weights.rows < 3) return false;
    bool readsLater = false;
    for (std::int64_t row = 0; row + 1 < weights.rows; ++row) {
        if (sumOf(weights.row(row), row) > kNoWeight) return false;
        readsLater = readsLater || sumOf(weights.row(row) + row + 1, weights.columns - row - 1) > kNoWeight;
    }
    return readsLater;
}

bool isMaskedAfterSoftmax(MatrixView<const float> weights, double bound) {
    if (weights.rows != weights.columns || weights.rows < 2) return false;
    std::int64_t below = 0;
    for (std::int64_t row = 0; row < weights.rows; ++row) {
        if (sumOf(weights.row(row) + row + 1, weights.columns - row - 1) > kNoWeight) return false;
        if (sumOf(weights.row(row), row + 1) < 1.0 - bound) ++below;
    }
    const double last = sumOf(weights.row(weights.rows - 1), weights.columns);
    return 2 * below >= weights.rows && std::abs(last - 1.0) <= bound;
}

bool isTransposed(MatrixView<const float> weights, double bound) {
    std::vector<double> columns(static_cast<std::size_t>(weights.columns));
    bool isWrong = false;
    for (std::int64_t row = 0; row < weights.rows; ++row) {
        const float* const numbers = weights.row(row);
        for (std::size_t key = 0; key < columns.size(); ++key)
            columns[key] += static_cast<double>(numbers[key]);
        isWrong = isWrong || std::abs(sumOf(numbers, weights.columns) - 1.0) > bound;
    }
    return isWrong && std::all_of(columns.begin(), columns.end(),
                                  [bound](double sum) { return std::abs(sum - 1.0) <= bound; });
}

void noteWrongMasks(ImportedAttention& file) {
    bool saidUpsideDown = false;
    bool saidPadding = false;
    std::vector<float> weights;
    for (const ImportedLayer& layer : file.layers) {
        const Axis* const keys = file.keyAxis(layer.kind);
        const Axis* const queries = layer.kind == AttentionKind::Cross ? file.targetAxis.get() : keys;
        for (std::size_t h = 0; h < layer.heads.size(); ++h) {
            if (saidUpsideDown && saidPadding) return;
            const HeadMap& map = *layer.heads[h];
            const HeadPlace place{file.name,
                                  {layer.kind, layer.layer, HeadIndex(static_cast<std::int64_t>(h))}};
            if (!saidUpsideDown && layer.kind != AttentionKind::Cross && !layer.mask.causal &&
                isUpsideDown(wholeOf(map, weights))) {
                saidUpsideDown = true;
                file.notes.push_back(fmt::format("{}: there is weight only on this query and on later keys, "
                                                 "so the causal mask seems to be upside down",
                                                 place.rowText(0)));
            }
            if (saidPadding || keys == nullptr || queries == nullptr) continue;
            if (const auto sentence = weightOnPadding(map, *queries, *keys, place)) {
                saidPadding = true;
                file.notes.push_back(*sentence);
            }
        }
    }
}

} // namespace headscope
