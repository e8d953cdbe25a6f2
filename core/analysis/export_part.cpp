// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/export_part.h"

#include "core/base/check.h"
#include "core/base/error.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace headscope {

namespace {

const StackSpec& stackOf(const ModelSpec& spec, AttentionKind kind) {
    for (const StackSpec& stack : spec.stacks)
        if (stack.kind == kind) return stack;
    fail(std::string(nameOf(kind)), "the model has no attention of this kind");
}

std::string countsText(const StackSpec& stack) {
    return fmt::format("the model has layers 0 to {} and heads 0 to {}", stack.layers - 1, stack.heads - 1);
}

std::vector<std::int64_t> keptIndices(const Axis& axis, const std::optional<Span>& range, bool hideSpecial,
                                      const char* what) {
    const Span wanted = range.value_or(Span{0, axis.size()});
    if (wanted.begin < 0 || wanted.end > axis.size() || wanted.size() <= 0)
        fail(what, fmt::format("{}:{} was asked for", wanted.begin, wanted.end),
             fmt::format("there are {} tokens, hence 0:{} at most", axis.size(), axis.size()));
    std::vector<std::int64_t> kept;
    for (std::int64_t i = wanted.begin; i < wanted.end; ++i)
        if (!hideSpecial || !axis.entries[static_cast<std::size_t>(i)].special) kept.push_back(i);
    if (kept.empty())
        fail(what, "only special tokens are in this part, and they are hidden", {},
             "leave out --hide-special or give a longer text");
    return kept;
}

std::shared_ptr<const Axis> partOf(const Axis& axis, const std::vector<std::int64_t>& indices) {
    auto part = std::make_shared<Axis>();
    part->texts = axis.texts;
    for (const std::int64_t i : indices) part->entries.push_back(axis.entries[static_cast<std::size_t>(i)]);
    return part;
}

} // namespace

const HeadResult& ExportPart::result(std::size_t index) const {
    const HeadResult* found = analysis->find(heads[index]);
    HS_CHECK(found != nullptr); // resolvePart has looked
    return *found;
}

std::shared_ptr<const HeadMap> ExportPart::map(std::size_t index) const {
    const std::shared_ptr<const HeadMap>& source = result(index).map;
    const Extent extent = source->extent();
    if (static_cast<std::int64_t>(rows.size()) == extent.rows &&
        static_cast<std::int64_t>(columns.size()) == extent.columns)
        return source;
    return selectedMap(source, rows, columns);
}

ExportPart resolvePart(std::shared_ptr<const Analysis> analysis, const PartRequest& request) {
    HS_CHECK(analysis && !request.heads.empty());
    const AttentionKind kind = request.heads.front().kind;
    for (const HeadRef& head : request.heads) {
        HS_CHECK(head.kind == kind);
        requireHead(analysis->model->spec(), head);
        HS_CHECK(analysis->find(head) != nullptr);
    }
    const Axis& queries = analysis->queryAxis(kind);
    const Axis& keys = analysis->keyAxis(kind);
    ExportPart part;
    part.heads = request.heads;
    part.specialHidden = request.hideSpecial;
    part.rows = keptIndices(queries, request.rows, request.hideSpecial, "rows");
    part.columns = keptIndices(keys, request.columns, request.hideSpecial, "columns");
    part.queries = partOf(queries, part.rows);
    part.keys = partOf(keys, part.columns);
    part.analysis = std::move(analysis);
    return part;
}

void requireHead(const ModelSpec& spec, const HeadRef& head) {
    const StackSpec& stack = stackOf(spec, head.kind);
    if (head.layer.value < stack.layers && head.head.value < stack.heads) return;
    fail(fmt::format("head {}", headText(head)), "there is no such head", countsText(stack));
}

std::vector<HeadRef> headsOfLayer(const ModelSpec& spec, AttentionKind kind, LayerIndex layer) {
    const StackSpec& stack = stackOf(spec, kind);
    if (layer.value < 0 || layer.value >= stack.layers)
        fail(fmt::format("layer {}", layer.value), "there is no such layer", countsText(stack));
    std::vector<HeadRef> heads;
    for (int head = 0; head < stack.heads; ++head) heads.push_back({kind, layer, HeadIndex(head)});
    return heads;
}

std::vector<HeadRef> allHeads(const ModelSpec& spec, AttentionKind kind) {
    std::vector<HeadRef> heads;
    for (int layer = 0; layer < stackOf(spec, kind).layers; ++layer)
        for (const HeadRef& head : headsOfLayer(spec, kind, LayerIndex(layer))) heads.push_back(head);
    return heads;
}

AttentionKind defaultKind(const ModelSpec& spec) {
    HS_CHECK(!spec.stacks.empty());
    for (const StackSpec& stack : spec.stacks)
        if (stack.kind == AttentionKind::Cross) return AttentionKind::Cross;
    return spec.stacks.front().kind;
}

RangeStatistics statisticsOf(const ExportPart& part, std::size_t index) {
    const RangeStatistics& whole = part.result(index).range;
    if (!part.specialHidden) return whole;
    const std::shared_ptr<const HeadMap> map = part.map(index);
    const Extent extent = map->extent();
    // The statistics leave out key 0, the usual sink. Where that key is hidden already, an empty column
    // stands in for it, so that no other is left out.
    const std::int64_t stand = part.columns.front() == 0 ? 0 : 1;
    MaskRule mask;
    mask.queries = extent.rows;
    mask.keys = extent.columns + stand;
    RangeAccumulator accumulator(1, mask);
    constexpr std::int64_t kRows = 64;
    std::vector<float> strip(static_cast<std::size_t>(std::min(kRows, extent.rows) * mask.keys), 0.0F);
    for (std::int64_t first = 0; first < extent.rows; first += kRows) {
        const Span rows = {first, std::min(first + kRows, extent.rows)};
        map->tile(rows, {0, extent.columns}, {strip.data() + stand, rows.size(), extent.columns, mask.keys});
        accumulator.observe({.head = HeadIndex(0),
                             .rows = rows,
                             .weights = MatrixView<const float>(strip.data(), rows.size(), mask.keys),
                             .mask = &mask});
    }
    RangeStatistics left = accumulator.result(HeadIndex(0));
    left.evenWeight = whole.evenWeight;
    return left;
}

} // namespace headscope
