// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diagnosis/token_metrics.h"

#include "core/base/check.h"
#include "core/diagnosis/row_pass.h"

#include <algorithm>
#include <utility>

namespace headscope {

namespace {

/// Classes on whose keys a head may rest; padding is never seen.
constexpr std::array kSeenClasses = {TokenClass::Start, TokenClass::Separator, TokenClass::Punctuation,
                                     TokenClass::Newline, TokenClass::Content};
/// Equal weights may differ in the last bit: the heaviest is the first that comes this near to the maximum.

constexpr std::size_t at(TokenClass tokenClass) {
    return static_cast<std::size_t>(tokenClass);
}

Span overlap(const Span& one, const Span& other) {
    const std::int64_t begin = std::max(one.begin, other.begin);
    return {begin, std::max(begin, std::min(one.end, other.end))};
}

/// Calls visit for those of ascending `positions` that lie in a span.
template <typename Visit>
void forVisible(const std::vector<std::int64_t>& positions, std::span<const Span> spans, const Visit& visit) {
    for (const Span& span : spans) {
        auto position = std::lower_bound(positions.begin(), positions.end(), span.begin);
        for (; position != positions.end() && *position < span.end; ++position) visit(*position);
    }
}

std::int64_t visibleWithin(const RowView& row, const Span& range) {
    std::int64_t count = 0;
    for (const Span& span : row.spans) count += overlap(span, range).size();
    return count;
}

double massWithin(const RowView& row, const Span& range) {
    double mass = 0.0;
    for (const Span& span : row.spans) {
        const Span part = overlap(span, range);
        if (part.size() > 0) mass += rowPass().moments(row.weights + part.begin, part.size()).mass;
    }
    return mass;
}

Span nearOf(const RowView& row) {
    constexpr std::int64_t kNear = 8;
    return {row.own - kNear, row.own + kNear + 1};
}

} // namespace

TokenPlan::TokenPlan(TokenFacts facts)
    : m_facts(std::move(facts)), m_seesOutside(static_cast<std::size_t>(m_facts.size())) {
    const auto tokens = static_cast<std::size_t>(m_facts.size());
    std::int32_t types = 0;
    for (const std::int32_t type : m_facts.types) types = std::max(types, type + 1);
    m_positions.resize(static_cast<std::size_t>(types));
    for (std::size_t i = 0; i < tokens; ++i) {
        const auto place = static_cast<std::int64_t>(i);
        m_positions[static_cast<std::size_t>(m_facts.types[i])].push_back(place);
        m_ofClass[at(m_facts.classes[i])].push_back(place);
        if (i == 0 || m_facts.segments[i] != m_facts.segments[i - 1]) m_segments.push_back({place, place});
        m_segments.back().end = place + 1;
    }
    for (Matches* matches : {&m_duplicate, &m_induction}) {
        matches->rows.resize(tokens);
        matches->ofType.resize(static_cast<std::size_t>(types));
    }
}

bool TokenPlan::isOwn(const RowView& row, TokenClass tokenClass) const {
    return row.own >= 0 && m_facts.classes[static_cast<std::size_t>(row.own)] == tokenClass &&
           visibleWithin(row, {row.own, row.own + 1}) > 0;
}

bool TokenPlan::isContent(std::int64_t token) const {
    return m_facts.classes[static_cast<std::size_t>(token)] == TokenClass::Content;
}

Span TokenPlan::segmentOf(std::int64_t token) const {
    return m_segments[static_cast<std::size_t>(m_facts.segments[static_cast<std::size_t>(token)])];
}

bool TokenPlan::isRepeat(std::int64_t query, std::int64_t key) const {
    if (!isContent(query)) return false;
    const auto sameType = [&](std::int64_t other) {
        return m_facts.types[static_cast<std::size_t>(query)] ==
               m_facts.types[static_cast<std::size_t>(other)];
    };
    const bool isApart = key <= query - 2 || key >= query + 2;
    return (isApart && isContent(key) && sameType(key)) ||
           (key >= 1 && key <= query - 2 && sameType(key - 1));
}

template <typename Visit>
void TokenPlan::duplicatesOf(const RowView& row, const Visit& visit) const {
    if (!isContent(row.own)) return;
    const auto type = static_cast<std::size_t>(m_facts.types[static_cast<std::size_t>(row.own)]);
    // The neighbours are left to the previous and the next token.
    forVisible(m_positions[type], row.spans, [&](std::int64_t key) {
        if ((key <= row.own - 2 || key >= row.own + 2) && isContent(key)) visit(key);
    });
}

template <typename Visit>
void TokenPlan::followersOf(const RowView& row, const Visit& visit) const {
    if (!isContent(row.own)) return;
    const auto type = static_cast<std::size_t>(m_facts.types[static_cast<std::size_t>(row.own)]);
    const auto isVisible = [&](std::int64_t key) {
        return std::any_of(row.spans.begin(), row.spans.end(),
                           [key](const Span& span) { return span.contains(key); });
    };
    for (const std::int64_t earlier : m_positions[type]) {
        if (earlier + 1 > row.own - 2) break;
        if (isVisible(earlier + 1)) visit(earlier + 1);
    }
}

void TokenPlan::addRow(const RowView& row) {
    HS_CHECK_LT(row.own, m_facts.size());
    const auto visible = static_cast<double>(row.visible);
    for (const TokenClass tokenClass : kSeenClasses) {
        const std::vector<std::int64_t>& positions = m_ofClass[at(tokenClass)];
        std::int64_t members = 0;
        for (const Span& span : row.spans)
            members += std::lower_bound(positions.begin(), positions.end(), span.end) -
                       std::lower_bound(positions.begin(), positions.end(), span.begin);
        members -= isOwn(row, tokenClass) ? 1 : 0;
        m_classChance[at(tokenClass)].add(members, row.visible);
        if (members >= 2) ++m_withTwo[at(tokenClass)];
    }
    if (row.own < 0) return;
    const auto addTrigger = [&](Matches& matches, std::int64_t members) {
        if (members == 0) return;
        matches.rows[static_cast<std::size_t>(row.own)] = {members, static_cast<double>(members) / visible};
        ++matches.ofType[static_cast<std::size_t>(m_facts.types[static_cast<std::size_t>(row.own)])];
        ++matches.count;
    };
    std::int64_t members = 0;
    duplicatesOf(row, [&](std::int64_t) { ++members; });
    addTrigger(m_duplicate, members);
    members = 0;
    followersOf(row, [&](std::int64_t) { ++members; });
    addTrigger(m_induction, members);

    const Span segment = segmentOf(row.own);
    const std::int64_t inside = visibleWithin(row, segment);
    if (inside == row.visible || inside == 0) return;
    m_seesOutside[static_cast<std::size_t>(row.own)] = 1;
    m_segment.add(inside, row.visible);
    m_nearChance +=
        static_cast<double>(visibleWithin(row, overlap(segment, nearOf(row)))) / static_cast<double>(inside);
}

double TokenPlan::weightOf(const Matches& matches, std::int64_t token) const {
    const auto type = static_cast<std::size_t>(m_facts.types[static_cast<std::size_t>(token)]);
    return 1.0 / static_cast<double>(matches.ofType[type]);
}

MatchMass TokenPlan::matchMass(const Matches& matches, double massSum) const {
    MatchMass result;
    result.rows = matches.count;
    result.types = std::count_if(matches.ofType.begin(), matches.ofType.end(),
                                 [](std::int32_t rows) { return rows > 0; });
    if (result.types == 0) return result;
    // The weights of the rows of one type add up to 1.
    const auto weights = static_cast<double>(result.types);
    double chance = 0.0;
    for (std::int64_t i = 0; i < m_facts.size(); ++i) {
        const Trigger& trigger = matches.rows[static_cast<std::size_t>(i)];
        if (trigger.members > 0) chance += weightOf(matches, i) * trigger.chance;
    }
    result.mass = massSum / weights;
    result.chance = chance / weights;
    return result;
}

template <typename VisitKeys>
void TokenSums::addMatch(const RowView& row, double weight, std::int64_t tokens, MatchSum& sum,
                         const VisitKeys& visitKeys) {
    double mass = 0.0;
    float largest = -1.0F;
    std::int64_t heaviest = -1;
    visitKeys([&](std::int64_t key) {
        mass += static_cast<double>(row.weights[key]);
        largest = std::max(largest, row.weights[key]);
    });
    const float threshold = argmaxThreshold(largest);
    visitKeys([&](std::int64_t key) {
        if (heaviest < 0 && row.weights[key] >= threshold) heaviest = key;
    });
    if (sum.offsets.empty()) sum.offsets.resize(static_cast<std::size_t>(2 * tokens + 1));
    if (heaviest >= 0) ++sum.offsets[static_cast<std::size_t>(heaviest - row.own + tokens)];
    sum.mass += weight * mass;
}

void TokenSums::add(const RowView& row, const TokenPlan& plan) {
    if (m_alone.empty()) m_alone.resize(static_cast<std::size_t>(plan.m_facts.size()));
    double otherClasses = 0.0;
    for (const TokenClass tokenClass : kSeenClasses) {
        if (tokenClass == TokenClass::Content) continue; // what the others leave
        double mass = 0.0;
        std::int64_t members = 0;
        std::int64_t last = -1;
        forVisible(plan.m_ofClass[at(tokenClass)], row.spans, [&](std::int64_t key) {
            if (key == row.own) return;
            mass += static_cast<double>(row.weights[key]);
            ++members;
            last = key;
        });
        if (members == 1) m_alone[static_cast<std::size_t>(last)] += mass;
        m_class[at(tokenClass)] += mass;
        otherClasses += mass;
        if (members >= 2) m_classWithTwo[at(tokenClass)] += mass;
    }
    const double self = row.own >= 0 ? massWithin(row, {row.own, row.own + 1}) : 0.0;
    m_class[at(TokenClass::Content)] += std::max(0.0, row.weightSum - self - otherClasses);
    if (row.own < 0) return;
    const auto own = static_cast<std::size_t>(row.own);
    const std::int64_t tokens = plan.m_facts.size();
    if (plan.m_duplicate.rows[own].members > 0)
        addMatch(row, plan.weightOf(plan.m_duplicate, row.own), tokens, m_duplicate,
                 [&](const auto& visit) { plan.duplicatesOf(row, visit); });
    if (plan.m_induction.rows[own].members > 0)
        addMatch(row, plan.weightOf(plan.m_induction, row.own), tokens, m_induction,
                 [&](const auto& visit) { plan.followersOf(row, visit); });
    if (plan.m_seesOutside[own] == 0) return;
    m_segment += massWithin(row, plan.segmentOf(row.own));
    m_near += massWithin(row, nearOf(row));
}

TokenMetrics TokenSums::result(const TokenPlan& plan, const std::vector<double>& columnMass) const {
    TokenMetrics metrics;
    for (const TokenClass tokenClass : kSeenClasses) {
        ClassMass& mass = metrics.classes[at(tokenClass)];
        static_cast<SetMass&>(mass) = plan.m_classChance[at(tokenClass)].with(m_class[at(tokenClass)]);
        mass.keys = static_cast<std::int64_t>(plan.m_ofClass[at(tokenClass)].size());
        mass.rowsWithTwo = plan.m_withTwo[at(tokenClass)];
        if (mass.rowsWithTwo > 0)
            mass.massWithTwo = m_classWithTwo[at(tokenClass)] / static_cast<double>(mass.rowsWithTwo);
        const std::vector<std::int64_t>& keys = plan.m_ofClass[at(tokenClass)];
        if (tokenClass == TokenClass::Content || keys.empty() || m_alone.empty()) continue;
        mass.heaviest =
            *std::max_element(keys.begin(), keys.end(), [&](std::int64_t one, std::int64_t other) {
                return columnMass[static_cast<std::size_t>(one)] <
                       columnMass[static_cast<std::size_t>(other)];
            });
        if (mass.rowsWithTwo == 0) continue;
        const auto heaviest = static_cast<std::size_t>(*mass.heaviest);
        mass.spread = mass.massWithTwo -
                      (columnMass[heaviest] - m_alone[heaviest]) / static_cast<double>(mass.rowsWithTwo);
    }
    const auto matchOf = [&](const TokenPlan::Matches& matches, const MatchSum& sum) {
        MatchMass mass = plan.matchMass(matches, sum.mass);
        if (!sum.offsets.empty())
            mass.commonOffsetShare =
                static_cast<double>(*std::max_element(sum.offsets.begin(), sum.offsets.end())) /
                static_cast<double>(mass.rows);
        return mass;
    };
    metrics.duplicate = matchOf(plan.m_duplicate, m_duplicate);
    metrics.induction = matchOf(plan.m_induction, m_induction);
    static_cast<SetMass&>(metrics.segment) = plan.m_segment.with(m_segment);
    if (metrics.segment.rows > 0) {
        const auto rows = static_cast<double>(metrics.segment.rows);
        metrics.segment.nearMass = m_near / rows;
        metrics.segment.nearChance = plan.m_nearChance / rows;
    }
    return metrics;
}

} // namespace headscope
