// SPDX-License-Identifier: GPL-3.0-or-later
// attend(): the score kernel's strips on the CPU, tensor operations elsewhere.
#include "core/attention/attention.h"
#include "core/attention/output_norms.h"
#include "core/attention/strip_run.h"
#include "core/attention/tensor_scores.h"
#include "core/base/check.h"

#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <vector>

namespace headscope {

namespace {

constexpr std::int64_t kTensorChunkCells = std::int64_t{1}
                                           << 26; ///< scores held at once by tensor operations, 256 MB

MatrixView<const float> viewOf(const at::Tensor& matrix) {
    return {matrix.const_data_ptr<float>(), matrix.size(0), matrix.size(1), matrix.stride(0)};
}

/// On the CPU with neighbouring columns in neighbouring memory; the same tensor where it is so already.
at::Tensor onHost(const at::Tensor& matrix) {
    const at::Tensor host = matrix.to(at::kCPU);
    return host.stride(1) == 1 ? host : host.contiguous();
}

void checkShapes(const AttentionShape& shape, const ProjectedHeads& heads, const AttentionCall& call) {
    HS_CHECK(call.rule != nullptr);
    HS_CHECK(shape.heads > 0 && shape.keyValueHeads > 0 && shape.headSize > 0);
    call.rule->check(shape.heads, shape.headSize);
    HS_CHECK_EQ(shape.heads % shape.keyValueHeads, 0);
    for (const at::Tensor& tensor : {heads.queries, heads.keys, heads.values}) {
        HS_CHECK_EQ(tensor.dim(), 2);
        HS_CHECK(tensor.scalar_type() == at::kFloat);
        HS_CHECK(tensor.device() == heads.queries.device());
    }
    HS_CHECK_EQ(heads.queries.size(0), call.rule->mask.queries);
    HS_CHECK_EQ(heads.keys.size(0), call.rule->mask.keys);
    HS_CHECK_EQ(heads.values.size(0), call.rule->mask.keys);
    HS_CHECK_EQ(heads.queries.size(1), shape.heads * shape.headSize);
    HS_CHECK_EQ(heads.keys.size(1), shape.keyValueHeads * shape.headSize);
    HS_CHECK_EQ(heads.values.size(1), shape.keyValueHeads * shape.headSize);
}

/// "layer 3", "cross-attention layer 3": whose scores are bad.
std::string nameOf(const AttentionCall& call) {
    const int layer = call.layer.value;
    switch (call.kind) {
    case AttentionKind::Self:
        break;
    case AttentionKind::Encoder:
        return fmt::format("encoder layer {}", layer);
    case AttentionKind::Decoder:
        return fmt::format("decoder layer {}", layer);
    case AttentionKind::Cross:
        return fmt::format("cross-attention layer {}", layer);
    }
    return fmt::format("layer {}", layer);
}

/// Means over the rows of R of [heads * queries].
std::vector<double> meansOf(const std::vector<float>& norms, int heads, const MaskRule& mask) {
    std::vector<double> means(static_cast<std::size_t>(heads));
    std::int64_t count = 0;
    for (std::int64_t query = 0; query < mask.queries; ++query) {
        if (!mask.isCounted(query)) continue;
        ++count;
        for (std::size_t head = 0; head < means.size(); ++head)
            means[head] += static_cast<double>(
                norms[head * static_cast<std::size_t>(mask.queries) + static_cast<std::size_t>(query)]);
    }
    if (count > 0)
        for (double& mean : means) mean /= static_cast<double>(count);
    return means;
}

at::Tensor runStrips(const AttentionShape& shape, const ProjectedHeads& heads, const AttentionCall& call) {
    const at::Tensor queries = onHost(heads.queries);
    const at::Tensor keys = onHost(heads.keys);
    const at::Tensor values = onHost(heads.values);

    const auto layer = std::make_shared<LayerMaps>();
    layer->heads = shape.heads;
    layer->keyValueHeads = shape.keyValueHeads;
    layer->headSize = shape.headSize;
    layer->rule = *call.rule;
    if (call.observer != nullptr)
        layer->keepQueries(viewOf(queries));
    else
        layer->queries = viewOf(queries);

    at::Tensor output = at::empty({queries.size(0), queries.size(1)}, queries.options());
    const MatrixView<float> out(output.mutable_data_ptr<float>(), output.size(0), output.size(1));
    StripRun run({.layer = layer.get(),
                  .keys = viewOf(keys),
                  .values = viewOf(values),
                  .cancel = call.cancel,
                  .name = nameOf(call)});
    if (call.observer == nullptr) {
        run.computeOutput(out);
        return output;
    }
    const AttentionLayer about{.kind = call.kind,
                               .layer = call.layer,
                               .heads = shape.heads,
                               .keyValueHeads = shape.keyValueHeads,
                               .headSize = shape.headSize,
                               .rule = call.rule};
    const std::vector<RowAccumulator*> accumulators = call.observer->beginLayer(about);
    run.observe(layer, accumulators, out);
    HeadOutputNorms norms = run.norms();
    if (call.outputNorms != nullptr) {
        norms.projectedNorm = meansOf(call.outputNorms->ofOutputs(output), shape.heads, call.rule->mask);
        layer->projectedValueNorms = call.outputNorms->ofValues(values);
    }
    call.observer->endLayer(about, layer, run.checks(), norms);
    return output;
}

/// [rows.size(), keys] booleans, true where a key is hidden.
at::Tensor hiddenCells(const MaskRule& mask, Span rows) {
    at::Tensor hidden = at::ones({rows.size(), mask.keys}, at::kBool);
    bool* cells = hidden.mutable_data_ptr<bool>();
    std::vector<Span> spans;
    for (std::int64_t row = rows.begin; row < rows.end; ++row, cells += mask.keys) {
        mask.visibleSpans(row, spans);
        for (const Span span : spans) std::fill(cells + span.begin, cells + span.end, false);
    }
    return hidden;
}

} // namespace

at::Tensor attendByTensors(const AttentionShape& shape, const ProjectedHeads& heads,
                           const AttentionCall& call) {
    const c10::InferenceMode inference;
    checkShapes(shape, heads, call);
    const ScoreRule& rule = *call.rule;
    const MaskRule& mask = rule.mask;
    const TensorScores scores(shape, heads, rule);
    const at::Tensor values = headsFirst(heads.values, shape, shape.keyValueHeads);
    at::Tensor sinks;
    if (!rule.sinks.empty()) sinks = at::tensor(rule.sinks).to(values.device()).view({shape.heads, 1, 1});

    at::Tensor output = at::empty({mask.queries, shape.heads, shape.headSize}, heads.queries.options());
    const std::int64_t rowCells = std::max<std::int64_t>(mask.keys * shape.heads, 1);
    const std::int64_t step = std::clamp<std::int64_t>(kTensorChunkCells / rowCells, 1, 4096);
    for (std::int64_t begin = 0; begin < mask.queries; begin += step) {
        if (call.cancel != nullptr) call.cancel->throwIfCancelled();
        const Span rows{begin, std::min(begin + step, mask.queries)};
        const at::Tensor hidden = hiddenCells(mask, rows).to(values.device());
        at::Tensor weights = scores.rows(rows).masked_fill_(hidden, -std::numeric_limits<float>::infinity());
        if (sinks.defined()) weights = at::cat({weights, sinks.expand({-1, rows.size(), 1})}, -1);
        // A row that sees nothing comes out of the softmax as NaN; hidden cells are 0 in every row.
        weights = at::softmax(weights, -1).narrow(-1, 0, mask.keys).masked_fill_(hidden, 0.0);
        output.narrow(0, begin, rows.size()).copy_(at::matmul(weights, values).transpose(0, 1));
    }
    return output.view({mask.queries, shape.heads * shape.headSize});
}

at::Tensor attend(const AttentionShape& shape, const ProjectedHeads& heads, const AttentionCall& call) {
    const c10::InferenceMode inference;
    checkShapes(shape, heads, call);
    if (heads.queries.is_cpu()) return runStrips(shape, heads, call);
    if (call.observer != nullptr) runStrips(shape, heads, call);
    return attendByTensors(shape, heads, call);
}

} // namespace headscope
