// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/composed/span_sets.h"

#include <algorithm>

namespace headscope {

std::vector<Span> united(const std::vector<Span>& first, const std::vector<Span>& second) {
    std::vector<Span> all(first);
    all.insert(all.end(), second.begin(), second.end());
    std::ranges::sort(all, {}, &Span::begin);
    std::vector<Span> result;
    for (const Span& span : all) {
        if (span.size() <= 0) continue;
        if (!result.empty() && span.begin <= result.back().end)
            result.back().end = std::max(result.back().end, span.end);
        else
            result.push_back(span);
    }
    return result;
}

std::vector<Span> without(const std::vector<Span>& spans, const std::vector<Span>& removed) {
    std::vector<Span> result;
    auto next = removed.begin();
    for (const Span& span : spans) {
        std::int64_t begin = span.begin;
        while (next != removed.end() && next->end <= begin) ++next;
        for (auto hole = next; hole != removed.end() && hole->begin < span.end; ++hole) {
            if (hole->begin > begin) result.push_back({begin, hole->begin});
            begin = std::max(begin, hole->end);
        }
        if (begin < span.end) result.push_back({begin, span.end});
    }
    return result;
}

} // namespace headscope
