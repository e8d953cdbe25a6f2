// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/position/position_maker.h"

#include "core/base/check.h"

namespace headscope {

std::unique_ptr<const PositionMaker> readPositionMaker(const WeightLoader& loader, const AttentionSpec& spec,
                                                       const TransformerSpec& stack,
                                                       const MultiHeadAttention::Weights& weights) {
    if (const auto* bias = std::get_if<BucketBias>(&spec.position))
        return readBucketBias(loader, *bias, spec.heads);
    if (const auto* alibi = std::get_if<Alibi>(&spec.position)) return makeAlibi(*alibi, spec.heads);
    if (const auto* relative = std::get_if<RelativeKey>(&spec.position))
        return readRelativeKey(loader, *relative, spec);
    if (std::holds_alternative<Disentangled>(spec.position))
        return readDisentangled(loader, spec, stack, weights);
    if (std::holds_alternative<XlnetRelative>(spec.position)) return readXlnetRelative(loader, spec, stack);
    return nullptr;
}

std::vector<std::int32_t> rowsByDistance(const TermContext& context,
                                         const std::function<std::int64_t(std::int64_t)>& rowOf) {
    std::vector<std::int32_t> rows;
    rows.reserve(static_cast<std::size_t>(context.queries + context.keys - 1));
    for (std::int64_t distance = 1 - context.queries; distance < context.keys; ++distance)
        rows.push_back(static_cast<std::int32_t>(rowOf(distance)));
    return rows;
}

std::vector<std::shared_ptr<const KeyPanels>> panelsByHead(const at::Tensor& table, int heads) {
    const at::Tensor host = table.to(at::kCPU).contiguous();
    HS_CHECK_EQ(host.size(1) % heads, 0);
    const std::int64_t size = host.size(1) / heads;
    std::vector<std::shared_ptr<const KeyPanels>> panels;
    for (int head = 0; head < heads; ++head)
        panels.push_back(std::make_shared<const KeyPanels>(MatrixView<const float>(
            host.const_data_ptr<float>() + head * size, host.size(0), size, host.stride(0))));
    return panels;
}

} // namespace headscope
