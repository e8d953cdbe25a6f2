// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/imported/mask_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
std::optional<std::string> weightOnPadding(MatrixView<const float> weights, const Axis& queries,
                                           const Axis& keys, const HeadPlace& place) {
    std::vector<std::size_t> padding;
    for (std::size_t key = 0; key < keys.entries.size(); ++key)
        if (isPadding(keys.entries[key])) padding.push_back(key);
    if (padding.empty()) return std::nullopt;
    for (std::int64_t row = 0; row < weights.rows; ++row) {
        if (isPadding(queries.entries[static_cast<std::size_t>(row)])) continue;
        double sum = 0.0;
        for (const std::size_t key : padding) sum += static_cast<double>(weights.row(row)[key]);
        if (sum > kNoWeight)
            return fmt::format("{}: {:.4g} of the weight is on padding (from key {}), so the mask that "
                               "should hide it is missing",
                               place.rowText(row), sum, padding.front());
    }
    return std::nullopt;
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

void MaskNotes::look(MatrixView<const float> weights, const MaskRule& mask, const HeadPlace& place) {
    const AttentionKind kind = place.head.kind;
    if (!m_saidUpsideDown && kind != AttentionKind::Cross && !mask.causal && isUpsideDown(weights)) {
        m_saidUpsideDown = true;
        m_file.notes.push_back(fmt::format("{}: there is weight only on this query and on later keys, "
                                           "so the causal mask seems to be upside down",
                                           place.rowText(0)));
    }
    const Axis* const keys = m_file.keyAxis(kind);
    const Axis* const queries = kind == AttentionKind::Cross ? m_file.targetAxis.get() : keys;
    if (m_saidPadding || keys == nullptr || queries == nullptr) return;
    if (auto sentence = weightOnPadding(weights, *queries, *keys, place)) {
        m_saidPadding = true;
        m_file.notes.push_back(std::move(*sentence));
    }
}

} // namespace headscope
