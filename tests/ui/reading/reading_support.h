// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/axis.h"
#include "core/maps/head_map.h"
#include "core/raster/colormap.h"
#include "tests/ui/heatmap/heat_support.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace headscope::ui {

inline AxisEntry spanOf(const std::string& label, std::int64_t start, std::int64_t end, int text = 0) {
    AxisEntry entry;
    entry.label = label;
    entry.start = start;
    entry.end = end;
    entry.text = text;
    return entry;
}

inline AxisEntry specialOf(const std::string& label) {
    AxisEntry entry;
    entry.label = label;
    entry.special = true;
    return entry;
}

/// The words of texts, with [CLS] before and [SEP] after each.
inline std::shared_ptr<const Axis> wordsOf(const std::vector<std::string>& texts) {
    auto axis = std::make_shared<Axis>();
    axis->texts = texts;
    axis->entries.push_back(specialOf("[CLS]"));
    for (std::size_t text = 0; text < texts.size(); ++text) {
        const QList<uint> points = QString::fromStdString(texts[text]).toUcs4();
        const auto isSpace = [&](qsizetype i) { return points[i] == ' ' || points[i] == '\n'; };
        for (qsizetype begin = 0; begin < points.size();) {
            qsizetype end = begin + 1;
            while (end < points.size() && !isSpace(end)) ++end;
            if (!isSpace(begin)) axis->entries.push_back(spanOf("word", begin, end, static_cast<int>(text)));
            begin = end;
            while (begin < points.size() && isSpace(begin)) ++begin;
        }
        axis->entries.push_back(specialOf("[SEP]"));
    }
    return axis;
}

/// The colour of a weight on a scale from 0 to 1: 256 equal bins.
inline QRgb viridisOf(double weight) {
    const int bin = std::min(255, static_cast<int>(weight * 256.0));
    return colorsOf(Colormap::Viridis)[static_cast<std::size_t>(bin)];
}

/// weight(i, j) = ((7 i + 3 j) mod 11) / 16: every bin is hit in its middle, rows and columns differ.
inline float patternWeight(std::int64_t row, std::int64_t column) {
    return static_cast<float>((7 * row + 3 * column) % 11) / 16.0F + 1.0F / 512.0F;
}

inline std::shared_ptr<const HeadMap> patternMap(std::int64_t rows, std::int64_t columns) {
    std::vector<float> weights;
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) weights.push_back(patternWeight(i, j));
    return std::make_shared<StoredMap>(Extent{rows, columns}, weights);
}

/// Counts what is read of it.
class CountingMap final : public HeadMap {
  public:
    CountingMap(std::int64_t tokens) : m_tokens(tokens) {}
    Extent extent() const override { return {m_tokens, m_tokens}; }
    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        ++tiles;
        cells += (rows.end - rows.begin) * (columns.end - columns.begin);
        for (std::int64_t i = rows.begin; i < rows.end; ++i)
            for (std::int64_t j = columns.begin; j < columns.end; ++j)
                out.at(i - rows.begin, j - columns.begin) = patternWeight(i, j);
    }
    void visibleSpans(std::int64_t, std::vector<Span>& out) const override { out = {{0, m_tokens}}; }
    mutable std::atomic<std::int64_t> tiles = 0;
    mutable std::atomic<std::int64_t> cells = 0;

  private:
    std::int64_t m_tokens;
};

inline constexpr DisplayRange kWhole{RangeMode::Fixed, 0.0F, 1.0F};

} // namespace headscope::ui
