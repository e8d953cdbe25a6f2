// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/attention.h"
#include "tests/core/maps/mask_fixture.h"

#include <atomic>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace headscope {

inline std::vector<float> numbersOf(const at::Tensor& tensor) {
    const at::Tensor host = tensor.to(at::kCPU).contiguous();
    return {host.const_data_ptr<float>(), host.const_data_ptr<float>() + host.numel()};
}

inline at::Tensor matrix(std::int64_t rows, std::int64_t columns, const std::vector<float>& numbers) {
    return at::tensor(numbers).view({rows, columns});
}

inline double largestDifference(const at::Tensor& a, const at::Tensor& b) {
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

/// Keeps every row block that an attention layer shows, and what it says at the end.
class RecordingObserver final : public AttentionObserver, public RowAccumulator {
  public:
    std::vector<RowAccumulator*> beginLayer(const AttentionLayer& layer) override {
        begun = layer;
        weights.assign(static_cast<std::size_t>(layer.heads), {});
        nextRow.assign(static_cast<std::size_t>(layer.heads), 0);
        return {this};
    }
    void observe(const RowBlock& block) override {
        const auto head = static_cast<std::size_t>(block.head.value);
        if (block.rows.begin != nextRow[head] || block.weights.rows != block.rows.size()) inOrder = false;
        nextRow[head] = block.rows.end;
        for (std::int64_t r = 0; r < block.weights.rows; ++r)
            weights[head].insert(weights[head].end(), block.weights.row(r),
                                 block.weights.row(r) + block.weights.columns);
    }
    void endLayer(const AttentionLayer&, std::shared_ptr<const LayerMaps> layerMaps,
                  const LayerChecks& layerChecks, const HeadOutputNorms& outputNorms) override {
        maps = std::move(layerMaps);
        checks = layerChecks;
        norms = outputNorms;
    }

    AttentionLayer begun;
    std::vector<std::vector<float>> weights; ///< [heads], [queries, keys]
    std::vector<std::int64_t> nextRow;       ///< [heads]
    std::atomic<bool> inOrder = true;        ///< heads come at the same time
    std::shared_ptr<const LayerMaps> maps;
    LayerChecks checks;
    HeadOutputNorms norms;
};

/// Attention in double straight from its definition, cell by cell of the mask.
inline at::Tensor referenceOutput(const AttentionShape& shape, const ProjectedHeads& heads,
                                  const ScoreRule& rule) {
    const auto split = [&](const at::Tensor& t, int count) {
        return t.to(at::kCPU).to(at::kDouble).view({t.size(0), count, shape.headSize}).transpose(0, 1);
    };
    const std::int64_t sharing = shape.heads / shape.keyValueHeads;
    const at::Tensor q = split(heads.queries, shape.heads);
    const at::Tensor k = split(heads.keys, shape.keyValueHeads).repeat_interleave(sharing, 0);
    const at::Tensor v = split(heads.values, shape.keyValueHeads).repeat_interleave(sharing, 0);
    at::Tensor visible = at::zeros({rule.mask.queries, rule.mask.keys}, at::kDouble);
    for (std::int64_t i = 0; i < rule.mask.queries; ++i)
        for (std::int64_t j = 0; j < rule.mask.keys; ++j)
            if (rule.mask.visible(i, j)) visible.data_ptr<double>()[i * rule.mask.keys + j] = 1.0;
    at::Tensor scores = at::matmul(q, k.transpose(1, 2)) * rule.scale;
    scores = scores.masked_fill(visible.eq(0), -1e300);
    const at::Tensor e = (scores - std::get<0>(scores.max(-1, true))).exp() * visible;
    const at::Tensor weights = e / e.sum(-1, true).clamp_min(1e-300);
    return at::matmul(weights, v).transpose(0, 1).reshape({rule.mask.queries, shape.heads * shape.headSize});
}

inline ProjectedHeads randomHeads(const AttentionShape& shape, const MaskRule& mask, double spread = 1.0) {
    const std::int64_t keyWidth = shape.keyValueHeads * shape.headSize;
    return {at::randn({mask.queries, shape.heads * shape.headSize}) * spread,
            at::randn({mask.keys, keyWidth}) * spread, at::randn({mask.keys, keyWidth})};
}

/// A named rule for tables of cases.
struct MaskCase {
    std::string name;
    MaskRule mask;
};

/// Every part of the mask rule on a map of that size, alone and together; some rows see nothing.
inline std::vector<MaskCase> maskCases(std::int64_t queries, std::int64_t keys) {
    std::vector<MaskCase> cases;
    MaskRule mask = openMask(queries, keys);
    cases.push_back({"open", mask});
    mask.causal = true;
    cases.push_back({"causal", mask});
    mask.queryOffset = std::max<std::int64_t>(keys - queries, 0);
    cases.push_back({"causal with offset", mask});
    mask.window = 3;
    cases.push_back({"causal window", mask});
    mask = openMask(queries, keys);
    mask.window = 4;
    cases.push_back({"window both ways", mask});
    mask = openMask(queries, keys);
    for (std::int64_t k = 0; k < keys; ++k) mask.keyAllowed.push_back(k % 5 != 1 && (k == 0 || k + 2 < keys));
    for (std::int64_t q = 0; q < queries; ++q) mask.queryAllowed.push_back(q + 1 < queries);
    cases.push_back({"padding", mask});
    std::vector<std::uint8_t> allowed;
    for (std::int64_t c = 0; c < queries * keys; ++c)
        allowed.push_back(c / keys % 4 == 2 ? 0 : c * 7919 % 11 > 4);
    mask.allowed = std::make_shared<const std::vector<std::uint8_t>>(std::move(allowed));
    mask.causal = true;
    cases.push_back({"padding, causal and any mask", mask});
    return cases;
}

} // namespace headscope
