// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/column_metrics.h"

#include <algorithm>

namespace headscope {

namespace {

constexpr std::int64_t kMinimumColumnRows = 16;

} // namespace

ColumnPlan::ColumnPlan(std::int64_t keys)
    : m_rows(static_cast<std::size_t>(keys) + 1), m_chance(static_cast<std::size_t>(keys) + 1) {}

void ColumnPlan::add(const Span& keys, double even) {
    m_rows[static_cast<std::size_t>(keys.begin)] += 1;
    m_rows[static_cast<std::size_t>(keys.end)] -= 1;
    m_chance[static_cast<std::size_t>(keys.begin)] += even;
    m_chance[static_cast<std::size_t>(keys.end)] -= even;
}

void ColumnPlan::addRow(std::span<const Span> spans, std::int64_t visible, std::int64_t own) {
    ++m_rowsOfAll;
    const double even = 1.0 / static_cast<double>(visible);
    for (const Span& span : spans) forWithout(span, own, [&](const Span& part) { add(part, even); });
}

void ColumnPlan::finish() {
    for (std::size_t k = 1; k < m_rows.size(); ++k) {
        m_rows[k] += m_rows[k - 1];
        m_chance[k] += m_chance[k - 1];
    }
}

double ColumnPlan::chance(std::int64_t key) const {
    const std::int64_t seen = rows(key);
    return seen > 0 ? m_chance[static_cast<std::size_t>(key)] / static_cast<double>(seen) : 0.0;
}

bool ColumnPlan::counts(std::int64_t columnRows, std::int64_t allRows) {
    return columnRows >= kMinimumColumnRows && 4 * columnRows >= allRows;
}

bool ColumnPlan::counts(std::int64_t key) const {
    return counts(rows(key), m_rowsOfAll);
}

ColumnMetrics ColumnTable::at(std::int64_t key) const {
    ColumnMetrics column;
    column.column = key;
    column.rows = plan->rows(key);
    column.mass = mass[static_cast<std::size_t>(key)];
    column.chance = plan->chance(key);
    column.kappa = column.chance < 1.0 ? (column.mass - column.chance) / (1.0 - column.chance) : 0.0;
    if (column.rows > 0)
        column.modalShare =
            static_cast<double>(modes[static_cast<std::size_t>(key)]) / static_cast<double>(column.rows);
    return column;
}

std::vector<std::int64_t> ColumnTable::sinks() const {
    std::vector<std::int64_t> found;
    for (std::int64_t key = 0; key < keys(); ++key)
        if (mass[static_cast<std::size_t>(key)] >= kSinkMass && counts(key)) found.push_back(key);
    return found;
}

std::optional<ColumnMetrics> ColumnTable::heaviest() const {
    std::int64_t best = -1;
    for (std::int64_t key = 0; key < keys(); ++key)
        if (counts(key) &&
            (best < 0 || mass[static_cast<std::size_t>(key)] > mass[static_cast<std::size_t>(best)]))
            best = key;
    return best < 0 ? std::nullopt : std::optional(at(best));
}

} // namespace headscope
