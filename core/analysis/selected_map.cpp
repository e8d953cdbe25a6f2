// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/export_part.h"
#include "core/base/check.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

/// Runs of neighbouring indices inside indices[part]: the source ranges that one call of tile() can fill.
struct Run {
    Span source;
    std::int64_t at = 0; ///< where the run begins in the output, from 0
};

std::vector<Run> runsOf(const std::vector<std::int64_t>& indices, Span part) {
    std::vector<Run> runs;
    for (std::int64_t i = part.begin; i < part.end; ++i) {
        const std::int64_t index = indices[static_cast<std::size_t>(i)];
        if (!runs.empty() && runs.back().source.end == index)
            ++runs.back().source.end;
        else
            runs.push_back({{index, index + 1}, i - part.begin});
    }
    return runs;
}

class SelectedMap final : public HeadMap {
  public:
    SelectedMap(std::shared_ptr<const HeadMap> map, std::vector<std::int64_t> rows,
                std::vector<std::int64_t> columns)
        : m_map(std::move(map)), m_rows(std::move(rows)), m_columns(std::move(columns)) {
        const Extent extent = m_map->extent();
        HS_CHECK(std::is_sorted(m_rows.begin(), m_rows.end()));
        HS_CHECK(std::is_sorted(m_columns.begin(), m_columns.end()));
        HS_CHECK(m_rows.empty() || (m_rows.front() >= 0 && m_rows.back() < extent.rows));
        HS_CHECK(m_columns.empty() || (m_columns.front() >= 0 && m_columns.back() < extent.columns));
    }

    Extent extent() const override {
        return {static_cast<std::int64_t>(m_rows.size()), static_cast<std::int64_t>(m_columns.size())};
    }

    void tile(Span rows, Span columns, MatrixView<float> out) const override {
        const std::vector<Run> columnRuns = runsOf(m_columns, columns);
        for (const Run& down : runsOf(m_rows, rows))
            for (const Run& across : columnRuns)
                m_map->tile(
                    down.source, across.source,
                    {out.row(down.at) + across.at, down.source.size(), across.source.size(), out.stride});
    }

    void visibleSpans(std::int64_t row, std::vector<Span>& out) const override {
        std::vector<Span> whole;
        m_map->visibleSpans(m_rows[static_cast<std::size_t>(row)], whole);
        out.clear();
        for (const Span& span : whole) {
            const auto first = std::lower_bound(m_columns.begin(), m_columns.end(), span.begin);
            const auto last = std::lower_bound(first, m_columns.end(), span.end);
            if (first == last) continue;
            const Span part = {first - m_columns.begin(), last - m_columns.begin()};
            // Neighbours once the hidden keys between them are left out.
            if (!out.empty() && out.back().end == part.begin)
                out.back().end = part.end;
            else
                out.push_back(part);
        }
    }

  private:
    std::shared_ptr<const HeadMap> m_map;
    std::vector<std::int64_t> m_rows;
    std::vector<std::int64_t> m_columns;
};

} // namespace

std::shared_ptr<const HeadMap> selectedMap(std::shared_ptr<const HeadMap> map, std::vector<std::int64_t> rows,
                                           std::vector<std::int64_t> columns) {
    return std::make_shared<SelectedMap>(std::move(map), std::move(rows), std::move(columns));
}

} // namespace headscope
