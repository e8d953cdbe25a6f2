// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/checkpoint/safetensors.h"
#include "core/maps/head_map.h"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace headscope::test {

/// Reference values of one text, as tests/tools/make_golden_maps.py wrote them.
struct GoldenText {
    std::string text;
    std::optional<std::string> pair;
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> tokenTypes;
    double bound = 0.0;             ///< largest allowed difference of a weight
    double hiddenBound = 0.0;       ///< the same for the last hidden state
    std::vector<float> hiddenState; ///< [tokens, hidden size]; empty for long texts
    /// Rows that are stored of every head; empty = all of them.
    std::vector<std::int64_t> rows;
    std::vector<std::vector<float>> weights;    ///< per layer [heads, stored rows, keys]
    std::vector<std::vector<float>> rowSums;    ///< per layer [heads, queries]; long texts only
    std::vector<std::vector<float>> columnSums; ///< per layer [heads, keys]; long texts only

    std::int64_t tokens() const { return static_cast<std::int64_t>(ids.size()); }
    std::int64_t storedRows() const {
        return rows.empty() ? tokens() : static_cast<std::int64_t>(rows.size());
    }
    int heads(std::size_t layer) const {
        return static_cast<int>(weights[layer].size() / static_cast<std::size_t>(storedRows() * tokens()));
    }
    /// Largest difference from a head's map over everything that is stored (sums are taken per token).
    double largestDifference(std::size_t layer, int head, const HeadMap& map) const;
};

namespace golden_detail {

inline std::vector<float> floatsOf(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    if (info == nullptr) return {};
    std::vector<float> values(static_cast<std::size_t>(info->elements));
    source.readFloats(*info, 0, values);
    return values;
}

inline std::vector<std::int64_t> integersOf(const TensorSource& source, const std::string& name) {
    const TensorInfo* info = source.find(name);
    if (info == nullptr) return {};
    std::vector<std::int64_t> values(static_cast<std::size_t>(info->elements));
    source.readRaw(*info, 0, info->elements, std::as_writable_bytes(std::span(values)));
    return values;
}

inline std::vector<std::vector<float>> layersOf(const TensorSource& source, const std::string& stem) {
    std::vector<std::vector<float>> layers;
    while (source.find(stem + std::to_string(layers.size())) != nullptr)
        layers.push_back(floatsOf(source, stem + std::to_string(layers.size())));
    return layers;
}

} // namespace golden_detail

/// All texts of tests/data/golden/NAME.safetensors, by name.
inline std::map<std::string, GoldenText> readGolden(const std::string& name) {
    const std::filesystem::path path =
        std::filesystem::path(HEADSCOPE_TEST_DATA) / "golden" / (name + ".safetensors");
    const std::shared_ptr<const TensorSource> source = openSafetensors(path);
    const std::map<std::string, std::string> metadata = readSafetensorsMetadata(path);
    std::map<std::string, GoldenText> texts;
    for (const auto& [key, value] : metadata) {
        if (!key.ends_with(".text")) continue;
        const std::string stem = key.substr(0, key.size() - 4);
        GoldenText text;
        text.text = value;
        if (metadata.contains(stem + "pair")) text.pair = metadata.at(stem + "pair");
        text.bound = std::stod(metadata.at(stem + "bound"));
        text.hiddenBound = std::stod(metadata.at(stem + "hidden_bound"));
        text.ids = golden_detail::integersOf(*source, stem + "input_ids");
        text.tokenTypes = golden_detail::integersOf(*source, stem + "token_types");
        text.rows = golden_detail::integersOf(*source, stem + "rows");
        text.hiddenState = golden_detail::floatsOf(*source, stem + "last_hidden_state");
        text.weights = golden_detail::layersOf(*source, stem + "attentions.");
        text.rowSums = golden_detail::layersOf(*source, stem + "row_sums.");
        text.columnSums = golden_detail::layersOf(*source, stem + "column_sums.");
        if (text.ids.empty() || text.weights.empty())
            throw std::runtime_error(stem + " is not in " + path.string());
        texts.emplace(stem.substr(0, stem.size() - 1), std::move(text));
    }
    if (texts.empty()) throw std::runtime_error("no text in " + path.string());
    return texts;
}

inline double GoldenText::largestDifference(std::size_t layer, int head, const HeadMap& map) const {
    const std::int64_t count = tokens();
    if (map.extent() != Extent{count, count}) return INFINITY;
    double largest = 0.0;
    // Written so that NaN counts as a difference.
    const auto compare = [&](double ours, double theirs) {
        const double difference = std::fabs(ours - theirs);
        largest = difference <= largest ? largest : std::isnan(difference) ? INFINITY : difference;
    };
    const float* expected = weights[layer].data() + head * storedRows() * count;
    for (std::int64_t r = 0; r < storedRows(); ++r) {
        const std::vector<float> row = map.row(rows.empty() ? r : rows[static_cast<std::size_t>(r)]);
        for (std::int64_t j = 0; j < count; ++j)
            compare(row[static_cast<std::size_t>(j)], expected[r * count + j]);
    }
    if (rowSums.empty()) return largest;
    std::vector<double> columns(static_cast<std::size_t>(count), 0.0);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::vector<float> row = map.row(i);
        double sum = 0.0;
        for (std::size_t j = 0; j < row.size(); ++j) {
            sum += row[j];
            columns[j] += row[j];
        }
        compare(sum, rowSums[layer][static_cast<std::size_t>(head * count + i)]);
    }
    for (std::int64_t j = 0; j < count; ++j) {
        const double ours = columns[static_cast<std::size_t>(j)];
        const double theirs = columnSums[layer][static_cast<std::size_t>(head * count + j)];
        compare(ours / static_cast<double>(count), theirs / static_cast<double>(count));
    }
    return largest;
}

} // namespace headscope::test
