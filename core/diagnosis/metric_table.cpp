// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/metric_table.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

using Number = std::optional<double>;

constexpr std::string_view kTopColumn = "top_column";
constexpr std::string_view kClassMass = "class_mass";
constexpr std::string_view kClassChance = "class_chance";

Number massOf(const SetMass& mass) {
    return mass.rows > 0 ? Number(mass.mass) : std::nullopt;
}

Number chanceOf(const SetMass& mass) {
    return mass.rows > 0 ? Number(mass.chance) : std::nullopt;
}

Number massOf(const std::optional<OffsetMetrics>& offsets, SetMass OffsetMetrics::*which) {
    return offsets ? massOf((*offsets).*which) : std::nullopt;
}

Number startMass(const HeadMetrics& metrics) {
    if (!metrics.offsets || metrics.columns.keys() == 0 || metrics.columns.plan->rows(0) == 0)
        return std::nullopt;
    return metrics.columns.mass[0];
}

void addClasses(const HeadMetrics& metrics, std::vector<MetricNumber>& numbers) {
    for (const auto& [group, numberOf] :
         {std::pair<std::string_view, Number (*)(const SetMass&)>{kClassMass, massOf},
          {kClassChance, chanceOf}})
        for (const TokenClass one : {TokenClass::Start, TokenClass::Separator, TokenClass::Punctuation,
                                     TokenClass::Newline, TokenClass::Content})
            numbers.push_back(
                {nameOf(one), group, metrics.tokens ? numberOf(metrics.tokens->of(one)) : std::nullopt});
}

} // namespace

std::vector<MetricNumber> metricNumbers(const HeadMetrics& metrics) {
    const auto ofRows = [&](double value) { return metrics.rows > 0 ? Number(value) : std::nullopt; };
    const auto ofColumn = [&](double value) { return metrics.column ? Number(value) : std::nullopt; };
    const ColumnMetrics column = metrics.column.value_or(ColumnMetrics());
    const auto ofOffsets = [&](double OffsetMetrics::*which) {
        return metrics.offsets && metrics.rows > 0 ? Number((*metrics.offsets).*which) : std::nullopt;
    };
    const bool hasMode = metrics.offsets && metrics.offsets->mode;
    const OffsetMetrics::Mode mode = hasMode ? *metrics.offsets->mode : OffsetMetrics::Mode();
    const TokenMetrics tokens = metrics.tokens.value_or(TokenMetrics());
    std::vector<MetricNumber> numbers{
        {"rows", "", static_cast<double>(metrics.rows)},
        {"entropy", "", ofRows(metrics.entropy)},
        {"normalized_entropy", "", ofRows(metrics.normalizedEntropy)},
        {"kl_to_uniform", "", ofRows(metrics.klToUniform)},
        {"tv_to_uniform", "", ofRows(metrics.tvToUniform)},
        {"confidence", "", ofRows(metrics.confidence)},
        {kTopColumn, "", ofColumn(static_cast<double>(column.column))},
        {"top_column_mass", "", ofColumn(column.mass)},
        {"modal_share", "", ofColumn(column.modalShare)},
        {"first_token_mass", "", startMass(metrics)},
        {"previous_mass", "", massOf(metrics.offsets, &OffsetMetrics::previous)},
        {"next_mass", "", massOf(metrics.offsets, &OffsetMetrics::next)},
        {"self_mass", "", massOf(metrics.offsets, &OffsetMetrics::self)},
        {"local8_mass", "", massOf(metrics.offsets, &OffsetMetrics::local)},
        {"mean_distance", "", ofOffsets(&OffsetMetrics::meanDistance)},
        {"even_distance", "", ofOffsets(&OffsetMetrics::evenDistance)},
        {"offset_mode", "", hasMode ? Number(static_cast<double>(mode.offset)) : std::nullopt},
        {"offset_mode_share", "", hasMode ? Number(mode.share) : std::nullopt}};
    addClasses(metrics, numbers);
    const std::vector<MetricNumber> rest{{"duplicate_score", "", massOf(tokens.duplicate)},
                                         {"induction_score", "", massOf(tokens.induction)},
                                         {"segment_mass", "", massOf(tokens.segment)},
                                         {"virtual_sink", "", ofRows(metrics.sinkWeight)},
                                         {"output_norm_ratio", "", metrics.outputNormRatio},
                                         {"score_std", "", metrics.scoreDeviation},
                                         {"score_max", "", metrics.scoreMaximum},
                                         {"saturated_rows", "", ofRows(metrics.saturatedRows)},
                                         {"wo_share", "", metrics.outputShare},
                                         {"value_norm_ratio", "", metrics.columnValueNormRatio}};
    numbers.insert(numbers.end(), rest.begin(), rest.end());
    return numbers;
}

std::vector<MetricNumber> meanNumbers(std::span<const HeadMetrics* const> texts) {
    std::vector<MetricNumber> means;
    std::vector<int> counts;
    double heaviest = -1.0;
    Number topColumn;
    for (const HeadMetrics* text : texts) {
        const std::vector<MetricNumber> numbers = metricNumbers(*text);
        if (means.empty()) {
            means = numbers;
            for (MetricNumber& one : means) one.value.reset();
            counts.resize(means.size());
        }
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (!numbers[i].value) continue;
            means[i].value = means[i].value.value_or(0.0) + *numbers[i].value;
            ++counts[i];
        }
        if (text->column && text->column->mass > heaviest) {
            heaviest = text->column->mass;
            topColumn = static_cast<double>(text->column->column);
        }
    }
    for (std::size_t i = 0; i < means.size(); ++i) {
        if (means[i].value) *means[i].value /= counts[i];
        if (means[i].name == kTopColumn) means[i].value = topColumn;
    }
    return means;
}

} // namespace headscope
