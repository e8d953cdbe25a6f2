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

} // namespace

std::size_t ExportPart::size() const {
    return view.heads == HeadsShown::One ? heads.size() : 1;
}

std::span<const HeadRef> ExportPart::headsOf(std::size_t index) const {
    HS_CHECK_LT(index, size());
    const std::span<const HeadRef> all(heads);
    return view.heads == HeadsShown::One ? all.subspan(index, 1) : all;
}

const HeadResult& ExportPart::result(std::size_t index) const {
    HS_CHECK_EQ(headsOf(index).size(), 1U);
    const HeadResult* found = analysis->find(headsOf(index).front());
    HS_CHECK(found != nullptr); // resolvePart has looked
    return *found;
}

std::shared_ptr<const HeadMap> ExportPart::map(std::size_t index, const CancelToken& cancel) const {
    return viewedMap(*analysis, headsOf(index), view, axes, cancel);
}

RangeStatistics ExportPart::statistics(std::size_t index, const CancelToken& cancel) const {
    return viewedStatistics(*analysis, headsOf(index), view, cancel);
}

ExportPart resolvePart(std::shared_ptr<const Analysis> analysis, const PartRequest& request) {
    HS_CHECK(analysis && !request.heads.empty());
    const HeadRef& first = request.heads.front();
    for (const HeadRef& head : request.heads) {
        HS_CHECK(head.kind == first.kind);
        requireHead(analysis->model->spec(), head);
        HS_CHECK(analysis->find(head) != nullptr);
        if (request.view.heads == HeadsShown::Rollout && head.layer != first.layer)
            fail("rollout", "heads of several layers were given", "expected one layer, up to which it goes");
    }
    const std::span<const HeadRef> all(request.heads);
    requireView(*analysis, request.view.heads == HeadsShown::One ? all.first(1) : all, request.view);
    ExportPart part;
    part.heads = request.heads;
    part.view = request.view;
    part.axes = viewedAxes(*analysis, first.kind, request.view, request.part);
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

} // namespace headscope
