// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/masked_head.h"

#include <algorithm>

namespace headscope {

std::optional<OutputHeadSpec> maskedHeadSpec(const Checkpoint& checkpoint, const MaskedHead& head,
                                             bool tied) {
    const std::vector<std::string> noPrefix{""};
    const auto has = [&](const std::string& name) { return hasTensor(checkpoint, noPrefix, name); };
    const auto bias = std::find_if(head.biases.begin(), head.biases.end(), has);
    if (!has(head.dense + ".weight") || bias == head.biases.end()) return std::nullopt;
    if (!tied && !has(head.words + ".weight")) return std::nullopt;
    OutputHeadSpec spec;
    spec.transform = linearSpec(head.dense);
    spec.transformActivation = head.activation;
    spec.transformNorm = layerNormSpec(head.norm, head.epsilon);
    if (!tied) spec.weight = head.words + ".weight";
    spec.bias = *bias;
    spec.vocabularySize = head.vocabularySize;
    spec.width = head.width;
    return spec;
}

} // namespace headscope
