// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/line_picks.h"

#include <algorithm>
#include <tuple>

namespace headscope::ui {

namespace {

bool isStronger(const AttentionLine& a, const AttentionLine& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return std::tie(a.slot, a.query, a.key) < std::tie(b.slot, b.query, b.key);
}

Span clipped(Span span, std::int64_t size) {
    span.begin = std::clamp<std::int64_t>(span.begin, 0, size);
    span.end = std::clamp<std::int64_t>(span.end, span.begin, size);
    return span;
}

/// What is left of a window where one token alone counts.
Span narrowed(Span span, std::int64_t token) {
    return token >= span.begin && token < span.end ? Span{token, token + 1} : Span{span.begin, span.begin};
}

} // namespace

LineRule ruleWith(LineRule rule, bool oneToken) {
    constexpr std::int64_t kOfOneToken = 500;
    if (oneToken && rule.strongest > 0) rule.strongest = std::max(rule.strongest, kOfOneToken);
    return rule;
}

LinePicks pickLines(std::span<const LineHead> heads, Span queries, Span keys, const LineRule& rule,
                    const std::optional<LineFocus>& focus) {
    LinePicks picks;
    if (focus) (focus->key ? keys : queries) = narrowed(focus->key ? keys : queries, focus->token);
    std::vector<float> row;
    for (std::size_t slot = 0; slot < heads.size(); ++slot) {
        const HeadMap& map = *heads[slot].map;
        const Span rows = clipped(queries, map.extent().rows);
        const Span columns = clipped(keys, map.extent().columns);
        const std::int64_t width = columns.end - columns.begin;
        if (width == 0) continue;
        row.resize(static_cast<std::size_t>(width));
        for (std::int64_t query = rows.begin; query < rows.end; ++query) {
            map.tile({query, query + 1}, columns, MatrixView<float>(row.data(), 1, width));
            for (std::int64_t i = 0; i < width; ++i) {
                const float weight = row[static_cast<std::size_t>(i)];
                if (!(weight > 0.0F)) continue;
                ++picks.candidates;
                if (rule.strongest > 0 || weight >= rule.from)
                    picks.lines.push_back({slot, query, columns.begin + i, weight});
            }
        }
    }
    const auto most = static_cast<std::size_t>(rule.strongest > 0 ? std::min(rule.strongest, LinePicks::kMost)
                                                                  : LinePicks::kMost);
    if (picks.lines.size() > most) {
        std::nth_element(picks.lines.begin(), picks.lines.begin() + static_cast<std::ptrdiff_t>(most),
                         picks.lines.end(), isStronger);
        picks.lines.resize(most);
    }
    std::sort(picks.lines.begin(), picks.lines.end(),
              [](const AttentionLine& a, const AttentionLine& b) { return isStronger(b, a); });
    return picks;
}

} // namespace headscope::ui
